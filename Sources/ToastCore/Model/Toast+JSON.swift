extension Toast: JSONWritable {
    /// Writes the toast as it goes over the wire: the members in the order of `openapi.yaml`, absent ones left out.
    public func write(to writer: inout JSONWriter) {
        self.write(to: &writer) { _ in }
    }

    /// Writes the toast as it goes over the wire, and further members of an answer.
    public func write(to writer: inout JSONWriter, with others: (inout JSONWriter) -> Void) {
        writer.object { writer in
            writer.member("id", self.id)
            writer.member("channel", self.channel)
            writer.member("revision", self.revision)
            writer.member("state", self.state)
            self.content.writeMembers(to: &writer)
            writer.member("createdAt", self.createdAt)
            writer.member("presentedAt", self.presentedAt)
            writer.member("dismissedAt", self.dismissedAt)
            writer.member("dismissReason", self.dismissReason)
            writer.member("action", self.action)
            others(&writer)
        }
    }

    /// Reads what ``write(to:)`` wrote; throws the first invalid member.
    public init(json: JSON) throws(ValidationError) {
        let draft = try ToastDraft(json: json, limits: .none)
        let reader = RecordReader(record: json)
        self.init(
            id: try reader.read("id") { ToastID($0) },
            channel: try reader.read("channel") { ChannelName(rawValue: $0) },
            content: ToastContent(draft, Settings().effective),
            createdAt: try reader.read("createdAt") { Instant($0) }
        )
        self.revision = try reader.integer("revision")
        self.state = try reader.read("state") { ToastState(rawValue: $0) }
        self.presentedAt = try reader.optional("presentedAt") { Instant($0) }
        self.dismissedAt = try reader.optional("dismissedAt") { Instant($0) }
        self.dismissReason = try reader.optional("dismissReason") { DismissReason(rawValue: $0) }
        self.action = try reader.optional("action") { $0 }
    }
}
