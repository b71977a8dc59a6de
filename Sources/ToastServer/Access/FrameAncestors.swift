import ToastCore

/// Pages that may show the server's own pages in a frame: the `frame-ancestors` of their policy.
package struct FrameAncestors: Hashable, Sendable {
    /// The directive's value.
    let sources: String

    package static let none = Self(sources: "'none'")

    private init(sources: String) {
        self.sources = sources
    }

    /// Reads `none`, or `self` and origins with commas between; `nil` when the text is neither.
    package init?(_ text: String) {
        let words = text.split(separator: ",").map { String($0.withoutBlanks) }
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
