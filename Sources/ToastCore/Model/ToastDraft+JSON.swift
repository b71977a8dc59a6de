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
            if case .full(let details) = self.box { details.writeRecord(to: &writer) }
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

    /// Reads what ``writeRecord(to:)`` wrote; throws everything that is wrong with it.
    package init(record json: JSON) throws(ValidationError) {
        self = try Self(json: json, limits: .none)
        if json["titleOpen"] == true { self.isTitleOpen = true }
        if json["waitClosed"] == true { self.isWaitOpen = false }
    }
}

extension ToastDetails {
    fileprivate func writeRecord(to writer: inout JSONWriter) {
        writer.member("align", self.align)
        writer.member("icon", self.icon)
        if !self.actions.isEmpty {
            writer.member(
                "actions",
                array: { writer in
                    for action in self.actions {
                        action.write(to: &writer) { title, writer in title.writeRecord(to: &writer) }
                    }
                }
            )
        }
        writer.member("progress", self.progress)
        writer.member("image", self.image)
        writer.member("link", self.link)
        writer.member("reuseIdentifier", self.reuseIdentifier)
        if self.requiresInteraction { writer.member("requiresInteraction", true) }
        writer.member("dimsBackground", self.dimming)
        writer.member("appearance", self.appearance)
        writer.member("expiresAfter", self.expiresAfter)
        writer.member("notBefore", self.notBefore)
        writer.member("data", self.data)
    }
}

extension Text {
    /// Writes the text as ``write(to:)`` does, but a rendering only if there is one: who reads it makes the others.
    fileprivate func writeRecord(to writer: inout JSONWriter) {
        guard case .localized(let key, let arguments, let format, nil) = self else { return self.write(to: &writer) }
        writer.object { writer in
            writer.member("key", key)
            if !arguments.isEmpty { writer.member("arguments", arguments) }
            writer.member("default", format)
        }
    }
}
