package import MicroHTTP
import ToastAccess

extension API {
    /// Makes the route table, in the order of the API's description, with the permission that each route requires.
    ///
    /// Call it once for each loop: it adds a meter for each route, and after a second call `/metrics` would have each
    /// route twice.
    package func makeRouter() -> Router {
        var router = Router()
        router.makeID = { self.requestID(of: $0) }
        // Endpoints for several channels check the scope on each themselves.
        func on(
            _ method: Method,
            _ path: String,
            _ permission: Permission,
            audit: String? = nil,
            rate: RateClass? = nil,
            isCounted: Bool = true,
            _ endpoint: @escaping Endpoint
        ) {
            let route = self.meter.route(method.rawValue, path, audit: audit)
            let rate = isCounted ? rate ?? RateClass(of: method) : nil
            router.on(method, path) { await self.respond(to: $0, route, permission, rate, endpoint) }
        }
        on(.post, "/v1/channels/{channel}/toasts", .channel(.publish), rate: .publish, self.publish)
        on(.get, "/v1/channels/{channel}/toasts", .channel(.subscribe), self.listToasts)
        on(.patch, "/v1/channels/{channel}/toasts", .channel(.publish), self.updateToasts)
        on(.delete, "/v1/channels/{channel}/toasts", .channel(.publish), audit: "channel cleared", self.clear)
        on(.post, "/v1/toasts", .none, rate: .publish, self.publishToMany)

        on(.get, "/v1/channels/{channel}/toasts/{id}", .channel(.subscribe), self.getToast)
        on(.patch, "/v1/channels/{channel}/toasts/{id}", .channel(.publish), self.updateToast)
        on(.delete, "/v1/channels/{channel}/toasts/{id}", .channel(.publish), self.dismissToast)

        on(.post, "/v1/channels/{channel}/toasts/{id}/dismiss", .channel(.respond), self.reportDismissal)
        on(.post, "/v1/channels/{channel}/toasts/{id}/actions/{action}", .channel(.respond), self.pressAction)
        on(.put, "/v1/channels/{channel}/toasts/{id}/holds/{holder}", .channel(.respond), self.holdToast)
        on(.delete, "/v1/channels/{channel}/toasts/{id}/holds/{holder}", .channel(.respond), self.releaseToast)

        on(.get, "/v1/channels", .none, self.listChannels)
        on(.get, "/v1/channels/{channel}", .channel(.subscribe), self.getChannel)
        on(.delete, "/v1/channels/{channel}", .channel(.manage), audit: "channel deleted", self.deleteChannel)
        on(.get, "/v1/channels/{channel}/settings", .none, self.getSettings)
        on(.put, "/v1/channels/{channel}/settings", .channel(.manage), audit: "settings replaced", self.replaceSettings)
        on(.patch, "/v1/channels/{channel}/settings", .channel(.manage), audit: "settings changed", self.updateSettings)
        on(.delete, "/v1/channels/{channel}/settings", .channel(.manage), audit: "settings reset", self.resetSettings)
        on(.get, "/v1/channels/{channel}/webhooks/{webhook}/deliveries", .channel(.manage), self.listDeliveries)

        on(.get, "/v1/channels/{channel}/hooks", .channel(.manage), self.listHooks)
        on(.get, "/v1/channels/{channel}/hooks/{hook}", .channel(.manage), self.getHook)
        on(.put, "/v1/channels/{channel}/hooks/{hook}", .channel(.manage), audit: "hook set", self.setHook)
        on(.delete, "/v1/channels/{channel}/hooks/{hook}", .channel(.manage), audit: "hook removed", self.removeHook)
        let hook = Permission.foreign(self.hookRoute)
        on(.post, "/v1/hooks/{hook}/{secret}", hook, rate: .publish, self.postToHook)
        on(.post, "/v1/hooks/{hook}", hook, rate: .publish, self.postToHook)

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

        on(.get, "/v1/channels/{channel}/stream", .stream, self.stream)
        on(.get, "/v1/channels/{channel}/poll", .stream, self.poll)
        on(.get, "/v1/channels/{channel}/socket", .stream, self.socket)
        on(.get, "/v1/stream", .stream, self.stream)
        on(.get, "/v1/poll", .stream, self.poll)
        on(.get, "/v1/socket", .stream, self.socket)

        on(.get, "/v1/session", .none, self.describeSession)
        on(.post, "/v1/session", .none, audit: "session opened", self.openSession)
        on(.delete, "/v1/session", .none, audit: "session closed", self.closeSession)
        on(.post, "/v1/tickets", .none, audit: "ticket made", self.makeTicket)

        self.addAdapterRoutes { method, path, rate, foreign, endpoint in
            on(method, path, .foreign(foreign), rate: rate, endpoint)
        }

        // Probes must never be refused, and serving a file is cheaper than counting it; only missing files are counted.
        on(.get, "/livez", .none, isCounted: false, self.liveness)
        on(.get, "/readyz", .none, isCounted: false, self.readiness)
        on(.get, "/metrics", .everywhere(.manage), isCounted: false, self.metrics)
        on(.get, "/openapi.yaml", .none, isCounted: false, self.description)
        let files = self.meter.route("GET", "/{file}")
        router.otherwise(where: { self.hasPage(at: $0) }) { request in
            await self.respond(to: request, files, .file, nil, self.page)
        }
        let elsewhere = RouteMeters("none", on: self.meter)
        router.elsewhere = { self.answer($0, $1, on: elsewhere) }
        return router
    }
}
