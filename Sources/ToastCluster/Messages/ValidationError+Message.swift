import ToastCore

extension ValidationError {
    /// Writes the issues; there is at least one.
    func writeMembers(to writer: inout JSONWriter) {
        writer.list("issues", self.issues) { issue, writer in issue.write(to: &writer) }
    }

    init(_ reader: MessageReader) throws(MessageError) {
        let issues = try reader.list("issues", ValidationIssue.init(message:))
        guard !issues.isEmpty else { throw .member("issues") }
        self.init(issues: issues)
    }
}

extension ValidationIssue {
    /// Writes `{"pointer", "detail", "past"}`.
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("pointer", self.pointer)
            writer.member("detail", self.detail)
            writer.member("past", self.limit?.rawValue)
        }
    }

    init(message json: JSON) throws(MessageError) {
        let reader = try MessageReader(json, of: "issues")
        self.init(
            pointer: try reader.text("pointer"),
            detail: try reader.text("detail"),
            past: try reader.optional("past", ExceededLimit.init(rawValue:))
        )
    }
}
