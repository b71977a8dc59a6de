import ToastAccess
import ToastCore
import ToastHub

extension PublishRequest {
    /// Writes all but the key's fingerprint, which is a run.
    func writeMembers(to writer: inout JSONWriter) {
        writer.array("drafts") { writer in
            for draft in self.drafts { draft.writeRecord(to: &writer) }
        }
        writer.list("ids", self.ids)
        guard let request = self.key else { return }
        writer.object("key") { writer in
            writer.member("owner", request.key.owner)
            writer.member("text", request.key.text)
        }
        request.form.writeMembers(to: &writer)
    }

    init(_ parts: MessageParts) throws(MessageError) {
        let head = parts.head
        let drafts = try head.list("drafts") { json throws(MessageError) in
            try MessageError.inside("drafts") { () throws(ValidationError) in try ToastDraft(record: json) }
        }
        let ids = try head.texts("ids") { ToastID($0) }
        guard ids.isEmpty || ids.count == drafts.count else { throw .member("ids") }
        guard head.object["key"] != nil else {
            self.init(drafts, ids: ids)
            return
        }
        let reader = try head.reader("key")
        let key = IdempotentRequest(
            key: IdempotencyKey(try reader.text("text"), of: try reader.text("owner")),
            fingerprint: try parts.onlyRun(),
            form: try AnswerForm(head)
        )
        self.init(drafts, ids: ids, key: key)
    }
}

extension AnswerForm {
    /// Writes the members that differ from the defaults of ``AnswerForm``.
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        if self.shape != .toast { writer.member("shape", self.shape.rawValue) }
        writer.flag("isMinimal", self.isMinimal)
        if self.reader != .withoutPermissions {
            writer.object("reader") { writer in self.reader.writeMembers(to: &writer) }
        }
        writer.member("language", self.language)
        writer.list("warnings", self.warnings)
    }

    fileprivate init(_ head: MessageReader) throws(MessageError) {
        self.init()
        self.shape = try head.optional("shape", Shape.init(rawValue:)) ?? .toast
        self.isMinimal = try head.flag("isMinimal")
        if head.object["reader"] != nil { self.reader = try Principal(head.reader("reader")) }
        self.language = try head.optional("language", LanguageTag.init(rawValue:))
        self.warnings = try head.objects("warnings", Warning.init(_:))
    }
}

extension Warning {
    fileprivate init(_ reader: MessageReader) throws(MessageError) {
        self.init(
            pointer: try reader.text("pointer"),
            detail: try reader.text("detail"),
            ratio: reader.object["ratio"]?.number
        )
    }
}

extension Principal {
    /// Writes the name, the grants and the expiry.
    ///
    /// The generation of the access file is left out, because each node counts its own.
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("name", self.name)
        writer.objects("grants", self.grants) { grant, writer in
            writer.list("scopes", Scope.allCases.filter(grant.scopes.contains).map(\.rawValue))
            writer.list("channels", grant.channels.map(\.rawValue))
        }
        writer.member("expires", self.expires?.nanoseconds)
    }

    fileprivate convenience init(_ reader: MessageReader) throws(MessageError) {
        let grants = try reader.objects("grants") { grant throws(MessageError) in
            Grant(
                Set(try grant.texts("scopes", Scope.init(rawValue:))),
                on: try grant.texts("channels", ChannelPattern.init(rawValue:))
            )
        }
        let expires = reader.object["expires"] == nil ? nil : try reader.instant("expires")
        self.init(name: try reader.text("name"), grants: grants, expires: expires)
    }
}
