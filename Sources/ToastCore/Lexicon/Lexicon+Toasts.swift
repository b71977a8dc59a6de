extension Lexicon {
    /// A draft whose localized texts contain their rendering in the default language.
    ///
    /// An existing rendering is kept, so that what was shown stays as it was.
    public func resolved(_ draft: ToastDraft) -> ToastDraft {
        self.mapping(draft) { text in
            guard case .localized(let key, let arguments, let format, nil) = text else { return text }
            return .localized(key: key, arguments: arguments, default: format, text: self.text(text))
        }
    }

    /// Content whose localized texts contain their rendering, as in ``resolved(_:)-(ToastDraft)``.
    public func resolved(_ content: ToastContent) -> ToastContent {
        guard content.hasLocalizedText else { return content }
        return ToastContent(self.resolved(content.draft), Settings().effective)
    }

    /// A toast in a language: the `text` of its localized texts is in that language.
    ///
    /// In the default language these are the texts of the toast's events, so that all readers see the same.
    public func translated(_ toast: Toast, to language: LanguageTag) -> Toast {
        guard toast.content.hasLocalizedText else { return toast }
        let named = language == self.defaultLanguage ? nil : language
        let draft = self.mapping(toast.content.draft) { text in
            guard case .localized(let key, let arguments, let format, _) = text else { return text }
            return .localized(key: key, arguments: arguments, default: format, text: self.text(text, in: named))
        }
        var toast = toast
        toast.content = ToastContent(draft, Settings().effective)
        return toast
    }

    private func mapping(_ draft: ToastDraft, _ change: (Text) -> Text) -> ToastDraft {
        var draft = draft
        if let title = draft.title.text { draft.title = .custom(change(title)) }
        draft.message = draft.message.map(change)
        if draft.details.actions.contains(where: \.title.isLocalized) {
            draft.details.actions = draft.details.actions.map { $0.with(title: change($0.title)) }
        }
        return draft
    }
}

extension ToastContent {
    /// Whether any of its texts depends on the reader's language.
    public var hasLocalizedText: Bool {
        self.title.text?.isLocalized == true || self.message?.isLocalized == true
            || self.box.hasLocalizedAction
    }
}
