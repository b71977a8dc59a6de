extension ToastDraft {
    /// Writes what the publisher set, and nothing else, for ``init(record:)``, which gives exactly this draft.
    ///
    /// It is for a draft that was read from a publisher: that of a toast's content would lose its renderings.
    package func writeRecord(to writer: inout JSONWriter) {
        writer.object { writer in
            if self.role != .info { writer.member("role", self.role) }
            if let text = self.title.text {
                writer.member("title", text.json)
            } else if !self.isTitleOpen {
                writer.member("title", self.title)
            }
            writer.member("message", self.message?.json)
            writer.member("style", self.style)
            writer.member("placement", self.placement)
            writer.member("duration", self.duration)
            writer.member("haptic", self.haptic)
            if case .full = self.box { self.writeDetails(to: &writer) }
            if self.replacesPresent { writer.member(named: DraftReader.presence, WhenPresent.replace.rawValue) }
        }
    }

    private func writeDetails(to writer: inout JSONWriter) {
        for member in ToastMember.all where member.name != "actions" { member.writeDetail?(self.box, &writer) }
        guard !self.box.actions.isEmpty else { return }
        writer.array("actions") { writer in
            for action in self.box.actions {
                action.write(to: &writer) { title, writer in title.json.write(to: &writer) }
            }
        }
    }

    /// Reads what ``writeRecord(to:)`` wrote; throws everything that is wrong with it.
    package init(record json: JSON) throws(ValidationError) {
        try self.init(json: json, limits: .none)
    }
}
