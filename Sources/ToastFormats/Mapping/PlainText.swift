import ToastCore

extension String {
    /// The text, cut to this number of code points; the last one is an ellipsis when something was cut off.
    package func cut(to count: Int) -> String {
        guard self.unicodeScalars.count > count else { return self }
        return String(String.UnicodeScalarView(self.unicodeScalars.prefix(max(0, count - 1)))) + "…"
    }

    /// The text, cut to at most this number of bytes, in whole code points; it ends with an ellipsis when it was cut.
    func cut(toBytes count: Int) -> String {
        guard self.utf8.count > count else { return self }
        var (kept, length) = (String.UnicodeScalarView(), "…".utf8.count)
        for scalar in self.unicodeScalars {
            length += scalar.utf8.count
            guard length <= count else { break }
            kept.append(scalar)
        }
        return String(kept) + "…"
    }

    /// The text of Slack's mrkdwn, or of Markdown, without its marks: `<url|x>` is `x`, `[x](url)` is `x`, `*x*` is
    /// `x`, `:rocket:` is the emoji.
    ///
    /// In plain text, only names of emoji and Slack's three escapes are replaced. Of a long text, the first
    /// `4 * limits.textLength` code points are read.
    func withoutMarkup(_ limits: Limits, isPlain: Bool = false) -> String {
        var result = MarkedText()
        // Code points, not characters: to find where one of many flags begins, a string counts those before it.
        var rest = Array(self.unicodeScalars.prefix(4 * limits.textLength))[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case _ where isPlain && scalar != ":": result.append(scalar)
            case "<":
                guard let end = Self.end(of: rest, at: ">", before: "<"), end > rest.startIndex else {
                    result.append(scalar)
                    continue
                }
                result.append(Self.reference(rest[..<end]))
                rest = rest[(end + 1)...]
            case "[":
                guard let link = Self.link(rest) else {
                    result.append(scalar)
                    continue
                }
                result.append(link.text)
                rest = link.rest
            case ":":
                guard !result.isBehindWord, let emoji = Self.emoji(rest) else {
                    result.append(scalar)
                    continue
                }
                result.append(Array(emoji.sign.unicodeScalars)[...])
                rest = emoji.rest
            case "*", "_", "~", "`":
                // A run at a time: to look for its end at each of its characters would take the square of its length.
                let others = rest.prefix { $0 == scalar }
                rest = rest[others.endIndex...]
                result.append(mark: scalar, count: others.count + 1, before: rest.first)
            default: result.append(scalar)
            }
        }
        return result.text.unescaped
    }

    /// The text that people read for `<url|label>`, `<@user>`, `<#channel|name>`, `<!here>`, and for Discord's
    /// `<:name:id>` and `<t:seconds:style>`.
    private static func reference(_ text: Scalars) -> Scalars {
        let tokens = text.split(separator: ":", omittingEmptySubsequences: false)
        if tokens.count == 3, tokens[0].isEmpty || tokens[0] == ["a"] { return [":"] + tokens[1] + [":"] }
        if tokens[0] == ["t"], tokens.count > 1, let seconds = Int64(String(String.UnicodeScalarView(tokens[1]))) {
            return Array(Instant(clampingWallClock: Double(seconds)).minutes.unicodeScalars)[...]
        }
        let parts = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
        let (target, label) = (parts[0], parts.count == 2 ? parts[1] : nil)
        switch text.first {
        case "#", "@": return target.prefix(1) + (label ?? target.dropFirst().drop { $0 == "!" || $0 == "&" })
        case "!": return label ?? ["@"] + target.dropFirst().prefix { $0 != "^" }
        // A URL. Any other text keeps its `<` and `>`, because only Slack writes them as `&lt;` and `&gt;`.
        case _ where target.contains(":") && !target.contains(" "): return label ?? target
        default: return label ?? ["<"] + text + [">"]
        }
    }

    /// The emoji whose name begins here, after its `:`; `nil` when there is none.
    private static func emoji(_ rest: Scalars) -> (sign: String, rest: Scalars)? {
        let name = rest.prefix(EmojiNames.longest + 1).prefix { $0 != ":" }
        guard rest.dropFirst(name.count).first == ":",
            let sign = EmojiNames.signs[String(String.UnicodeScalarView(name))]
        else { return nil }
        return (sign, rest.dropFirst(name.count + 1))
    }

    /// The label of a Markdown link whose `[` has been read, and what follows the link; `nil` when it is none.
    private static func link(_ rest: Scalars) -> (text: Scalars, rest: Scalars)? {
        guard let end = Self.end(of: rest, at: "]", before: "[") else { return nil }
        let behind = rest[(end + 1)...]
        guard behind.first == "(", let close = Self.end(of: behind.dropFirst(), at: ")", before: "(") else {
            return nil
        }
        return (rest[..<end], behind[(close + 1)...])
    }

    /// The first closing mark, on the same line and before any other opening one.
    ///
    /// No search goes past the next opening mark, so all of them together read the text once.
    private static func end(of rest: Scalars, at close: Unicode.Scalar, before open: Unicode.Scalar) -> Int? {
        let place = rest.firstIndex { $0 == close || $0 == open || $0.isNewline }
        return place.flatMap { rest[$0] == close ? $0 : nil }
    }

    /// The text with the three characters that Slack escapes.
    var unescaped: String {
        // The ampersand last, so that `&amp;lt;` becomes `&lt;`.
        self.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    }
}

