package import ToastCore

extension HookMapping {
    private static let mostRoles = 64

    /// The longest value that has a role, in bytes.
    private static let longestValue = 256

    private static let members = ["format", "defaults", "pointers", "roles", "signingSecret"]

    /// Reads the document that a person sends: unknown members are errors, so that a misspelt one is not ignored.
    ///
    /// - Throws: Everything that is wrong with it.
    package init(json: JSON, limits: Limits) throws(ValidationError) {
        try self.init(json, limits, isRecord: false)
    }

    private init(_ json: JSON, _ limits: Limits, isRecord: Bool) throws(ValidationError) {
        var issues = Issues(limits: limits)
        let object = issues.object(json) ?? [:]
        try issues.check()
        let format = issues.member("format", of: object) { $0.choice($1, HookFormat.self) }
        self.init(format ?? .json)
        for (name, _) in object where !Self.members.contains(name) {
            issues.note("A hook has no such member.", at: "/" + name.escapedForPointer)
        }
        issues.optional("defaults", of: object, or: ()) { self.readDefaults($1, limits, &$0) }
        issues.optional("pointers", of: object, or: ()) { self.readPointers($1, isRecord: isRecord, &$0) }
        issues.optional("roles", of: object, or: ()) { self.readRoles($1, &$0) }
        switch object["signingSecret"] ?? .null {
        case .null: break
        case .string(let secret) where (1...256).contains(secret.utf8.count): self.signingSecret = secret
        default: issues.note("A text of 1 to 256 bytes is expected.", at: "/signingSecret")
        }
        // With an unknown format it is unknown which members are needed.
        if format != nil { self.checkMembers(object, &issues) }
        try issues.check()
    }

    private mutating func readDefaults(_ json: JSON, _ limits: Limits, _ issues: inout Issues) {
        guard var members = issues.object(json) else { return }
        self.defaults = members
        // A placeholder, because a toast needs a text, and the defaults are checked as a toast.
        if members["message"] == nil, members["title"] == nil { members["message"] = "x" }
        // A placeholder, because the posted message may supply the identifier.
        if members["whenPresent"] != nil, members["reuseIdentifier"] == nil { members["reuseIdentifier"] = "x" }
        var warnings: [Warning] = []
        do throws(ValidationError) {
            _ = try ToastDraft(json: .object(members), limits: limits, adding: &warnings)
            // The warnings of a toast are errors here, so their texts must not say "it is ignored".
            for warning in warnings {
                issues.note(warning.detail.replacing("; it is ignored.", with: "."), at: warning.pointer)
            }
        } catch {
            for issue in error.issues { issues.note(issue.detail, at: issue.pointer, past: issue.limit) }
        }
        if json.encoded.count > 4096 { issues.note("They have at most 4096 bytes.") }
    }

    private mutating func readPointers(_ json: JSON, isRecord: Bool, _ issues: inout Issues) {
        for (name, value) in issues.object(json) ?? [:] {
            let place = "/" + name.escapedForPointer
            guard Pointers.members.contains(name) else {
                issues.note("One of \(Pointers.members.joined(separator: ", ")) is expected.", at: place)
                continue
            }
            // Earlier versions accepted a `~` that escapes nothing, and a server with such a hook has to start.
            guard let pointer = value.string, isRecord || pointer.isJSONPointer, pointer.utf8.count <= 512 else {
                issues.note("A JSON Pointer, as /monitor/name, is expected.", at: place)
                continue
            }
            self.pointers[name] = pointer
        }
    }

    private mutating func readRoles(_ json: JSON, _ issues: inout Issues) {
        let object = issues.object(json) ?? [:]
        if object.count > Self.mostRoles { issues.note("At most \(Self.mostRoles) values are expected.") }
        for (value, name) in object.prefix(Self.mostRoles) {
            self.roles[value] = issues.member(value) { issues -> Role? in
                guard value.utf8.count <= Self.longestValue else {
                    issues.note("A value of at most \(Self.longestValue) bytes is expected.")
                    return nil
                }
                return issues.choice(name, Role.self)
            }
        }
    }

    /// Notes members that the format needs and lacks, and those that only other formats have.
    private func checkMembers(_ object: JSONObject, _ issues: inout Issues) {
        if self.format == .json {
            // A refused pointer is not reported as a missing one, too.
            let hasText = ["title", "message"].contains { name in
                self.defaults[name] != nil || object["pointers"]?[name] != nil
            }
            if !hasText { issues.note("A pointer to a title or a message is expected.", at: "/pointers") }
        } else {
            for name in ["pointers", "roles"] where object[name]?.object?.isEmpty == false {
                issues.note("Only the format json has \(name).", at: "/" + name)
            }
        }
        if self.signingSecret != nil, !self.format.isSigned {
            issues.note("The senders of this format do not sign.", at: "/signingSecret")
        }
    }

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
