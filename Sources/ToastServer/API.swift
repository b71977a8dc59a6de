import EventLoop
public import MicroHTTP
import ToastAccess
public import ToastCore
public import ToastHub

/// The HTTP API of one loop: the route table, and what every endpoint needs.
public struct API: Sendable {
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

    let limits: Limits

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
    ///   - limits: How much a document may hold.
    ///   - telemetry: What the server tells of itself.
    public init(
        hub: Hub,
        fanouts: [Fanout],
        index: Int,
        pages: Pages,
        access: Access,
        limits: Limits = .standard,
        telemetry: Telemetry
    ) {
        self.hub = hub
        self.fanouts = fanouts
        self.fanout = fanouts[index]
        self.pages = pages
        self.access = access
        self.limits = limits
        self.telemetry = telemetry
        self.meter = telemetry.loops[index]
        self.refused = RouteMeters("refused", on: self.meter)
    }

    /// The answer to a request that never reaches an endpoint.
    public static func describe(_ error: HTTPError) -> Response {
        Problem(from: error).response
    }

    /// The route table, in the order of the API's description, with the right that each route needs.
    public var router: Router {
        var router = Router(describe: Self.describe)
        func on(
            _ method: Method,
            _ path: String,
            _ right: Right,
            audit: String? = nil,
            _ endpoint: @escaping Endpoint
        ) {
            let route = self.meter.route(method.rawValue, path, audit: audit)
            router.on(method, path) { request in
                await self.answer(request, route, right) { request, _ throws(Problem) in try await endpoint(request) }
            }
        }
        /// For endpoints that are about several channels, and check each.
        func on(_ method: Method, _ path: String, _ endpoint: @escaping PersonalEndpoint) {
            let route = self.meter.route(method.rawValue, path)
            router.on(method, path) { await self.answer($0, route, .none, endpoint) }
        }
        on(.post, "/v1/channels/{channel}/toasts", .channel(.publish), self.publish)
        on(.get, "/v1/channels/{channel}/toasts", .channel(.subscribe), self.listToasts)
        on(.delete, "/v1/channels/{channel}/toasts", .channel(.publish), audit: "channel cleared", self.clear)
        on(.post, "/v1/toasts", self.publishToMany)

        on(.get, "/v1/channels/{channel}/toasts/{id}", .channel(.subscribe), self.getToast)
        on(.patch, "/v1/channels/{channel}/toasts/{id}", .channel(.publish), self.updateToast)
        on(.delete, "/v1/channels/{channel}/toasts/{id}", .channel(.publish), self.dismissToast)

        on(.post, "/v1/channels/{channel}/toasts/{id}/dismiss", .channel(.respond), self.reportDismissal)
        on(.post, "/v1/channels/{channel}/toasts/{id}/actions/{action}", .channel(.respond), self.pressAction)
        on(.put, "/v1/channels/{channel}/toasts/{id}/holds/{holder}", .channel(.respond), self.holdToast)
        on(.delete, "/v1/channels/{channel}/toasts/{id}/holds/{holder}", .channel(.respond), self.releaseToast)

        on(.get, "/v1/channels", self.listChannels)
        on(.get, "/v1/channels/{channel}", .channel(.subscribe), self.getChannel)
        on(.get, "/v1/channels/{channel}/settings", self.getSettings)
        on(.put, "/v1/channels/{channel}/settings", .channel(.manage), audit: "settings replaced", self.replaceSettings)
        on(.patch, "/v1/channels/{channel}/settings", .channel(.manage), audit: "settings changed", self.updateSettings)
        on(.delete, "/v1/channels/{channel}/settings", .channel(.manage), audit: "settings reset", self.resetSettings)

        on(.get, "/v1/catalogs", .none, self.listCatalogs)
        on(.put, "/v1/catalogs", .everywhere(.manage), audit: "catalogs replaced", self.replaceCatalogs)
        on(.get, "/v1/catalogs/{language}", .none, self.getCatalog)
        on(.put, "/v1/catalogs/{language}", .everywhere(.manage), audit: "catalog replaced", self.replaceCatalog)
        on(.delete, "/v1/catalogs/{language}", .everywhere(.manage), audit: "catalog removed", self.removeCatalog)

        on(.get, "/v1/presets", .none, self.listPresets)
        on(.get, "/v1/presets/{preset}", .none, self.getPreset)
        on(.get, "/v1/styles", .none, self.listStyles)

        on(.get, "/v1/channels/{channel}/stream", self.stream)
        on(.get, "/v1/channels/{channel}/poll", self.poll)
        on(.get, "/v1/channels/{channel}/socket", self.socket)
        on(.get, "/v1/stream", self.stream)
        on(.get, "/v1/poll", self.poll)
        on(.get, "/v1/socket", self.socket)

        on(.post, "/v1/session", .none, audit: "session opened", self.openSession)
        on(.delete, "/v1/session", .none, audit: "session closed", self.closeSession)
        on(.post, "/v1/tickets", .none, audit: "ticket made", self.makeTicket)

        on(.get, "/livez", .none, self.liveness)
        on(.get, "/readyz", .none, self.readiness)
        on(.get, "/metrics", .everywhere(.manage), self.metrics)
        on(.get, "/openapi.yaml", .none, self.description)
        let files = self.meter.route("GET", "/{file}")
        router.otherwise { request in
            await self.answer(request, files, .none) { request, _ throws(Problem) in try await self.page(request) }
        }
        let elsewhere = RouteMeters("none", on: self.meter)
        router.answered = { self.observe($1, to: $0, on: elsewhere) }
        return router
    }

