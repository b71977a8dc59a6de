/// A precondition on the current state of a resource (RFC 9110 §13.1).
package struct Precondition: Sendable {
    /// The entity tags of `If-Match`; `nil` when the header is absent.
    ///
    /// An empty list matches no resource.
    package let ifMatch: [String]?

    /// The entity tags of `If-None-Match`.
    package let ifNoneMatch: [String]

    package init(ifMatch: [String]?, ifNoneMatch: [String]) {
        self.ifMatch = ifMatch
        self.ifNoneMatch = ifNoneMatch
    }

    /// Whether the condition holds for a resource's entity tag; `nil` when the resource does not exist.
    ///
    /// §13.1.1: "An origin server MUST use the strong comparison function when comparing entity tags for If-Match", so
    /// a weak tag matches nothing there; §13.1.2 compares weakly.
    package func holds(for tag: String?) -> Bool {
        guard let tag else { return self.ifMatch == nil }
        let isDemanded = self.ifMatch?.contains { $0 == "*" || $0 == tag } ?? true
        return isDemanded && !self.ifNoneMatch.contains { $0 == "*" || $0 == tag || $0 == "W/" + tag }
    }
}
