/// Something that a person can do about a toast, such as "Undo".
public struct ToastAction: Hashable, Sendable {
    /// What an action does to the person's work, which decides how its button looks.
    public enum Role: String, CaseIterable, Hashable, Sendable, JSONWritable {
        /// It destroys something.
        case destructive
        /// It leaves everything as it is.
        case cancel
    }

    /// The action's name within its toast; safe in a path.
    public let id: String

    /// What its button says.
    public let title: Text

    /// What it does to the person's work, if that matters.
    public let role: Role?

    /// A page that a viewer opens when the action is pressed.
    public let url: Link?

    /// An action.
    public init(id: String, title: Text, role: Role? = nil, url: Link? = nil) {
        self.id = id
        self.title = title
        self.role = role
        self.url = url
    }
}

extension ToastAction: JSONWritable {
    /// Writes `{"id", "title", "role", "url"}`.
    public func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", self.id)
            writer.member("title", self.title)
            writer.member("role", self.role)
            writer.member("url", self.url)
        }
    }
}

extension Issues {
    /// Actions whose ids differ.
    mutating func actions(_ value: JSON) -> [ToastAction]? {
        guard let values = self.array(value) else { return nil }
        guard values.count <= self.limits.actions else {
            return self.refuse("A toast has at most \(self.limits.actions) actions.", past: .actions)
        }
        var actions: [ToastAction] = []
        for (index, value) in values.enumerated() {
            self.member(String(index)) { issues in
                guard let action = issues.action(value) else { return }
                guard !actions.contains(where: { $0.id == action.id }) else {
                    return issues.note("Another action has this id.", at: "/id")
                }
                actions.append(action)
            }
        }
        return actions
    }

    private mutating func action(_ value: JSON) -> ToastAction? {
        guard let object = self.object(value) else { return nil }
        let id = self.member("id") { issues in issues.actionID(object["id"] ?? .null) }
        let title = self.member("title") { issues in issues.text(object["title"] ?? .null) }
        let role = object.optional("role").flatMap { role in
            self.member("role") { issues in issues.choice(role, ToastAction.Role.self) }
        }
        let url = object.optional("url").flatMap { url in
            self.member("url") { issues in issues.link(url) }
        }
        guard let id, let title else { return nil }
        return ToastAction(id: id, title: title, role: role, url: url)
    }

    /// Letters, digits, hyphens and underscores only, so that the id is a path segment as it is (RFC 3986 §2.3).
    private mutating func actionID(_ value: JSON) -> String? {
        guard let id = self.text(value, limit: 64) else { return nil }
        guard id.isMade(of: ChannelName.characters) else {
            return self.refuse("Only letters, digits, hyphens and underscores are expected.")
        }
        return id
    }
}

extension JSONObject {
    /// The value of a member that is neither missing nor `null`.
    func optional(_ name: String) -> JSON? {
        self[name].flatMap { $0 == .null ? nil : $0 }
    }
}
