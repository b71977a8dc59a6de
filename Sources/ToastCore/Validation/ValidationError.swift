/// A limit that a document exceeds, though it would be valid under a higher one.
///
/// Messages between nodes contain the names of the cases, so they must not change.
public enum ExceededLimit: String, Hashable, Sendable {
    /// How long a text, a name or a URL may be.
    case text
    /// How many arguments a localized text may have.
    case arguments
    /// How many actions a toast may have.
    case actions
    /// How many webhooks a channel may have.
    case webhooks
    /// How many keys and languages there may be.
    case catalog
}

/// One member of a document that cannot be accepted.
public struct ValidationIssue: Hashable, Sendable {
    /// The member, as a JSON Pointer (RFC 6901); empty for the document itself.
    public let pointer: String

    /// What is wrong with it, in a sentence for the sender.
    public let detail: String

    /// The limit that it exceeds; `nil` when it is invalid under any limit.
    public let limit: ExceededLimit?

    /// An issue of a member.
    public init(pointer: String, detail: String, past limit: ExceededLimit? = nil) {
        self.pointer = pointer
        self.detail = detail
        self.limit = limit
    }

    /// The same issue in an enclosing document, where this one is at a place.
    public func inside(_ place: String) -> Self {
        Self(pointer: place + self.pointer, detail: self.detail, past: self.limit)
    }
}

/// Everything that is wrong with a document, so that the sender can correct it at once.
public struct ValidationError: Error, Equatable, Sendable {
    /// The most issues that are named; further ones are left out.
    public static let maximumIssues = 32

    /// The issues in the order of the document; never empty.
    public let issues: [ValidationIssue]

    /// An error of issues in the order of the document.
    public init(issues: [ValidationIssue]) {
        self.issues = issues
    }

    init(_ pointer: String, _ detail: String) {
        self.issues = [ValidationIssue(pointer: pointer, detail: detail)]
    }
}
