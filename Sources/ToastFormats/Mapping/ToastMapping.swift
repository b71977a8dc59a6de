import CombiningMarks
package import ToastCore

/// Collects the members of a toast from another system's message.
///
/// Whatever the sender posts, its members are valid: a text that is too long is cut, and what no toast can have is
/// dropped, each with a warning. Only a toast without a text, or with invalid defaults, is refused.
package struct ToastMapping: Sendable {
    /// The members, as a publisher sends them.
    package private(set) var members: JSONObject = [:]

    /// Warnings about what was cut or dropped, with JSON Pointers into the sender's document.
    package private(set) var warnings: [Warning] = []

    let limits: Limits

    init(_ limits: Limits) {
        self.limits = limits
    }

    /// Notes that something of the sender's document is not in the toast.
    mutating func drop(_ pointer: String, _ detail: String) {
        guard self.warnings.count < ValidationError.maximumIssues else { return }
        self.warnings.append(Warning(pointer: pointer, detail: detail))
    }

    /// Notes the members of an object that this format does not know how to show.
    mutating func drop(membersOf object: JSONObject, beside known: Set<String>, at place: String = "") {
        for (name, value) in object where !known.contains(name) && value != .null {
            self.drop(place + "/" + name.escapedForPointer, "A toast has nothing to show it with; it is dropped.")
        }
    }

    /// Notes which of these members of an object are no texts, so that nothing can be read from them.
    mutating func drop(membersOf object: JSONObject, withoutTextIn names: [String]) {
        for name in names {
            guard let value = object[name], value != .null, value.string == nil else { continue }
            self.drop("/" + name.escapedForPointer, "A text is expected; it is dropped.")
        }
    }

    /// Notes the files of a form.
    mutating func drop(filesOf fields: [FormField]?) {
        for field in fields ?? [] where field.isFile {
            self.drop("/" + field.name.escapedForPointer, "A toast has no files; it is dropped.")
        }
    }

    mutating func set(_ name: String, _ value: JSON) { self.members[name] = value }

    mutating func role(_ role: Role) { self.set("role", .string(role.rawValue)) }

    mutating func title(_ text: String?, at pointer: String = "/title") { self.text("title", text, at: pointer) }

    mutating func message(_ text: String?, at pointer: String = "/message") { self.text("message", text, at: pointer) }

    private mutating func text(_ name: String, _ text: String?, at pointer: String) {
        guard let text = text?.trimmed, !text.isEmpty else { return }
        guard !text.hasTooManyMarks else {
            return self.drop(pointer, "It has too many combining marks in a row; it is dropped.")
        }
        let cut = text.cut(to: self.limits.textLength)
        if cut.unicodeScalars.count < text.unicodeScalars.count {
            self.drop(pointer, "The text is cut at \(self.limits.textLength) characters.")
        }
        self.set(name, .string(cut))
    }

    /// What a tap on the toast opens.
    mutating func link(_ url: String?, at pointer: String) {
        if let url = self.url(url, at: pointer) { self.set("link", .string(url)) }
    }

    mutating func image(_ url: String?, _ alternative: String? = nil, at pointer: String) {
        guard let url = self.url(url, at: pointer) else { return }
        var image: JSONObject = ["url": .string(url)]
        if let alternative = alternative?.trimmed, !alternative.isEmpty {
            image["alt"] = .string(alternative.cut(to: self.limits.textLength))
        }
        self.set("image", .object(image))
    }

    /// A picture in place of the role's icon; its URL must be https, or a path at this server.
    mutating func icon(_ url: String?, at pointer: String) {
        guard let url = self.url(url, at: pointer) else { return }
        guard let link = Link(rawValue: url), link.isSecure || link.isPath else {
            return self.drop(pointer, "An icon has an https URL; it is dropped.")
        }
        self.set("icon", .string(url))
    }

    /// A button that opens a page.
    mutating func action(_ title: String?, _ url: String?, at pointer: String, dismisses: Bool? = nil) {
        var actions = self.members["actions"]?.array ?? []
        guard actions.count < self.limits.actions else {
            return self.drop(pointer, "A toast has at most \(self.limits.actions) actions; it is dropped.")
        }
        guard let url = self.url(url, at: pointer) else { return }
        let text = (title ?? "").trimmed
        var action: JSONObject = [
            "id": .string("open-\(actions.count + 1)"), "title": .string(text.isEmpty ? "Open" : text.cut(to: 100)),
            "url": .string(url),
        ]
        if let dismisses { action["dismisses"] = .bool(dismisses) }
        actions.append(.object(action))
        self.set("actions", .array(actions))
    }

    /// Sets a reuse identifier, hashed if it is too long; the toast then replaces one that has it and has not ended.
    mutating func replace(_ identifier: String) {
        self.set("reuseIdentifier", .string(identifier.reuseIdentifier(within: self.limits)))
        self.set("whenPresent", .string(WhenPresent.replace.rawValue))
    }

    private mutating func url(_ url: String?, at pointer: String) -> String? {
        guard let url = url?.trimmed, !url.isEmpty else { return nil }
        guard url.unicodeScalars.count <= self.limits.urlLength, let link = Link(rawValue: url),
            !link.hasUserInformation
        else {
            self.drop(pointer, "An http or https URL without a user's name is expected; it is dropped.")
            return nil
        }
        return url
    }

    /// The toast with all warnings; `defaults` are members for what the sender's document leaves open.
    ///
    /// - Throws: `noText`, or `invalidToast` when the defaults are not valid.
    package consuming func draft(over defaults: JSONObject = [:]) throws(FormatError) -> MappedToast {
        var members = defaults
        for (name, value) in self.members { members[name] = value }
        guard members["title"] != nil || members["message"] != nil else { throw .noText }
        if members["reuseIdentifier"] == nil { members["whenPresent"] = nil }
        var warnings = self.warnings
        do throws(ValidationError) {
            let draft = try ToastDraft(json: .object(members), limits: self.limits, adding: &warnings)
            return MappedToast(draft: draft, warnings: warnings)
        } catch {
            throw .invalidToast(error)
        }
    }
}

