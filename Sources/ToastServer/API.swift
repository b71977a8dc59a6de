import EventLoop
package import InternetAddresses
package import MicroHTTP
import ToastAccess
package import ToastCore
package import ToastHub

/// The HTTP API of one loop: what endpoints need, and what every request goes through before and after its endpoint.
///
/// A class, because every async frame of a request keeps a reference to it; a struct would be copied into each.
package final class API: Sendable {
    let hub: Hub

    /// The streams of the loop that serves.
    let fanout: Fanout

    /// The streams of all loops, for what is counted over all of them.
    let fanouts: [Fanout]

    let pages: Pages
    let access: Access
    let origins: AllowedOrigins
    let appliedLimits: AppliedLimits
    let limits: Limits

    /// The routes of other systems.
    let adapters: Adapters

    /// Whether webhooks may be posted to at an address.
    let reaches: @Sendable (IPAddress) -> Bool

    let telemetry: Telemetry

    /// The metrics of the loop that serves.
    let meter: LoopMeter

    /// The meters of requests that MicroHTTP refused.
    let refused: RouteMeters

    /// An API; `index` says which of the loops it serves.
    package init(
        hub: Hub,
        fanouts: [Fanout],
        index: Int,
        pages: Pages,
        access: Access,
        origins: AllowedOrigins = AllowedOrigins(),
        appliedLimits: AppliedLimits,
        limits: Limits = .standard,
        adapters: Adapters = Adapters(),
        reaches: @escaping @Sendable (IPAddress) -> Bool = { _ in true },
        telemetry: Telemetry
    ) {
        self.hub = hub
        self.fanouts = fanouts
        self.fanout = fanouts[index]
        self.pages = pages
        self.access = access
        self.origins = origins
        self.appliedLimits = appliedLimits
        self.limits = limits
        self.adapters = adapters
        self.reaches = reaches
        self.telemetry = telemetry
        self.meter = telemetry.loops[index]
        self.refused = RouteMeters("refused", on: self.meter)
    }

    /// The response to a request that never reaches an endpoint.
    package static func describe(_ error: HTTPError) -> Response {
        var response = Problem(from: error).response()
        response.secure()
        return response
    }

    /// The right that a route asks of its caller.
    enum Right {
        /// None, or the endpoint checks it.
        case none
        /// None, and pages of any origin may load it.
        case file
        /// The endpoint checks it; the request adds to the audience of a channel.
        case stream
        /// That of another system's client, who shows its credential in its own way; the endpoint checks the scope.
        case foreign(ForeignRoute)
        /// A scope on the channel that the path names.
        case channel(Scope)
        /// A scope on all channels.
        case everywhere(Scope)

        var opensStream: Bool { if case .stream = self { true } else { false } }

        /// What is particular about a route of another system; nil for the API's own.
        var foreign: ForeignRoute? { if case .foreign(let route) = self { route } else { nil } }
    }

    /// Makes the response to a request that passed all checks.
    typealias Endpoint = @Sendable (Request, Caller) async throws(Problem) -> Reply

    /// Responds to a request by its endpoint, or with the problem that stands in the way.
    func respond(
        to request: Request,
        _ route: RouteMeter,
        _ right: Right,
        _ rate: RateClass?,
        _ endpoint: Endpoint
    ) async -> Reply {
        let start = EventLoop.now
        var known: Caller?
        do throws(Problem) {
            try self.checkOrigin(of: request, right)
            let caller =
                if right.opensStream, request.method == .get {
                    try await self.access.streamCaller(of: request)
                } else if let foreign = right.foreign {
                    try await foreign.caller(request)
                } else {
                    try self.access.caller(of: request)
                }
            // Also known when the request is refused from here on.
            known = caller
            try self.authorize(request, caller, right, rate)
            let reply = try self.chargeBody(of: try await endpoint(request, caller), to: request, of: caller, rate)
            return self.complete(reply, nil, to: request, on: route, rate, by: known, since: start)
        } catch {
            let reply = self.reply(to: request, right, refusedBy: error)
            return self.complete(reply, error.type, to: request, on: route, rate, by: known, since: start)
        }
    }

    /// Counts a refusal, and makes its reply.
    @inline(never)
    private func reply(to request: Request, _ right: Right, refusedBy problem: Problem) -> Reply {
        self.meter.count(problem.type)
        return .response(right.foreign?.describe(problem, request) ?? self.response(to: request, refusedBy: problem))
    }

    /// Checks host, scope and rate of a request, and the coding of its content.
    @inline(never)
    private func authorize(
        _ request: Request,
        _ caller: Caller,
        _ right: Right,
        _ rate: RateClass?
    ) throws(Problem) {
        try self.checkHost(of: request, caller.principal)
        if let rate { try self.charge(1, rate, to: caller) }
        switch right {
        case .none, .file, .stream, .foreign: break
        case .channel(let scope): try caller.principal.need(scope, on: try request.channel())
        case .everywhere(let scope): try caller.principal.needEverywhere(scope)
        }
        try request.checkCoding()
    }

    /// Completes a route's response: rate limit fields, then everything that `observe` does.
    @inline(never)
    private func complete(
        _ reply: consuming Reply,
        _ problem: ProblemType?,
        to request: Request,
        on route: RouteMeter,
        _ rate: RateClass?,
        by caller: Caller?,
        since start: Int64
    ) -> Reply {
        if let rate, let caller, self.appliedLimits.rates.counts(rate, for: caller) {
            reply = self.addingRateFields(rate, of: caller, to: reply)
        }
        // Consumed here and in there, so that fields are added to the response itself and not to a copy.
        return self.observe(consume reply, problem, to: request, on: route, by: caller?.principal, since: start)
    }

    /// Adds the fields that say how often the caller may ask again.
    @inline(never)
    private func addingRateFields(_ rate: RateClass, of caller: Caller, to reply: Reply) -> Reply {
        guard case .response(let response) = reply,
            let fields = self.appliedLimits.rates.fields(rate, for: caller, at: self.now)
        else { return reply }
        return .response(response.adding("RateLimit-Policy", fields.policy).adding("RateLimit", fields.state))
    }
}
