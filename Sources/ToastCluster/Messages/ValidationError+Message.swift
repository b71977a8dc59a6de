import ToastCore

extension ValidationError {
    /// Writes the issues, of which there are never none.
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
            writer.member("past", self.limit?.name.rawValue)
        }
    }

    init(message json: JSON) throws(MessageError) {
        let reader = try MessageReader(json, of: "issues")
        let limit = try reader.optional("past", ExceededLimit.Name.init(rawValue:))
        self.init(
            pointer: try reader.text("pointer"),
            detail: try reader.text("detail"),
            past: limit.map(ExceededLimit.init)
        )
    }
}

extension ExceededLimit {
    fileprivate enum Name: String {
        case text, arguments, actions, webhooks, catalog
    }

    fileprivate var name: Name {
        switch self {
        case .text: .text
        case .arguments: .arguments
        case .actions: .actions
        case .webhooks: .webhooks
        case .catalog: .catalog
        }
    }

    fileprivate init(_ name: Name) {
        self =
            switch name {
            case .text: .text
            case .arguments: .arguments
            case .actions: .actions
            case .webhooks: .webhooks
            case .catalog: .catalog
            }
    }
}
