import EventLoop
public import MicroHTTP
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

    let limits: Limits

    /// An API.
    ///
    /// - Parameters:
    ///   - hub: All channels.
    ///   - fanouts: The streams of each loop.
    ///   - index: Which of the loops this API serves.
    ///   - pages: The files that browsers get.
    ///   - limits: How much a document may hold.
    public init(hub: Hub, fanouts: [Fanout], index: Int, pages: Pages, limits: Limits = .standard) {
        self.hub = hub
        self.fanouts = fanouts
        self.fanout = fanouts[index]
        self.pages = pages
        self.limits = limits
    }

    /// The answer to a request that never reaches an endpoint.
    public static func describe(_ error: HTTPError) -> Response {
        Problem(from: error).response
    }

    /// The route table, in the order of the API's description.
    public var router: Router {
        var router = Router(describe: Self.describe)
        func on(_ method: Method, _ path: String, _ endpoint: @escaping Endpoint) {
            router.on(method, path) { await self.answer($0, endpoint) }
        }
        on(.post, "/v1/channels/{channel}/toasts", self.publish)
        on(.get, "/v1/channels/{channel}/toasts", self.listToasts)
        on(.delete, "/v1/channels/{channel}/toasts", self.clear)
        on(.post, "/v1/toasts", self.publishToMany)

        on(.get, "/v1/channels/{channel}/toasts/{id}", self.getToast)
        on(.patch, "/v1/channels/{channel}/toasts/{id}", self.updateToast)
        on(.delete, "/v1/channels/{channel}/toasts/{id}", self.dismissToast)

        on(.post, "/v1/channels/{channel}/toasts/{id}/dismiss", self.reportDismissal)
        on(.post, "/v1/channels/{channel}/toasts/{id}/actions/{action}", self.pressAction)
        on(.put, "/v1/channels/{channel}/toasts/{id}/holds/{holder}", self.holdToast)
        on(.delete, "/v1/channels/{channel}/toasts/{id}/holds/{holder}", self.releaseToast)

        on(.get, "/v1/channels", self.listChannels)
        on(.get, "/v1/channels/{channel}", self.getChannel)
        on(.get, "/v1/channels/{channel}/settings", self.getSettings)
        on(.put, "/v1/channels/{channel}/settings", self.replaceSettings)
        on(.patch, "/v1/channels/{channel}/settings", self.updateSettings)
        on(.delete, "/v1/channels/{channel}/settings", self.resetSettings)

        on(.get, "/v1/catalogs", self.listCatalogs)
        on(.put, "/v1/catalogs", self.replaceCatalogs)
        on(.get, "/v1/catalogs/{language}", self.getCatalog)
        on(.put, "/v1/catalogs/{language}", self.replaceCatalog)
        on(.delete, "/v1/catalogs/{language}", self.removeCatalog)

        on(.get, "/v1/presets", self.listPresets)
        on(.get, "/v1/presets/{preset}", self.getPreset)

        on(.get, "/v1/channels/{channel}/stream", self.stream)
        on(.get, "/v1/channels/{channel}/poll", self.poll)
        on(.get, "/v1/channels/{channel}/socket", self.socket)
        on(.get, "/v1/stream", self.stream)
        on(.get, "/v1/poll", self.poll)
        on(.get, "/v1/socket", self.socket)

        on(.get, "/livez", self.liveness)
        on(.get, "/readyz", self.readiness)
        on(.get, "/metrics", self.metrics)
        on(.get, "/openapi.yaml", self.description)
        router.otherwise { await self.answer($0, self.page) }
        return router
    }

    private typealias Endpoint = @Sendable (Request) async throws(Problem) -> Reply

    private func answer(_ request: Request, _ endpoint: Endpoint) async -> Reply {
        do throws(Problem) {
            try Self.checkOrigin(of: request)
            return try await endpoint(request)
        } catch {
            return .response(error.response)
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
