import EventLoop
public import InternetAddresses
public import MicroHTTP
import ToastAccess
public import ToastCore
public import ToastHub

/// The HTTP API of one loop: the route table, and what every endpoint needs.
///
/// An object, because every request's frames keep what answers it.
public final class API: Sendable {
    /// All channels.
    let hub: Hub

    /// The streams of the loop that serves.
    let fanout: Fanout

    /// The streams of all loops, for what is counted over all of them.
    let fanouts: [Fanout]

    /// The files that browsers get.
    let pages: Pages

    /// Who is let in.
    let access: Access

    /// Pages of other origins that may do what the server's own may.
    let origins: AllowedOrigins

    /// How often what may be done, and how much there may be.
    let book: LimitRegistry

    let limits: Limits

    /// Whether webhooks may be posted to at an address.
    let reaches: @Sendable (IPAddress) -> Bool

    /// What the server tells of itself.
    let telemetry: Telemetry

    /// What the loop that serves tells of itself.
    let meter: LoopMeter

    /// Requests that break the rules.
    let refused: RouteMeters

    /// An API.
    ///
    /// - Parameters:
    ///   - hub: All channels.
    ///   - fanouts: The streams of each loop.
    ///   - index: Which of the loops this API serves.
    ///   - pages: The files that browsers get.
    ///   - access: Who is let in.
    ///   - origins: Pages of other origins that may do what the server's own may.
    ///   - book: How often what may be done; `nil` for the usual.
    ///   - limits: How much a document may hold.
    ///   - reaches: Whether webhooks may be posted to at an address.
    ///   - telemetry: What the server tells of itself.
    public init(
        hub: Hub,
        fanouts: [Fanout],
        index: Int,
        pages: Pages,
        access: Access,
        origins: AllowedOrigins = AllowedOrigins(),
        book: LimitRegistry? = nil,
        limits: Limits = .standard,
        reaches: @escaping @Sendable (IPAddress) -> Bool = { _ in true },
        telemetry: Telemetry
    ) {
        self.hub = hub
        self.fanouts = fanouts
        self.fanout = fanouts[index]
        self.pages = pages
        self.access = access
        self.origins = origins
        self.book = book ?? LimitRegistry(ServiceLimits(), of: hub)
        self.limits = limits
        self.reaches = reaches
        self.telemetry = telemetry
        self.meter = telemetry.loops[index]
        self.refused = RouteMeters("refused", on: self.meter)
    }

    /// The answer to a request that never reaches an endpoint.
    public static func describe(_ error: HTTPError) -> Response {
        var response = Problem(from: error).response
        response.secure()
        return response
    }

    /// Answers requests by the route table.
    public var handler: Handler {
        let router = self.router
        return { await router.handle($0) }
    }

