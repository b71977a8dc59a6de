import CombiningMarks
package import ToastCore

/// A message as ntfy's clients publish it (docs.ntfy.sh/publish).
package struct NtfyMessage: Sendable {
    /// The topic that the document names; `nil` when the path does.
    package private(set) var topic: String?

    /// The members that ntfy's answer repeats, under ntfy's names.
    package private(set) var echo: JSONObject = [:]

    package private(set) var toast: MappedToast

    /// Why a message, or what a reader asks for, is refused; with ntfy's own code if it has one (`server/errors.go`).
    package enum Refusal: Error, Equatable, Sendable {
        case priority
        case tags
        case delay
        case since
        case topic
        case actions(String)
        case json
        case attachment
        case text
        case invalid(ValidationError)

        /// The code and a sentence; the status is 400.
        package var answer: (code: Int, text: String) {
            switch self {
            case .priority: (40007, "invalid priority parameter")
            case .tags: (40000, "invalid request: a toast does not keep its tags, so they cannot be a filter")
            case .delay: (40004, "invalid delay parameter: unable to parse delay")
            case .since: (40008, "invalid since parameter")
            case .topic: (40009, "invalid request: topic invalid")
            case .actions(let reason): (40018, "invalid request: actions invalid; \(reason)")
            case .json: (40024, "invalid request: request body must be valid JSON")
            case .attachment: (40014, "invalid request: attachments not allowed")
            case .text: (40011, "invalid message: message must be UTF-8 encoded")
            case .invalid: (40024, "invalid request: the toast is not valid")
            }
        }
    }

    private static let longestMessage = 4096

    /// ``echo`` for a short answer: priority, sequence and time, and at most 512 bytes each of message and title.
    package var shortEcho: JSONObject {
        var echo: JSONObject = [:]
        for name in ["priority", "sequence_id", "time"] { echo[name] = self.echo[name] }
        for name in ["message", "title"] { echo[name] = self.echo[name]?.string.map { .string($0.cut(toBytes: 512)) } }
        return echo
    }

    /// Reads a message.
    ///
    /// `isDocument` says that the body is a JSON document, as at the root path. `sequence` is the sequence id that the
    /// path names; `nil` when it names none. A delay counts from now.
    ///
    /// - Throws: Why it is refused.
    package init(_ input: FormatInput, isDocument: Bool, sequence: String? = nil, at now: Instant) throws(Refusal) {
        var document: JSONObject = [:]
        if isDocument {
            guard let object = try? input.json().object else { throw .json }
            document = object
            guard let topic = document.text("topic"), ChannelName(rawValue: topic) != nil else { throw .topic }
            self.topic = topic
        }
        let fields = Fields(document: document, input: input)
        var mapping = ToastMapping(input.limits)
        var echo: JSONObject = [:]
        let text = try Self.message(input, fields, isDocument: isDocument, &mapping)
        let message = (text.isEmpty ? "triggered" : text).cut(toBytes: Self.longestMessage)
        if message.utf8.count < text.utf8.count { mapping.drop("/message", "The text is cut at 4096 bytes.") }
        mapping.message(message)
        echo["message"] = .string(message)
        if let title = fields.text(["title", "t"]) {
            mapping.title(title)
            echo["title"] = .string(title)
        }
        guard let priority = Self.priority(fields.text(["priority", "prio", "p"]) ?? "default") else { throw .priority }
        if priority != 3 { echo["priority"] = .integer(Int64(priority)) }
        let tags = fields.tags()
        if !tags.isEmpty { echo["tags"] = .array(tags.map(JSON.string)) }
        Self.look(priority, tags, &mapping)
        Self.links(fields, &mapping, &echo)
        try Self.actions(fields, &mapping, &echo)
        if let sequence = sequence ?? fields.text(["sequence-id", "sequence_id", "sid"]) {
            mapping.replace(sequence)
            echo["sequence_id"] = .string(sequence)
        }
        if let delay = fields.text(["delay", "at", "in"]) {
            guard let time = NtfyDelay.due(delay, at: now) else { throw .delay }
            mapping.set("notBefore", JSON(writing: time))
            echo["time"] = .integer(time.nanoseconds / 1_000_000_000)
        }
        Self.dropOthers(input, fields, &mapping)
        do throws(FormatError) {
            self.toast = try mapping.draft()
        } catch {
            guard case .invalidToast(let error) = error else { throw .text }
            throw .invalid(error)
        }
        self.echo = echo
    }

    private static func message(
        _ input: FormatInput,
        _ fields: Fields,
        isDocument: Bool,
        _ mapping: inout ToastMapping
    ) throws(Refusal) -> String {
        if let message = fields.text(["message", "m"]) {
            if !isDocument, !input.body.isEmpty {
                mapping.drop("/body", "The message is in a field; the body is dropped.")
            }
            // In a header field or a query a line break is written as `\n`.
            return isDocument ? message : message.replacing("\\n", with: "\n")
        }
        guard !isDocument else { return "" }
        if input.mediaType == "multipart/form-data" {
            guard let form = try? input.form(), let text = form["message"] else { throw .attachment }
            for field in form where field.name != "message" {
                mapping.drop("/" + field.name.escapedForPointer, "Only the message of a form is read.")
            }
            return text.trimmed
        }
        guard let text = String(received: input.body) else { throw fields.namesFile ? .attachment : .text }
        if fields.namesFile { mapping.drop("/filename", "A toast has no files; its text is shown.") }
        return text.trimmed
    }

    /// The priority that a number or a name says, 1 to 5; nil if it is neither.
    package static func priority(_ text: String) -> Int? {
        switch text.trimmed.lowercased() {
        case "1", "min": 1
        case "2", "low": 2
        case "0", "", "3", "default": 3
        case "4", "high": 4
        case "5", "max", "urgent": 5
        default: nil
        }
    }

    /// Sets role, duration and haptic by tags and priority, and adds the other tags to the texts.
    private static func look(_ priority: Int, _ tags: [String], _ mapping: inout ToastMapping) {
        let roles: [String: Role] = [
            "rotating_light": .error, "red_circle": .error, "x": .error, "warning": .warning,
            "white_check_mark": .success, "green_circle": .success, "tada": .success,
        ]
        let byPriority: Role = priority == 5 ? .error : priority == 4 ? .warning : .info
        let byTag = tags.compactMap { roles[$0] }.first
        mapping.role(byTag ?? byPriority)
        if priority == 5 { mapping.set("duration", "indefinite") }
        if priority < 3 {
            mapping.set("duration", "short")
            mapping.set("haptic", "none")
        }
        // As ntfy's own apps do it: a tag that is an emoji comes before the title, any other is listed below the text.
        let (emoji, others) = tags.filter { roles[$0] == nil }.reduce(into: ([String](), [String]())) { lists, tag in
            if let sign = EmojiNames.signs[tag] { lists.0.append(sign) } else { lists.1.append(tag) }
        }
        if !emoji.isEmpty {
            let name = mapping.members["title"] == nil ? "message" : "title"
            let text = emoji.joined(separator: " ") + " " + (mapping.members[name]?.string ?? "")
            if name == "title" { mapping.title(text) } else { mapping.message(text) }
        }
        if !others.isEmpty {
            mapping.message((mapping.members["message"]?.string ?? "") + "\n" + others.joined(separator: ", "))
        }
    }

    private static func links(_ fields: Fields, _ mapping: inout ToastMapping, _ echo: inout JSONObject) {
        if let click = fields.text(["click"]) {
            mapping.link(click, at: "/click")
            echo["click"] = .string(click)
        }
        if let icon = fields.text(["icon"]) {
            mapping.icon(icon, at: "/icon")
            echo["icon"] = .string(icon)
        }
        guard let url = fields.text(["attach", "a"]) else { return }
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let lowercasePath = path.lowercased()
        let name = fields.text(["filename", "file", "f"])
        if [".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".svg"].contains(where: lowercasePath.hasSuffix) {
            mapping.image(url, name, at: "/attach")
        } else {
            mapping.drop("/attach", "Only an image can be shown; it is dropped.")
        }
        echo["attachment"] = .object([
            "name": .string(name ?? Self.fileName(inPath: path)),
            "url": .string(url),
        ])
    }

    /// The file name in a URL's path: its last segment, or `attachment` when there is none.
    package static func fileName(inPath path: some StringProtocol) -> String {
        // Decoded before it is split, so that no name has a slash.
        let path = String(decoding: path.utf8.percentDecoded, as: UTF8.self)
        return path.split(separator: "/").last.map(String.init) ?? "attachment"
    }

    private static func actions(
        _ fields: Fields,
        _ mapping: inout ToastMapping,
        _ echo: inout JSONObject
    ) throws(Refusal) {
        let actions: [NtfyAction]
        if let values = fields.document["actions"]?.array {
            actions = try NtfyAction.list(values)
        } else if let text = fields.header(["actions", "action"]) {
            actions = try NtfyAction.list(text)
        } else {
            return
        }
        guard actions.count <= 3 else { throw .actions("only 3 actions allowed") }
        for (index, action) in actions.enumerated() {
            if action.kind == "view" {
                mapping.action(action.label, action.url, at: "/actions/\(index)/url", dismisses: action.clears)
            } else {
                mapping.drop("/actions/\(index)", "Only view actions can be shown; it is dropped.")
            }
        }
        if !actions.isEmpty { echo["actions"] = .array(actions.map(\.echo)) }
    }

    private static func dropOthers(_ input: FormatInput, _ fields: Fields, _ mapping: inout ToastMapping) {
        let flag = (fields.text(["markdown", "md"]) ?? "").lowercased()
        let isMarkdown = input.mediaType == "text/markdown" || ["1", "true", "yes"].contains(flag)
        if isMarkdown { mapping.drop("/markdown", "The text is shown as it is.") }
        if fields.text(["email", "e-mail", "mail", "e"]) != nil { mapping.drop("/email", "No mail is sent.") }
        if fields.text(["template", "tpl"]) != nil { mapping.drop("/template", "Templates are not filled in.") }
        if fields.text(["call"]) != nil { mapping.drop("/call", "No phone is called.") }
    }

    /// The values of a message: those of the document, else of a header field, else of the query.
    struct Fields {
        let document: JSONObject
        let input: FormatInput

        /// Whether the body is a file with a name; beside `attach`, the name belongs to the URL.
        var namesFile: Bool { self.text(["filename", "file", "f"]) != nil && self.text(["attach", "a"]) == nil }

        func text(_ names: [String]) -> String? {
            for name in names {
                if let value = self.document[name]?.readable?.trimmed, !value.isEmpty { return value }
            }
            return self.header(names)
        }

        func header(_ names: [String]) -> String? {
            for name in names.flatMap({ ["x-" + $0, $0] }) {
                if let value = self.input.field(name)?.trimmed, !value.isEmpty, !Self.isOfHTTP(value, name) {
                    return value.withoutEncodedWords
                }
                let item = self.input.query.first { $0.name.lowercased() == name }?.value.trimmed
                if let item, !item.isEmpty { return item }
            }
            return nil
        }

        /// Whether a field is the `Priority` of RFC 9218, which browsers and proxies send.
        private static func isOfHTTP(_ value: String, _ name: String) -> Bool {
            name == "priority" && (value.hasPrefix("u=") || value == "i" || value.hasPrefix("i,"))
        }

        func tags() -> [String] {
            if let values = self.document["tags"]?.array { return values.compactMap(\.string) }
            let text = self.text(["tags", "tag", "ta"]) ?? ""
            return text.split(separator: ",").map { String($0).trimmed }.filter { !$0.isEmpty }
        }
    }
}
