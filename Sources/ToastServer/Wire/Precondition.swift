import MicroHTTP

/// What a request that changes something demands of its present state (RFC 9110 §13.1).
struct Precondition: Sendable {
    private let ifMatch: [String]
    private let ifNoneMatch: [String]

    init(_ request: Request) {
        self.ifMatch = request.headers.list("if-match")
        self.ifNoneMatch = request.headers.list("if-none-match")
    }

    /// Whether the request may be done while the resource, which exists, has an entity tag.
    ///
    /// §13.1.1: "An origin server MUST use the strong comparison function when comparing entity tags for If-Match", so a
    /// weak tag matches nothing there; §13.1.2 compares weakly.
    func holds(for tag: String) -> Bool {
        let isDemanded = self.ifMatch.isEmpty || self.ifMatch.contains { $0 == "*" || $0 == tag }
        return isDemanded && !self.ifNoneMatch.contains { $0 == "*" || $0 == tag || $0 == "W/" + tag }
    }
}
