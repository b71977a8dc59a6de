import MicroHTTP
import ToastAccess

/// Pages of other origins that may use the API as the server's own pages do (the CORS protocol of the Fetch standard).
///
/// Each is named exactly. There is no `*`: a server that lets everyone in who reaches it would then be open to every page that
/// somebody in the same network looks at.
public struct AllowedOrigins: Hashable, Sendable {
    private var origins: Set<String> = []

    /// None but the server's own.
    public init() {}

    /// Reads a list with commas, as `https://app.example,http://localhost:5173`; `nil` when one of them is no origin.
    public init?(_ text: String) {
        for word in text.split(separator: ",") {
            guard let origin = Self.origin(word.withoutBlanks) else { return nil }
            self.origins.insert(origin)
        }
    }

    /// Whether there are none.
    public var isEmpty: Bool { self.origins.isEmpty }

    /// Whether a page of an origin, as its browser writes it, is one of these.
    func contains(_ origin: String) -> Bool {
        self.origins.contains(origin.lowercased())
    }

    /// An origin as browsers write it (RFC 6454 §6.2): in lower case, without the scheme's own port.
    static func origin(_ text: String) -> String? {
        let text = text.lowercased()
        guard let scheme = ["http://", "https://"].first(where: text.hasPrefix) else { return nil }
        let authority = text.dropFirst(scheme.count)
        let isIPv6 = authority.hasPrefix("[")
        let bracket = isIPv6 ? authority.firstIndex(of: "]").map { authority.index(after: $0) } : nil
        guard !isIPv6 || bracket != nil else { return nil }
        let end = bracket ?? authority.firstIndex(of: ":") ?? authority.endIndex
        let (host, rest) = (authority[..<end], authority[end...])
        guard !host.isEmpty, host.utf8.allSatisfy({ Self.isHostCharacter($0, isIPv6: isIPv6) }) else { return nil }
        guard !rest.isEmpty else { return scheme + host }
        guard let port = rest.hasPrefix(":") ? UInt16(rest.dropFirst()) : nil, port > 0 else { return nil }
        return (scheme == "http://" ? 80 : 443) == port ? scheme + host : "\(scheme)\(host):\(port)"
    }

    private static func isHostCharacter(_ byte: UInt8, isIPv6: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        case UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ":"): isIPv6
        default: false
        }
    }
}

/// Pages that may show the server's own pages in a frame: the `frame-ancestors` of their policy.
public struct FrameAncestors: Hashable, Sendable {
    /// The directive's value.
    let sources: String

    /// Nobody.
    public static let none = Self(sources: "'none'")

    private init(sources: String) {
        self.sources = sources
    }

    /// Reads `none`, or a list with commas of `self` and origins; `nil` when one of them is neither.
    public init?(_ text: String) {
        let words = text.split(separator: ",").map(\.withoutBlanks)
        guard !words.isEmpty else { return nil }
        if words == ["none"] {
            self = .none
            return
        }
        let sources = words.map { $0 == "self" ? "'self'" : AllowedOrigins.origin($0) }
        guard !sources.contains(nil) else { return nil }
        self.sources = sources.compactMap(\.self).joined(separator: " ")
    }
}

extension Substring {
    /// The text without the blanks around it.
    fileprivate var withoutBlanks: String {
        let start = self.drop { $0 == " " }
        return String(start.reversed().drop { $0 == " " }.reversed())
    }
}

extension API {
    /// What pages of other origins may read of an answer, beside what they always may.
    private static let exposed = [
        "Content-Language", "ETag", "Idempotency-Replayed", "Location", "Preference-Applied", "RateLimit",
        "RateLimit-Policy", "Retry-After", "WWW-Authenticate", "X-Request-Id",
    ].joined(separator: ", ")

    /// What pages of other origins may send, beside what they always may.
    private static let accepted = [
        "Accept-Language", "Authorization", "Content-Type", "Idempotency-Key", "If-Match", "If-None-Match",
        "Last-Event-ID", "Prefer", "traceparent", "X-Request-Id",
    ].joined(separator: ", ")