    /// The route table, in the order of the API's description, with the right that each route needs.
    public var router: Router {
        var router = Router(describe: Self.describe)
        router.name = { self.name(of: $0) }
        func on(
            _ method: Method,
            _ path: String,
            _ right: Right,
            audit: String? = nil,
            isCounted: Bool = true,
            _ endpoint: @escaping Endpoint
        ) {
            let route = self.meter.route(method.rawValue, path, audit: audit)
            let rate = isCounted ? RateClass(of: method) : nil
            router.on(method, path) { request in
                await self.answer(request, route, right, rate) { request, _ throws(Problem) in
                    try await endpoint(request)
                }
            }
        }
        /// For endpoints whose answer depends on the caller: those about several channels, for one, check each.
        func on(
            _ method: Method,
            _ path: String,
            _ right: Right = .none,
            audit: String? = nil,
            rate: RateClass? = nil,
            _ endpoint: @escaping PersonalEndpoint
        ) {
            let route = self.meter.route(method.rawValue, path, audit: audit)
            let rate = rate ?? RateClass(of: method)
            router.on(method, path) { await self.answer($0, route, right, rate, endpoint) }
        }
        on(.post, "/v1/channels/{channel}/toasts", .channel(.publish), rate: .publish, self.publish)
        on(.get, "/v1/channels/{channel}/toasts", .channel(.subscribe), self.listToasts)
        on(.patch, "/v1/channels/{channel}/toasts", .channel(.publish), self.updateToasts)
        on(.delete, "/v1/channels/{channel}/toasts", .channel(.publish), audit: "channel cleared", self.clear)
        on(.post, "/v1/toasts", rate: .publish, self.publishToMany)

        on(.get, "/v1/channels/{channel}/toasts/{id}", .channel(.subscribe), self.getToast)
        on(.patch, "/v1/channels/{channel}/toasts/{id}", .channel(.publish), self.updateToast)
        on(.delete, "/v1/channels/{channel}/toasts/{id}", .channel(.publish), self.dismissToast)

        on(.post, "/v1/channels/{channel}/toasts/{id}/dismiss", .channel(.respond), self.reportDismissal)
        on(.post, "/v1/channels/{channel}/toasts/{id}/actions/{action}", .channel(.respond), self.pressAction)
        on(.put, "/v1/channels/{channel}/toasts/{id}/holds/{holder}", .channel(.respond), self.holdToast)
        on(.delete, "/v1/channels/{channel}/toasts/{id}/holds/{holder}", .channel(.respond), self.releaseToast)

        on(.get, "/v1/channels", rate: .read, self.listChannels)
        on(.get, "/v1/channels/{channel}", .channel(.subscribe), self.getChannel)
        on(.delete, "/v1/channels/{channel}", .channel(.manage), audit: "channel deleted", self.deleteChannel)
        on(.get, "/v1/channels/{channel}/settings", rate: .read, self.getSettings)
        on(.put, "/v1/channels/{channel}/settings", .channel(.manage), audit: "settings replaced", self.replaceSettings)
        on(.patch, "/v1/channels/{channel}/settings", .channel(.manage), audit: "settings changed", self.updateSettings)
        on(.delete, "/v1/channels/{channel}/settings", .channel(.manage), audit: "settings reset", self.resetSettings)
        on(.get, "/v1/channels/{channel}/webhooks/{webhook}/deliveries", .channel(.manage), self.listDeliveries)

        on(.get, "/v1/settings", .everywhere(.manage), self.getDefaults)
        on(.patch, "/v1/settings", .everywhere(.manage), audit: "default settings changed", self.updateDefaults)

        on(.get, "/v1/catalogs", .none, self.listCatalogs)
        on(.put, "/v1/catalogs", .everywhere(.manage), audit: "catalogs replaced", self.replaceCatalogs)
        on(.get, "/v1/catalogs/{language}", .none, self.getCatalog)
        on(.put, "/v1/catalogs/{language}", .everywhere(.manage), audit: "catalog replaced", self.replaceCatalog)
        on(.delete, "/v1/catalogs/{language}", .everywhere(.manage), audit: "catalog removed", self.removeCatalog)

        on(.get, "/v1/presets", .none, self.listPresets)
        on(.get, "/v1/presets/{preset}", .none, self.getPreset)
        on(.get, "/v1/styles", .none, self.listStyles)

        on(.get, "/v1/channels/{channel}/stream", .stream, rate: .read, self.stream)
        on(.get, "/v1/channels/{channel}/poll", .stream, rate: .read, self.poll)
        on(.get, "/v1/channels/{channel}/socket", .stream, rate: .read, self.socket)
        on(.get, "/v1/stream", .stream, rate: .read, self.stream)
        on(.get, "/v1/poll", .stream, rate: .read, self.poll)
        on(.get, "/v1/socket", .stream, rate: .read, self.socket)

        on(.post, "/v1/session", .none, audit: "session opened", self.openSession)
        on(.delete, "/v1/session", .none, audit: "session closed", self.closeSession)
        on(.post, "/v1/tickets", .none, audit: "ticket made", self.makeTicket)

        // Probes have to get through, and files are cheaper than counting; what is not there is counted.
        on(.get, "/livez", .none, isCounted: false, self.liveness)
        on(.get, "/readyz", .none, isCounted: false, self.readiness)
        on(.get, "/metrics", .everywhere(.manage), isCounted: false, self.metrics)
        on(.get, "/openapi.yaml", .none, isCounted: false, self.description)
        let files = self.meter.route("GET", "/{file}")
        router.otherwise(where: { self.hasPage(at: $0) }) { request in
            await self.answer(request, files, .file, nil, self.page)
        }
        let elsewhere = RouteMeters("none", on: self.meter)
        router.answered = { self.dressed(self.conclude($1, to: $0, on: elsewhere), for: $0) }
        return router
    }