    /// What a route asks of its caller.
    enum Right {
        /// Nothing, or the endpoint itself asks.
        case none
        /// A scope on the channel that the path names.
        case channel(Scope)
        /// A scope on all channels.
        case everywhere(Scope)
    }

    private typealias Endpoint = @Sendable (Request) async throws(Problem) -> Reply
    private typealias PersonalEndpoint = @Sendable (Request, Principal) async throws(Problem) -> Reply

    private func answer(
        _ request: Request,
        _ route: RouteMeter,
        _ right: Right,
        _ endpoint: PersonalEndpoint
    ) async -> Reply {
        let start = EventLoop.now
        var request = request
        request.name = self.name(of: request.headers)
        var caller: Principal?
        do throws(Problem) {
            try Self.checkOrigin(of: request)
            let someone = try self.access.caller(of: request, takesTicket: request.opensStream)
            caller = someone
            try Self.check(right, of: someone, request)
            let reply = try await endpoint(request, someone)
            return self.observe(reply, nil, to: request, on: route, by: caller, since: start)
        } catch {
            self.meter.count(error.type)
            let reply = Reply.response(error.response(to: request))
            return self.observe(reply, error.type, to: request, on: route, by: caller, since: start)
        }
    }

    private static func check(_ right: Right, of caller: Principal, _ request: Request) throws(Problem) {
        switch right {
        case .none: break
        case .channel(let scope): try caller.need(scope, on: try request.channel())
        case .everywhere(let scope): try caller.needEverywhere(scope)
        }
    }

    /// A page of another origin may read what it is allowed to, but not change anything, and not open a socket:
    /// browsers send both without asking first (RFC 6455 §10.2, and the simple requests of the Fetch standard).
    private static func checkOrigin(of request: Request) throws(Problem) {
        guard let origin = request.headers["origin"] else { return }
        let changes = request.method != .get && request.method != .head && request.method != .options
        guard changes || request.headers["upgrade"] != nil else { return }
        let host = request.headers["host"]?.lowercased()
        guard host.map({ ["http://" + $0, "https://" + $0].contains(origin.lowercased()) }) == true else {
            throw Problem(.originNotAllowed)
        }
    }
}
