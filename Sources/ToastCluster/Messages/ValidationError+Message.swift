import ToastCore

extension ValidationError {
    /// Writes the issues; there is at least one.
    func writeMembers(to writer: inout JSONWriter) {
        writer.objects("issues", self.issues) { issue, writer in issue.writeMembers(to: &writer) }
    }

    init(_ reader: MessageReader) throws(MessageError) {
        let issues = try reader.objects("issues", ValidationIssue.init(_:))
        guard !issues.isEmpty else { throw .member("issues") }
        self.init(issues: issues)
    }
}

extension ValidationIssue {
    func writeMembers(to writer: inout JSONWriter) {
        writer.member("pointer", self.pointer)
        writer.member("detail", self.detail)
        writer.member("past", self.limit?.rawValue)
    }

    init(_ reader: MessageReader) throws(MessageError) {
        self.init(
            pointer: try reader.text("pointer"),
            detail: try reader.text("detail"),
            past: try reader.optional("past", ExceededLimit.init(rawValue:))
        )
    }
}