private typealias Scalars = ArraySlice<Unicode.Scalar>

/// A text from which pairs of marks are removed: `*x*`, but not the one in `2 * 3`, `snake_case` or `rm *.log`.
private struct MarkedText {
    /// What was read; each run of marks is a piece of its own.
    private var pieces = [""]
    /// The runs of this line that have no end yet, by their mark.
    private var open: [Unicode.Scalar: (piece: Int, count: Int)] = [:]
    /// The last character, without its accents.
    private var last: Unicode.Scalar?

    var text: String { self.pieces.joined() }

    /// Whether the last character is a letter or a digit.
    var isBehindWord: Bool { self.last?.isOfWord ?? false }

    mutating func append(_ scalar: Unicode.Scalar) {
        self.pieces[self.pieces.count - 1].unicodeScalars.append(scalar)
        if !scalar.properties.isGraphemeExtend { self.last = scalar }
        if scalar.isNewline { self.open = [:] }
    }

    mutating func append(_ scalars: Scalars) {
        for scalar in scalars { self.append(scalar) }
    }

    /// Adds a run of marks, or drops it and removes the run that it closes.
    mutating func append(mark: Unicode.Scalar, count: Int, before next: Unicode.Scalar?) {
        let isBehindBlank = self.last?.properties.isWhitespace ?? true
        if let start = self.open[mark], start.count == count, !isBehindBlank, next?.isOfWord != true {
            self.pieces[start.piece] = ""
            self.open[mark] = nil
            return
        }
        if !self.isBehindWord, next?.properties.isWhitespace == false { self.open[mark] = (self.pieces.count, count) }
        self.pieces += [String(repeating: Character(mark), count: count), ""]
        self.last = mark
    }
}

extension Instant {
    /// Its minute in UTC, for people: `2026-11-21 03:28 UTC`.
    var minutes: String {
        var text = ByteBuffer(capacity: 24)
        self.spell(to: &text)
        return String(decoding: text.bytes.prefix(16), as: UTF8.self).replacing("T", with: " ") + " UTC"
    }
}

extension Unicode.Scalar {
    fileprivate var isNewline: Bool { Character(self).isNewline }

    fileprivate var isOfWord: Bool { self.properties.isAlphabetic || self.properties.numericType != nil }
}

extension JSON {
    /// The value at a JSON Pointer (RFC 6901).
    subscript(pointer pointer: String) -> JSON? {
        guard !pointer.isEmpty else { return self }
        guard pointer.hasPrefix("/") else { return nil }
        var value = self
        for token in pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            let name = String(token).replacing("~1", with: "/").replacing("~0", with: "~")
            switch value {
            case .object(let object):
                guard let member = object[name] else { return nil }
                value = member
            case .array(let values):
                // An index has no sign and no leading zero (§4).
                guard let index = Int(name), String(index) == name, values.indices.contains(index) else { return nil }
                value = values[index]
            default: return nil
            }
        }
        return value
    }
}

extension String {
    /// Whether the text is a JSON Pointer: empty or begun by `/`, and each `~` begins `~0` or `~1` (RFC 6901 §3).
    var isJSONPointer: Bool {
        guard self.isEmpty || self.hasPrefix("/") else { return false }
        let parts = self.utf8.split(separator: UInt8(ascii: "~"), omittingEmptySubsequences: false)
        return parts.dropFirst().allSatisfy { $0.first == UInt8(ascii: "0") || $0.first == UInt8(ascii: "1") }
    }
}

extension JSONObject {
    /// The text of a member; `nil` when it has none.
    func text(_ name: String) -> String? {
        guard let text = self[name]?.string?.trimmed, !text.isEmpty else { return nil }
        return text
    }
}
