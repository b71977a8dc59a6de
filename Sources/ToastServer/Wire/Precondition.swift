import MicroHTTP

/// What a request that changes something demands of its present state (RFC 9110 §13.1).
struct Precondition: Sendable {
    /// Nil where nothing is demanded; a list of none demands what nothing has.
    private let ifMatch: [String]?
    private let ifNoneMatch: [String]

    init(_ request: Request) {
        self.ifMatch = request.headers.count(of: "if-match") > 0 ? request.headers.list("if-match") : nil
        self.ifNoneMatch = request.headers.list("if-none-match")
    }

    /// Whether the request demands nothing.
    var isAnything: Bool { self.ifMatch == nil && self.ifNoneMatch.isEmpty }

    /// What is to be said of a resource of which the demands do not hold.
    func complaint(about what: String) -> String {
        if self.ifNoneMatch.isEmpty { return "\(what) not what If-Match names." }
        return self.ifMatch == nil
            ? "\(what) what If-None-Match rules out." : "\(what) not what If-Match and If-None-Match demand."
    }

    /// Whether the request may be done while the resource has an entity tag; nil where there is no resource.
    ///
    /// §13.1.1: "An origin server MUST use the strong comparison function when comparing entity tags for If-Match", so a
    /// weak tag matches nothing there; §13.1.2 compares weakly.
    func holds(for tag: String?) -> Bool {
        guard let tag else { return self.ifMatch == nil }
        let isDemanded = self.ifMatch?.contains { $0 == "*" || $0 == tag } ?? true
        return isDemanded && !self.ifNoneMatch.contains { $0 == "*" || $0 == tag || $0 == "W/" + tag }
    }
}
