/// A text for people.
public enum Text: Sendable {
    /// A text that is shown as it is: never looked up or parsed (NoticeUI looks up and parses even variables).
    case raw(String)

    /// A text that is looked up in the reader's language.
    ///
    /// `text` is its rendering in the server's language when the toast was accepted (``Lexicon``). It is kept with the
    /// toast, so that a replay shows the same text after catalogs have changed.
    indirect case localized(key: String, arguments: [JSON], default: String?, text: String? = nil)

    /// The text in the server's language, for consumers without catalogs: its rendering, else the default, else the
    /// key, with the arguments filled in (NoticeUI speaks a debug text; here a consumer gets plain text only).
    public var text: String {
        switch self {
        case .raw(let text): text
        case .localized(let key, let arguments, let format, let text):
            text ?? TextFormat.fill(format ?? key, with: arguments)
        }
    }

    /// Whether the text depends on the reader's language.
    public var isLocalized: Bool {
        if case .localized = self { true } else { false }
    }
}

extension Text: Equatable {
    /// Whether a publisher sent the same; the renderings may differ.
    public static func == (one: Self, other: Self) -> Bool {
        switch (one, other) {
        case (.raw(let one), .raw(let other)):
            one.hasSameBytes(as: other)
        case (.localized(let key, let arguments, let format, _), .localized(let key2, let arguments2, let format2, _)):
            key.hasSameBytes(as: key2) && arguments == arguments2 && format.hasSameBytes(as: format2)
        default:
            false
        }
    }
}

extension Text: JSONWritable {
    /// Writes a raw text as a string, a localized one as an object with its rendering as `text`.
    public func write(to writer: inout JSONWriter) {
        switch self {
        case .raw(let text):
            writer.string(text)
        case .localized(let key, let arguments, let format, _):
            writer.object { writer in
                writer.member("key", key)
                if !arguments.isEmpty { writer.member("arguments", arguments) }
                writer.member("default", format)
                writer.member("text", self.text)
            }
        }
    }

    /// The text as a publisher would send it.
    var json: JSON {
        switch self {
        case .raw(let text): return .string(text)
        case .localized(let key, let arguments, let format, _):
            var object: JSONObject = ["key": .string(key)]
            if !arguments.isEmpty { object["arguments"] = .array(arguments) }
            object["default"] = format.map(JSON.string)
            return .object(object)
        }
    }
}

extension Issues {
    /// A raw text, or a localized one with its key; the member `text` is read only from stored documents.
    mutating func text(_ value: JSON) -> Text? {
        guard let object = value.object else {
            guard value.string != nil else { return self.refuse("A string or a localized text is expected.") }
            guard let text = self.text(value, limit: self.limits.textLength) else { return nil }
            guard self.limits.isRecord || !text.isBlank else {
                return self.refuse("The string must not be white space only.")
            }
            return .raw(text)
        }
        self.warn(ofMembersBeside: ["key", "arguments", "default", "text"], in: object)
        let key = self.member("key", of: object) { $0.text($1, limit: $0.limits.nameLength) }
        let arguments = self.member("arguments") { issues in issues.arguments(object["arguments"] ?? .array([])) }
        let format = object["default"].flatMap { value in
            self.member("default") { issues in issues.text(value, limit: issues.limits.textLength, mayBeEmpty: true) }
        }
        guard let key, let arguments else { return nil }
        let resolved = self.limits.isRecord ? object["text"]?.string : nil
        return .localized(key: key, arguments: arguments, default: format, text: resolved)
    }

    /// Arguments of a localized text: strings, numbers and truth values.
    private mutating func arguments(_ value: JSON) -> [JSON]? {
        guard let arguments = self.array(value) else { return nil }
        guard arguments.count <= self.limits.arguments else {
            return self.refuse("A text has at most \(self.limits.arguments) arguments.", past: .arguments)
        }
        for (index, argument) in arguments.enumerated() {
            self.member(String(index)) { issues in
                switch argument {
                case .bool, .integer, .double: break
                case .string: _ = issues.text(argument, limit: issues.limits.textLength, mayBeEmpty: true)
                default: issues.note("A string, a number, true or false is expected.")
                }
            }
        }
        return arguments
    }
}
