extension ToastDraft {
    /// Writes the draft for ``init(record:)``, which gives exactly this one: what its publisher set, and nothing else.
    ///
    /// It is what a publisher sends, except that texts keep their rendering, and that two members are added where the
    /// draft was changed after it was read: `titleOpen` and `waitClosed`.
    package func writeRecord(to writer: inout JSONWriter) {
        writer.object { writer in
            if self.role != .info { writer.member("role", self.role) }
            self.writeTitle(to: &writer)
            if let message = self.message {
                writer.name("message")
                message.writeRecord(to: &writer)
            }
            writer.member("style", self.style)
            writer.member("placement", self.placement)
            writer.member("duration", self.duration)
            writer.member("haptic", self.haptic)
            if case .full = self.box { self.writeDetails(to: &writer) }
            if self.replacesPresent { writer.member(named: DraftReader.presence, WhenPresent.replace.rawValue) }
            if !self.isWaitOpen { writer.member("waitClosed", true) }
        }
    }

    private func writeTitle(to writer: inout JSONWriter) {
        guard !self.isTitleOpen || self.title != .automatic else { return }
        writer.name("title")
        if let text = self.title.text { text.writeRecord(to: &writer) } else { self.title.write(to: &writer) }
        if self.isTitleOpen { writer.member("titleOpen", true) }
    }

    private func writeDetails(to writer: inout JSONWriter) {
        for member in ToastMember.all where member.name != "actions" { member.writeDetail?(self.box, &writer) }
        guard !self.box.actions.isEmpty else { return }
        writer.array("actions") { writer in
            for action in self.box.actions {
                action.write(to: &writer) { title, writer in title.writeRecord(to: &writer) }
            }
        }
    }

    /// Reads what ``writeRecord(to:)`` wrote; throws everything that is wrong with it.
    package init(record json: JSON) throws(ValidationError) {
        self = try Self(json: json, limits: .none)
        if json["titleOpen"] == true { self.isTitleOpen = true }
        if json["waitClosed"] == true { self.isWaitOpen = false }
    }
}

extension Text {
    /// Writes the text as its publisher sent it, with its rendering if it has one.
    fileprivate func writeRecord(to writer: inout JSONWriter) {
        if case .localized(_, _, _, nil) = self { self.json.write(to: &writer) } else { self.write(to: &writer) }
    }
}