/// A toast that was made of another system's message.
package struct MappedToast: Sendable {
    package let draft: ToastDraft

    /// Warnings about parts of the message that are not in the toast.
    package let warnings: [Warning]

    package init(draft: ToastDraft, warnings: [Warning]) {
        self.draft = draft
        self.warnings = warnings
    }

    /// The toast in an object that may have been written for other readers, too.
    ///
    /// Members that no toast can have are dropped, each with a warning.
    init(foreign members: JSONObject, over defaults: JSONObject = [:], _ limits: Limits) throws(FormatError) {
        // The defaults are few, and the members may be many thousands.
        var all = members
        for (name, value) in defaults where members[name] == nil { all[name] = value }
        if all["reuseIdentifier"] == nil, members["whenPresent"] == nil { all["whenPresent"] = nil }
        var warnings: [Warning] = []
        // More than once, because an error names only so many issues, and one member may have them all.
        while true {
            do throws(ValidationError) {
                let draft = try ToastDraft(json: .object(all), limits: limits, adding: &warnings)
                self.init(draft: draft, warnings: warnings)
                return
            } catch {
                let count = all.count
                for issue in error.issues {
                    let name = String(issue.pointer.dropFirst().prefix { $0 != "/" })
                    guard name != "message", name != "title", all[name] != nil else { continue }
                    all[name] = nil
                    warnings.append(Warning(pointer: issue.pointer, detail: issue.detail + " It is dropped."))
                }
                guard all.count < count else { throw .invalidToast(error) }
            }
        }
    }
}

extension String {
    /// The `reuseIdentifier` for a sender's identifier: the text itself, or its SHA-256 in hexadecimal digits when it
    /// is longer than a `reuseIdentifier` may be.
    ///
    /// A hash, because cutting would make different identifiers equal.
    package func reuseIdentifier(within limits: Limits) -> String {
        guard self.unicodeScalars.count > limits.nameLength else { return self }
        // The limit may be lower than 64.
        return String(self.sha256.prefix(limits.nameLength))
    }
}

extension JSONObject {
    /// Whether it has a message or a title as toasts have them: a text, or a key of a catalog.
    var hasToastText: Bool {
        [self["message"], self["title"]].contains { $0?.string != nil || $0?["key"]?.string != nil }
    }
}
