extension Lexicon {
    /// What is spoken for a toast: "error, Disk full. 3 files were not saved."
    ///
    /// The role's word, the title, the message; what is missing leaves no blank behind. The role's own title says the
    /// same as its word, so it is spoken only where the word is not.
    ///
    /// - Parameters:
    ///   - role: What the toast is about.
    ///   - title: Its title.
    ///   - message: Its message.
    ///   - hasPrefix: Whether the role's word is spoken.
    ///   - language: The language; `nil` for the one of events.
    /// - Returns: Plain text, the same for every consumer.
    public func announcement(
        role: Role,
        title: ToastTitle,
        message: Text?,
        hasPrefix: Bool = true,
        in language: LanguageTag? = nil
    ) -> String {
        let prefix = hasPrefix ? self.prefix(of: role, in: language).trimmed : ""
        let spoken: String? =
            switch title {
            case .custom(let text): self.text(text, in: language)
            case .automatic: prefix.isEmpty ? self.title(of: role, in: language) : nil
            case .none: nil
            }
        let sentences = [spoken, message.map { self.text($0, in: language) }].compactMap { $0?.trimmed }
        return ([prefix] + Self.ended(sentences.filter { !$0.isEmpty })).filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// What is spoken for the content of a toast.
    public func announcement(
        of content: ToastContent,
        hasPrefix: Bool = true,
        in language: LanguageTag? = nil
    ) -> String {
        self.announcement(
            role: content.role,
            title: content.title,
            message: content.message,
            hasPrefix: hasPrefix,
            in: language
        )
    }

    /// Ends each sentence that another follows, unless it has an end of its own.
    private static func ended(_ sentences: [String]) -> [String] {
        sentences.enumerated().map { index, sentence in
            let isLast = index == sentences.count - 1
            let hasEnd = sentence.last.map { ".!?…:;,。！？؟।".contains($0) } ?? true
            return isLast || hasEnd ? sentence : sentence + "."
        }
    }
}
