import ToastCore

/// An action of an ntfy message: JSON, or the short form `view, Open, https://…; http, Close, https://…`.
struct NtfyAction {
    let kind: String
    let label: String
    let url: String
    let clears: Bool

    /// The action in ntfy's answer.
    var echo: JSON {
        var object: JSONObject = [
            "id": .string((self.kind + self.label + self.url).sha256.cut(to: 11).filter { $0 != "…" }),
            "action": .string(self.kind), "label": .string(self.label), "clear": .bool(self.clears),
        ]
        if !self.url.isEmpty { object["url"] = .string(self.url) }
        return .object(object)
    }

    private static let kinds: Set = ["view", "http", "broadcast", "copy"]

    static func list(_ values: [JSON]) throws(NtfyMessage.Refusal) -> [Self] {
        try values.map { value throws(NtfyMessage.Refusal) in
            guard let object = value.object else { throw .actions("an object is expected") }
            let clears = object["clear"]?.bool ?? (object["clear"]?.string == "true")
            return try Self(object.text("action") ?? "", object.text("label") ?? "", object.text("url") ?? "", clears)
        }
    }

    /// The actions of a header field.
    static func list(_ text: String) throws(NtfyMessage.Refusal) -> [Self] {
        if text.hasPrefix("[") {
            guard let values = try? JSON(parsing: Array(text.utf8)).array else { throw .actions("JSON is expected") }
            return try Self.list(values)
        }
        var actions: [Self] = []
        for part in try Self.parts(of: text) where !part.allSatisfy(\.isEmpty) {
            var (positions, named): ([String], [String: String]) = ([], [:])
            for item in part {
                let halves = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let name = String(halves[0]).trimmed.lowercased()
                let isNamed =
                    halves.count == 2
                    && (["action", "label", "url", "method", "body", "intent", "clear", "value"].contains(name)
                        || name.hasPrefix("headers.") || name.hasPrefix("extras."))
                if isNamed { named[name] = String(halves[1]).trimmed } else { positions.append(item) }
            }
            func value(_ name: String, _ position: Int) -> String {
                named[name] ?? (positions.indices.contains(position) ? positions[position] : "")
            }
            let clears = ["true", "yes", "1"].contains(named["clear"]?.lowercased())
            actions.append(try Self(value("action", 0), value("label", 1), value("url", 2), clears))
        }
        return actions
    }

    private init(_ kind: String, _ label: String, _ url: String, _ clears: Bool) throws(NtfyMessage.Refusal) {
        guard Self.kinds.contains(kind.lowercased()) else {
            throw .actions("parameter 'action' cannot be '\(kind.cut(to: 32))'")
        }
        guard !label.isEmpty else { throw .actions("parameter 'label' is required") }
        guard !url.isEmpty || !["view", "http"].contains(kind.lowercased()) else {
            throw .actions("parameter 'url' is required for action '\(kind.lowercased())'")
        }
        (self.kind, self.label, self.url, self.clears) = (kind.lowercased(), label, url, clears)
    }

    /// The short form's actions, each with its parts; a part may be quoted, and `\` escapes in quotes.
    private static func parts(of text: String) throws(NtfyMessage.Refusal) -> [[String]] {
        var (actions, parts, part): ([[String]], [String], String) = ([], [], "")
        var (quote, isEscaped): (Character?, Bool) = (nil, false)
        func finish() {
            parts.append(part.trimmed)
            part = ""
        }
        for character in text {
            if isEscaped {
                part.append(character)
                isEscaped = false
            } else if let open = quote {
                if character == "\\" {
                    isEscaped = true
                } else if character == open {
                    quote = nil
                } else {
                    part.append(character)
                }
            } else if character == "\"" || character == "'" {
                // Only at the beginning of a part or of a value: elsewhere it is an apostrophe.
                if part.allSatisfy(\.isWhitespace) || part.hasSuffix("=") {
                    quote = character
                } else {
                    part.append(character)
                }
            } else if character == "," {
                finish()
            } else if character == ";" || character == "\n" {
                finish()
                actions.append(parts)
                parts = []
            } else {
                part.append(character)
            }
        }
        guard quote == nil else { throw .actions("unexpected end of input, closing quote missing") }
        finish()
        actions.append(parts)
        return actions
    }
}
