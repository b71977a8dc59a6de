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

    /// Pages of other origins that may do what the server's own may.
    let origins: AllowedOrigins

    /// How often what may be done, and how much there may be.
    let book: LimitBook

    let limits: Limits

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
    public init(
        hub: Hub,
        fanouts: [Fanout],
        index: Int,
        pages: Pages,
        access: Access,
        origins: AllowedOrigins = AllowedOrigins(),
        book: LimitBook? = nil,
        limits: Limits = .standard
    ) {
        self.hub = hub
        self.fanouts = fanouts
        self.fanout = fanouts[index]
        self.pages = pages
        self.access = access
        self.origins = origins
        self.book = book ?? LimitBook(ServiceLimits(), of: hub)
        self.limits = limits
    }

    /// The answer to a request that never reaches an endpoint.
    public func describe(_ error: HTTPError) -> Response {
        let problem = Problem(from: error)
        self.book.problems.count(problem.type)
        var response = problem.response
        response.secure()
        return response
    }

    /// Answers requests: by the route table, and with what every answer says beside its own.
    public var handler: Handler {
        let router = self.router
        return { request in
            switch await router.handle(request) {
            case .response(let response): return .response(self.dressed(response, for: request))
            case .detach(let take): return .detach(take)
            }
        }
    }

    /// The route table, in the order of the API's description, with the right that each route needs.
    public var router: Router {
        var router = Router(describe: self.describe)
        func on(_ method: Method, _ path: String, _ right: Right, _ rate: RateClass?, _ endpoint: @escaping Endpoint) {
            router.on(method, path) { request in
                await self.answer(request, right, rate) { request, _ throws(Problem) in try await endpoint(request) }
            }
        }
        func on(_ method: Method, _ path: String, _ right: Right, _ endpoint: @escaping Endpoint) {
            on(method, path, right, method == .get ? .read : .change, endpoint)
        }
        /// For endpoints that want to know who asks: those about several channels, for one, check each.
        func on(
            _ method: Method,
            _ path: String,
            _ right: Right = .none,
            rate: RateClass,
            _ endpoint: @escaping PersonalEndpoint
        ) {
            router.on(method, path) { await self.answer($0, right, rate, endpoint) }
        }
        on(.post, "/v1/channels/{channel}/toasts", .channel(.publish), rate: .publish, self.publish)
        on(.get, "/v1/channels/{channel}/toasts", .channel(.subscribe), self.listToasts)
        on(.delete, "/v1/channels/{channel}/toasts", .channel(.publish), self.clear)
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
        on(.get, "/v1/channels/{channel}/settings", rate: .read, self.getSettings)
        on(.put, "/v1/channels/{channel}/settings", .channel(.manage), self.replaceSettings)
        on(.patch, "/v1/channels/{channel}/settings", .channel(.manage), self.updateSettings)
        on(.delete, "/v1/channels/{channel}/settings", .channel(.manage), self.resetSettings)

        on(.get, "/v1/catalogs", .none, self.listCatalogs)
        on(.put, "/v1/catalogs", .everywhere(.manage), self.replaceCatalogs)
        on(.get, "/v1/catalogs/{language}", .none, self.getCatalog)
        on(.put, "/v1/catalogs/{language}", .everywhere(.manage), self.replaceCatalog)
        on(.delete, "/v1/catalogs/{language}", .everywhere(.manage), self.removeCatalog)

        on(.get, "/v1/presets", .none, self.listPresets)
        on(.get, "/v1/presets/{preset}", .none, self.getPreset)

        on(.get, "/v1/channels/{channel}/stream", rate: .read, self.stream)
        on(.get, "/v1/channels/{channel}/poll", rate: .read, self.poll)
        on(.get, "/v1/channels/{channel}/socket", rate: .read, self.socket)
        on(.get, "/v1/stream", rate: .read, self.stream)
        on(.get, "/v1/poll", rate: .read, self.poll)
        on(.get, "/v1/socket", rate: .read, self.socket)

        on(.post, "/v1/session", .none, self.openSession)
        on(.delete, "/v1/session", .none, self.closeSession)
        on(.post, "/v1/tickets", .none, self.makeTicket)

        // Probes have to get through, and files are cheaper than counting.
        on(.get, "/livez", .none, nil, self.liveness)
        on(.get, "/readyz", .none, nil, self.readiness)
        on(.get, "/metrics", .everywhere(.manage), nil, self.metrics)
        on(.get, "/openapi.yaml", .none, nil, self.description)
        router.otherwise { request in
            await self.answer(request, .none, nil) { request, _ throws(Problem) in try await self.page(request) }
        }
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
    private typealias PersonalEndpoint = @Sendable (Request, Visitor) async throws(Problem) -> Reply

    private func answer(
        _ request: Request,
        _ right: Right,
        _ rate: RateClass?,
        _ endpoint: PersonalEndpoint
    ) async -> Reply {
        var visitor: Visitor?
        let reply: Reply
        do throws(Problem) {
            try self.checkOrigin(of: request)
            let found = try self.access.visitor(of: request, takesTicket: request.opensStream)
            visitor = found
            if let rate { try self.charge(1, rate, to: found) }
            switch right {
            case .none: break
            case .channel(let scope): try found.principal.need(scope, on: try request.channel())
            case .everywhere(let scope): try found.principal.needEverywhere(scope)
            }
            reply = try await endpoint(request, found)
        } catch {
            reply = .response(self.refusal(error, of: request))
        }
        guard let rate, let visitor, case .response(var response) = reply,
            let fields = self.book.rates.fields(rate, for: visitor, at: self.now)
        else { return reply }
        response.addHeader("RateLimit-Policy", fields.policy)
        response.addHeader("RateLimit", fields.state)
        return .response(response)
    }
}
