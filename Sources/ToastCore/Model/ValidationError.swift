/// One member of a document that cannot be accepted.
public struct ValidationIssue: Hashable, Sendable {
    /// The member, as a JSON Pointer (RFC 6901); empty for the document itself.
    public let pointer: String

    /// What is wrong with it, in a sentence for the sender.
    public let detail: String

    /// An issue of a member.
    public init(pointer: String, detail: String) {
        self.pointer = pointer
        self.detail = detail
    }
}

/// Everything that is wrong with a document, so that the sender can mend it in one go.
public struct ValidationError: Error, Equatable, Sendable {
    /// The most issues that are named; further ones are left out.
    public static let maximumIssues = 32

    /// The issues in the order of the document; never empty.
    public let issues: [ValidationIssue]

    /// An error of issues in the order of the document.
    public init(issues: [ValidationIssue]) {
        self.issues = issues
    }

    /// An error of one issue.
    init(_ pointer: String, _ detail: String) {
        self.issues = [ValidationIssue(pointer: pointer, detail: detail)]
    }
}
