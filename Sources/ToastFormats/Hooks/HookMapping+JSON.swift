package import ToastCore

extension HookMapping {
    /// The most roles of a mapping.
    private static let mostRoles = 64

    private static let members = ["format", "defaults", "pointers", "roles", "signingSecret"]

    /// Reads the document that a person sends: unknown members are errors, so that a misspelt one is not ignored.
    ///
    /// - Throws: Everything that is wrong with it.
    package init(json: JSON, limits: Limits) throws(ValidationError) {
        try self.init(json, limits, isRecord: false)
    }

    private init(_ json: JSON, _ limits: Limits, isRecord: Bool) throws(ValidationError) {
        guard let object = json.object else {
            throw ValidationError(issues: [ValidationIssue(pointer: "", detail: "An object is expected.")])
        }
        var issues: [ValidationIssue] = []
        let names = HookFormat.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        let format = object["format"]?.string.flatMap(HookFormat.init)
        if format == nil { issues.note("/format", "One of \(names) is expected.") }
        self.init(format ?? .json)
        for (name, _) in object where !Self.members.contains(name) {
            issues.note("/" + name.escapedForPointer, "A hook has no such member.")
        }
        self.readDefaults(object["defaults"] ?? .null, limits, &issues)
        self.readPointers(object["pointers"] ?? .null, isRecord: isRecord, &issues)
        self.readRoles(object["roles"] ?? .null, &issues)
        switch object["signingSecret"] ?? .null {
        case .null: break
        case .string(let secret) where (1...256).contains(secret.utf8.count): self.signingSecret = secret
        default: issues.note("/signingSecret", "A text of 1 to 256 bytes is expected.")
        }
        // With an unknown format it is unknown which members are needed.
        if format != nil { self.checkMembers(object, &issues) }
        guard issues.isEmpty else {
            throw ValidationError(issues: Array(issues.prefix(ValidationError.maximumIssues)))
        }
    }

    private mutating func readDefaults(_ json: JSON, _ limits: Limits, _ issues: inout [ValidationIssue]) {
        if case .null = json { return }
        guard var members = json.object else { return issues.note("/defaults", "An object is expected.") }
        self.defaults = members
        // A placeholder, because a toast needs a text, and the defaults are checked as a toast.
        if members["message"] == nil, members["title"] == nil { members["message"] = "x" }
        // A placeholder, because the posted message may supply the identifier.
        if members["whenPresent"] != nil, members["reuseIdentifier"] == nil { members["reuseIdentifier"] = "x" }
        var warnings: [Warning] = []
        do throws(ValidationError) {
            _ = try ToastDraft(json: .object(members), limits: limits, adding: &warnings)
            // The warnings of a toast are errors here, so their texts must not say "it is ignored".
            issues += warnings.map { warning in
                let detail = warning.detail.replacing("; it is ignored.", with: ".")
                return ValidationIssue(pointer: "/defaults" + warning.pointer, detail: detail)
            }
        } catch {
            issues += error.issues.map { $0.inside("/defaults") }
        }
        if json.encoded.count > 4096 { issues.note("/defaults", "They have at most 4096 bytes.") }
    }

    private mutating func readPointers(_ json: JSON, isRecord: Bool, _ issues: inout [ValidationIssue]) {
        let object = json.object ?? [:]
        if json.object == nil, json != .null { issues.note("/pointers", "An object is expected.") }
        for (name, value) in object {
            let place = "/pointers/" + name.escapedForPointer
            guard Pointers.members.contains(name) else {
                issues.note(place, "One of \(Pointers.members.joined(separator: ", ")) is expected.")
                continue
            }
            // Earlier versions accepted a `~` that escapes nothing, and a server with such a hook has to start.
            guard let pointer = value.string, isRecord || pointer.isJSONPointer, pointer.utf8.count <= 512 else {
                issues.note(place, "A JSON Pointer, as /monitor/name, is expected.")
                continue
            }
            self.pointers[name] = pointer
        }
    }

    private mutating func readRoles(_ json: JSON, _ issues: inout [ValidationIssue]) {
        let object = json.object ?? [:]
        if json.object == nil, json != .null { issues.note("/roles", "An object is expected.") }
        if object.count > Self.mostRoles { issues.note("/roles", "At most \(Self.mostRoles) values are expected.") }
        for (value, name) in object.prefix(Self.mostRoles) {
            if let role = name.string.flatMap(Role.init(rawValue:)), value.utf8.count <= 256 {
                self.roles[value] = role
            } else {
                let place = "/roles/" + value.cut(to: 64).escapedForPointer
                let names = Role.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
                issues.note(place, "One of \(names) is expected.")
            }
        }
    }

    /// Notes members that the format needs and lacks, and those that only other formats have.
    private func checkMembers(_ object: JSONObject, _ issues: inout [ValidationIssue]) {
        if self.format == .json {
            // A refused pointer is not reported as a missing one, too.
            let hasText = ["title", "message"].contains { name in
                self.defaults[name] != nil || object["pointers"]?[name] != nil
            }
            if !hasText { issues.note("/pointers", "A pointer to a title or a message is expected.") }
        } else {
            for name in ["pointers", "roles"] where object[name]?.object?.isEmpty == false {
                issues.note("/" + name, "Only the format json has \(name).")
            }
        }
        if self.signingSecret != nil, !self.format.isSigned {
            issues.note("/signingSecret", "The senders of this format do not sign.")
        }
    }

    /// Reads a mapping that was stored.
    package init(record json: JSON) throws(ValidationError) {
        var object: JSONObject = [:]
        for name in Self.members { object[name] = json[name] }
        // A stored hook stays valid when the limits are lowered.
        var limits = Limits.standard
        (limits.textLength, limits.nameLength, limits.urlLength) = (.max, .max, .max)
        (limits.actions, limits.arguments) = (.max, .max)
        try self.init(.object(object), limits, isRecord: true)
    }

    /// Writes all members but the secret.
    package func writeMembers(to writer: inout JSONWriter) {
        writer.member("format", self.format.rawValue)
        if !self.defaults.isEmpty { writer.member("defaults", self.defaults) }
        self.write("pointers", self.pointers, to: &writer)
        self.write("roles", self.roles.mapValues(\.rawValue), to: &writer)
    }

    private func write(_ name: StaticString, _ members: [String: String], to writer: inout JSONWriter) {
        guard !members.isEmpty else { return }
        writer.object(name) { writer in
            for (name, value) in members.sorted(by: { $0.key < $1.key }) { writer.member(named: name, value) }
        }
    }
}

extension [ValidationIssue] {
    fileprivate mutating func note(_ pointer: String, _ detail: String) {
        self.append(ValidationIssue(pointer: pointer, detail: detail))
    }
}