    /// Refuses what pages of other origins send that are not let in, but for pages and files, which any page may load.
    ///
    /// A page of another origin could change something, use up what its reader's address may do, or become part of an
    /// audience without reading a byte. Two fields that no page can set tell of it. `Sec-Fetch-Site` is in whatever a browser
    /// sends to https and to its own machine (Fetch Metadata). `Origin` is also sent to others, but not by an `<img>` or a
    /// `fetch` with `no-cors`; so by that alone only those requests are refused that change something or open a stream,
    /// and answers that are read are kept from the page by its browser.
    func checkOrigin(of request: Request, _ right: Right) throws(Problem) {
        if case .file = right { return }
        let origin = request.headers["origin"]
        if let origin, self.origins.contains(origin) { return }
        let isRead = request.method == .get || request.method == .head || request.method == .options
        let changes = !isRead || right.opensStream || request.headers["upgrade"] != nil
        if request.isOfAnotherOrigin {
            // A person who follows a link to a document reads it, and the page that has the link does not.
            guard !changes, request.followsLink else { throw Problem(.originNotAllowed) }
        } else if let origin, changes {
            let host = request.headers["host"]?.lowercased()
            let isOwn = host.map { ["http://" + $0, "https://" + $0].contains(origin.lowercased()) } ?? false
            guard isOwn else { throw Problem(.originNotAllowed) }
        }
    }

    /// Whoever shows no credential gets answers under no name that the public net may have, but those of allowed origins.
    ///
    /// A page of the web can make its own name mean 127.0.0.1, or any other address that its reader's browser reaches
    /// (DNS rebinding). The browser then takes the server for the page's own, lets it read, and sends no foreign `Origin`;
    /// but the name is still in `Host`. What such a page cannot have is a credential for this server.
    func checkHost(of request: Request, _ caller: Principal) throws(Problem) {
        guard caller.isAnonymous, !caller.grants.isEmpty, request.headers.hasPublicHost,
            let host = request.headers["host"]
        else { return }
        guard !["http://", "https://"].contains(where: { self.origins.contains($0 + host) }) else { return }
        throw Problem(.hostNotAllowed, "Name the origin (--allow-origin), or let everybody show a key (--access).")
    }

    /// The answer with what every answer says beside its own.
    func dressed(_ response: consuming Response, for request: Request) -> Response {
        response.secure()
        guard !self.origins.isEmpty else { return response }
        for (name, value) in self.sharing(with: request) { response.addHeader(name, value) }
        guard request.method == .options, request.headers["access-control-request-method"] != nil,
            response.headers.contains(where: { $0.name == "Access-Control-Allow-Origin" }),
            let allowed = response.headers.first(where: { $0.name == "Allow" })
        else { return response }
        response.addHeader("Access-Control-Allow-Methods", allowed.value)
        response.addHeader("Access-Control-Allow-Headers", Self.accepted)
        // Two hours are as long as Chromium remembers.
        response.addHeader("Access-Control-Max-Age", "7200")
        return response
    }

    /// The fields that let a page of another origin read an answer; none when no other origin may.
    func sharing(with request: Request) -> [(name: String, value: String)] {
        guard !self.origins.isEmpty else { return [] }
        let vary = (name: "Vary", value: "Origin")
        guard let origin = request.headers["origin"], self.origins.contains(origin) else { return [vary] }
        return [
            vary, ("Access-Control-Allow-Origin", origin), ("Access-Control-Allow-Credentials", "true"),
            ("Access-Control-Expose-Headers", Self.exposed),
        ]
    }
}

extension Request {
    /// Whether its browser says that a page of another origin sent it, or led to it.
    ///
    /// `none` is an address that a person typed, or a bookmark.
    fileprivate var isOfAnotherOrigin: Bool {
        self.headers.count(of: "sec-fetch-site") > 0 && !self.headers.isSpelled("sec-fetch-site", "same-origin")
            && !self.headers.isSpelled("sec-fetch-site", "none")
    }

    /// Whether the answer takes the place of the page that its reader sees.
    fileprivate var followsLink: Bool {
        self.headers.isSpelled("sec-fetch-mode", "navigate") && self.headers.isSpelled("sec-fetch-dest", "document")
    }
}

extension Response {
    private static let securityFields = [
        Field(name: "X-Content-Type-Options", value: "nosniff"),
        Field(name: Self.policy, value: "default-src 'none'; frame-ancestors 'none'"),
        Field(name: "Cross-Origin-Resource-Policy", value: "same-origin"),
    ]

    private static let policy = "Content-Security-Policy"

    /// Adds what keeps browsers from making anything else of the answer; a page has its own, which says more.
    mutating func secure() {
        let length = Self.policy.utf8.count
        let isPage = self.headers.contains { $0.name.utf8.count == length && $0.name == Self.policy }
        if !isPage { self.addHeaders(Self.securityFields) }
    }
}
