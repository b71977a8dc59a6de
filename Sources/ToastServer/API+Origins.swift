import MicroHTTP
import ToastAccess

extension API {
    /// The response fields that pages of other origins may read, beside the CORS-safelisted ones.
    private static let exposed = [
        "Content-Language", "ETag", "Idempotency-Replayed", "Location", "Preference-Applied", "RateLimit",
        "RateLimit-Policy", "Retry-After", "WWW-Authenticate", "X-Request-Id",
    ].joined(separator: ", ")

    /// The request fields that pages of other origins may send, beside the CORS-safelisted ones.
    private static let accepted = [
        "Accept-Language", "Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match",
        "Last-Event-ID", "Prefer", "traceparent", "X-Request-Id",
    ].joined(separator: ", ")

    /// Refuses requests of pages of other origins that are not allowed, except for pages and files, which any page may
    /// load.
    ///
    /// A page of another origin could change something, use up the rate of its user's address, or become part of an
    /// audience, without reading a response. Two header fields that no page can set reveal it. Browsers send
    /// `Sec-Fetch-Site` with every request to https and to their own machine (Fetch Metadata). They send `Origin` to
    /// other servers too, but not for an `<img>` or a `fetch` with `no-cors`. So by `Origin` alone only requests that
    /// change something or open a stream are refused; the browser does not let the page see the response to a read.
    func checkOrigin(of request: Request, _ permission: Permission) throws(Problem) {
        if case .file = permission { return }
        let origin = request.headers["origin"]
        if let origin, self.origins.contains(origin) { return }
        let isRead = request.method == .get || request.method == .head || request.method == .options
        let changesByRead = permission.foreign?.changes == true && request.method != .options
        let changes = !isRead || changesByRead || permission.opensStream || request.headers["upgrade"] != nil
        if request.isOfAnotherOrigin {
            // A followed link shows its document to the person; the page with the link cannot read it.
            guard !changes, request.followsLink else { throw Problem(.originNotAllowed) }
        } else if let origin, changes {
            let host = request.headers["host"]?.lowercased()
            let isOwn = host.map { ["http://" + $0, "https://" + $0].contains(origin.lowercased()) } ?? false
            guard isOwn else { throw Problem(.originNotAllowed) }
        }
    }

    /// Refuses requests without a credential whose `Host` is a public name, unless it is an allowed origin's.
    ///
    /// A page of the web can make its own name resolve to 127.0.0.1, or to any other address that its user's browser
    /// reaches (DNS rebinding). The browser then takes the server for the page's own, lets the page read, and sends no
    /// foreign `Origin`; but the name is still in `Host`. Such a page has no credential for this server.
    func checkHost(of request: Request, _ caller: Principal) throws(Problem) {
        guard caller.isAnonymous, !caller.grants.isEmpty, request.headers.hasPublicHost,
            let host = request.headers["host"]
        else { return }
        guard !["http://", "https://"].contains(where: { self.origins.contains($0 + host) }) else { return }
        throw Problem(.hostNotAllowed, "List the origin in --allow-origin, or require keys (--access).")
    }

    /// The response with the fields that every response has: security, and sharing with other origins.
    func withCommonFields(_ response: consuming Response, for request: Request) -> Response {
        response.secure()
        guard !self.origins.isEmpty else { return response }
        for (name, value) in self.sharing(withSenderOf: request.headers) { response.addHeader(name, value) }
        guard request.method == .options, request.headers["access-control-request-method"] != nil,
            response.headers.contains(where: { $0.name == "Access-Control-Allow-Origin" }),
            let allowed = response.headers.first(where: { $0.name == "Allow" })
        else { return response }
        response.addHeader("Access-Control-Allow-Methods", allowed.value)
        response.addHeader("Access-Control-Allow-Headers", Self.accepted)
        // Chromium keeps a preflight's result for two hours at most.
        response.addHeader("Access-Control-Max-Age", "7200")
        return response
    }

    /// The fields that let an allowed origin's page read a response: `Vary` alone for others, none if none is allowed.
    func sharing(withSenderOf headers: HeaderFields) -> [(name: String, value: String)] {
        guard !self.origins.isEmpty else { return [] }
        let vary = (name: "Vary", value: "Origin")
        guard let origin = headers["origin"], self.origins.contains(origin) else { return [vary] }
        return [
            vary, ("Access-Control-Allow-Origin", origin), ("Access-Control-Allow-Credentials", "true"),
            ("Access-Control-Expose-Headers", Self.exposed),
        ]
    }
}

extension Request {
    /// Whether the browser says that a page of another origin sent the request, or has the link that was followed.
    ///
    /// `none` means that a person typed the address or used a bookmark.
    fileprivate var isOfAnotherOrigin: Bool {
        self.headers.count(of: "sec-fetch-site") > 0 && !self.headers.isSpelled("sec-fetch-site", "same-origin")
            && !self.headers.isSpelled("sec-fetch-site", "none")
    }

    /// Whether the response replaces the page that the browser shows.
    fileprivate var followsLink: Bool {
        self.headers.isSpelled("sec-fetch-mode", "navigate") && self.headers.isSpelled("sec-fetch-dest", "document")
    }
}