    /// What a route asks of its caller.
    enum Right {
        /// Nothing, or the endpoint itself asks.
        case none
        /// Nothing, and pages of any origin may load it.
        case file
        /// What the endpoint itself asks for; it adds to the audience of a channel.
        case stream
        /// A scope on the channel that the path names.
        case channel(Scope)
        /// A scope on all channels.
        case everywhere(Scope)

        var opensStream: Bool { if case .stream = self { true } else { false } }
    }

    private typealias Endpoint = @Sendable (Request) async throws(Problem) -> Reply
    private typealias PersonalEndpoint = @Sendable (Request, Caller) async throws(Problem) -> Reply

    private func answer(
        _ request: Request,
        _ route: RouteMeter,
        _ right: Right,
        _ rate: RateClass?,
        _ endpoint: PersonalEndpoint
    ) async -> Reply {
        let start = EventLoop.now
        var visitor: Caller?
        do throws(Problem) {
            let someone = try self.admit(request, right, rate, &visitor)
            let reply = try self.charged(try await endpoint(request, someone), to: request, of: someone, rate)
            return self.conclude(reply, nil, to: request, on: route, rate, by: visitor, since: start)
        } catch {
            self.meter.count(error.type)
            let reply = Reply.response(self.refusal(error, of: request))
            return self.conclude(reply, error.type, to: request, on: route, rate, by: visitor, since: start)
        }
    }

    /// Finds out who sent a request, and whether they may.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - right: What it needs.
    ///   - rate: What it counts as.
    ///   - visitor: Who sent it, as soon as that is known.
    /// - Returns: Who sent it.
    /// - Throws: Why it is not done.
    @inline(never)
    private func admit(
        _ request: Request,
        _ right: Right,
        _ rate: RateClass?,
        _ visitor: inout Caller?
    ) throws(Problem) -> Caller {
        try self.checkOrigin(of: request, right)
        // Browsers open streams without header fields of their own.
        let takesTicket = right.opensStream && request.method == .get
        let someone = try self.access.visitor(of: request, takesTicket: takesTicket)
        visitor = someone
        try self.checkHost(of: request, someone.principal)
        if let rate { try self.charge(1, rate, to: someone) }
        try Self.check(right, of: someone.principal, request)
        try request.checkCoding()
        return someone
    }

    /// Sees an answer off: the endpoint's, or that to a request with a problem.
    @inline(never)
    private func conclude(
        _ reply: consuming Reply,
        _ problem: ProblemType?,
        to request: Request,
        on route: RouteMeter,
        _ rate: RateClass?,
        by visitor: Caller?,
        since start: Int64
    ) -> Reply {
        if let rate, let visitor, self.book.rates.counts(rate, for: visitor) {
            reply = self.stating(rate, of: visitor, in: reply)
        }
        // Consumed here and in there, so that fields are added to the answer itself and not to a copy.
        return self.observe(consume reply, problem, to: request, on: route, by: visitor?.principal, since: start)
    }

    /// Says in an answer how often its reader may ask again.
    @inline(never)
    private func stating(_ rate: RateClass, of visitor: Caller, in reply: Reply) -> Reply {
        guard case .response(let response) = reply,
            let fields = self.book.rates.fields(rate, for: visitor, at: self.now)
        else { return reply }
        return .response(response.adding("RateLimit-Policy", fields.policy).adding("RateLimit", fields.state))
    }

    private static func check(_ right: Right, of caller: Principal, _ request: Request) throws(Problem) {
        switch right {
        case .none, .file, .stream: break
        case .channel(let scope): try caller.need(scope, on: try request.channel())
        case .everywhere(let scope): try caller.needEverywhere(scope)
        }
    }
}
