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

    /// Whether the server may post to webhooks at an address.
    let mayPostTo: @Sendable (IPAddress) -> Bool

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
        mayPostTo: @escaping @Sendable (IPAddress) -> Bool = { _ in true },
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
        self.mayPostTo = mayPostTo
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

    /// The permission that a route requires of its caller.
    enum Permission {
        /// None, or the endpoint checks it.
        case none
        /// None, and pages of any origin may load it.
        case file
        /// The endpoint checks it; the request adds to the audience of a channel.
        case stream
        /// The endpoint checks the scope; another system's clients send their credential in their own way.
        case foreign(ForeignRoute)
        /// A scope on the channel that the path names.
        case channel(Scope)
        /// A scope on all channels.
        case everywhere(Scope)

        var opensStream: Bool { if case .stream = self { true } else { false } }

        /// The rules of another system's route; nil for the API's own.
        var foreign: ForeignRoute? { if case .foreign(let route) = self { route } else { nil } }
    }

    /// Makes the response to a request that passed all checks.
    typealias Endpoint = @Sendable (Request, Caller) async throws(Problem) -> Reply

    /// Responds to a request by its endpoint, or with the problem for which it is refused.
    func respond(
        to request: Request,
        _ route: RouteMeter,
        _ permission: Permission,
        _ rate: RateClass?,
        _ endpoint: Endpoint
    ) async -> Reply {
        let start = EventLoop.now
        var known: Caller?
        do throws(Problem) {
            try self.checkOrigin(of: request, permission)
            let caller =
                if permission.opensStream, request.method == .get {
                    try await self.access.streamCaller(of: request)
                } else if let foreign = permission.foreign {
                    try await foreign.caller(request)
                } else {
                    try self.access.caller(of: request)
                }
            // Also known when the request is refused from here on.
            known = caller
            try self.authorize(request, caller, permission, rate)
            let reply = try self.chargeBody(of: try await endpoint(request, caller), to: request, of: caller, rate)
            return self.complete(reply, nil, to: request, on: route, rate, by: known, since: start)
        } catch {
            let reply = self.reply(to: request, permission, refusedBy: error)
            return self.complete(reply, error.type, to: request, on: route, rate, by: known, since: start)
        }
    }

    /// Checks host, scope and rate of a request, and the coding of its content.
    @inline(never)
    private func authorize(
        _ request: Request,
        _ caller: Caller,
        _ permission: Permission,
        _ rate: RateClass?
    ) throws(Problem) {
        try self.checkHost(of: request, caller.principal)
        if let rate { try self.charge(1, rate, to: caller) }
        switch permission {
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
        // Consumed here and in `observe`, so that fields are added to the response itself and not to a copy.
        return self.observe(consume reply, problem, to: request, on: route, by: caller?.principal, since: start)
    }

    /// Adds the fields that tell the caller what is left of its rate.
    @inline(never)
    private func addingRateFields(_ rate: RateClass, of caller: Caller, to reply: Reply) -> Reply {
        guard case .response(let response) = reply,
            let fields = self.appliedLimits.rates.fields(rate, for: caller, at: self.now)
        else { return reply }
        return .response(response.adding("RateLimit-Policy", fields.policy).adding("RateLimit", fields.state))
    }
}
