extension Lexicon {
    /// An event with its toast's texts and announcement in a language; `nil` when it is the same in all languages.
    public func translated(_ event: Event, to language: LanguageTag) -> Event? {
        let kind: Event.Kind
        switch event.kind {
        case .enqueued(let toast):
            guard toast.content.hasLocalizedText else { return nil }
            kind = .enqueued(self.translated(toast, to: language))
        case .presented(let toast, var presentation):
            let announcement = self.announcement(presentation.announcement, of: toast, in: language)
            guard toast.content.hasLocalizedText || announcement != presentation.announcement else { return nil }
            presentation.announcement = announcement
            kind = .presented(self.translated(toast, to: language), presentation)
        case .updated(let toast, var update):
            let announcement = self.announcement(update.announcement, of: toast, in: language)
            guard toast.content.hasLocalizedText || announcement != update.announcement else { return nil }
            update.announcement = announcement
            kind = .updated(self.translated(toast, to: language), update)
        case .acted, .dismissed, .held, .released, .configured:
            return nil
        }
        return Event(offset: event.offset, at: event.at, kind: kind)
    }

    /// A stored envelope in a language; `nil` when it is the same in all languages, or invalid.
    public func translated(envelope: [UInt8], to language: LanguageTag) -> [UInt8]? {
        // The epoch is the one in which the event happened, which may be a former one.
        guard let json = try? JSON(stored: envelope), let event = try? Event(json: json),
            let channel = json["channel"]?.string.flatMap(ChannelName.init(rawValue:)),
            let cursor = json["cursor"]?.string.flatMap({ Cursor($0) }),
            let translated = self.translated(event, to: language)
        else { return nil }
        var writer = JSONWriter(capacity: envelope.count + 64)
        translated.write(to: &writer, channel: channel, epoch: cursor.epoch)
        return writer.bytes
    }

    /// An announcement in another language.
    ///
    /// An event does not tell whether its channel speaks the role's word; its announcement shows it.
    private func announcement(_ spoken: String?, of toast: Toast, in language: LanguageTag) -> String? {
        guard let spoken else { return nil }
        let hasPrefix = spoken != self.announcement(of: toast.content, hasPrefix: false)
        return self.announcement(of: toast.content, hasPrefix: hasPrefix, in: language)
    }
}
