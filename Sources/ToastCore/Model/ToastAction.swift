/// Something that a person can do about a toast, such as "Undo".
public struct ToastAction: Equatable, Sendable {
    /// What an action does to the person's work, which decides the look of its button.
    public enum Role: String, CaseIterable, Hashable, Sendable, JSONWritable {
        /// It destroys something.
        case destructive
        /// It leaves everything as it is.
        case cancel
    }

    /// What a press of an action does to its toast.
    public enum Dismissal: Hashable, Sendable {
        /// It dismisses the toast.
        case atOnce
        /// It leaves the toast as it is, so that the action can be pressed again.
        case never
        /// It leaves the toast, as pending, until its publisher says that the work is done.
        case whenDone
    }

    /// The action's id within its toast; safe in a path.
    public let id: String

    /// What its button says.
    public private(set) var title: Text

    /// What it does to the person's work, if that is given.
    public let role: Role?

    /// A page that a viewer opens when the action is pressed.
    public let url: Link?

    /// What a press does to the toast.
    public let dismissal: Dismissal

    /// Whether it was pressed and its work is not done.
    public private(set) var isPending: Bool

    /// The same action, with or without a pending press.
    func with(isPending: Bool) -> Self {
        var action = self
        action.isPending = isPending
        return action
    }

    func with(title: Text) -> Self {
        var action = self
        action.title = title
        return action
    }
}

extension ToastAction: JSONWritable {
    /// Writes `{"id", "title", "role", "url", "dismisses", "pending"}`; defaults are left out.
    public func write(to writer: inout JSONWriter) {
        self.write(to: &writer) { title, writer in title.write(to: &writer) }
    }

    /// Writes the action with another form of its title.
    func write(to writer: inout JSONWriter, titled writeTitle: (Text, inout JSONWriter) -> Void) {
        writer.object { writer in
            writer.member("id", self.id)
            writer.name("title")
            writeTitle(self.title, &writer)
            writer.member("role", self.role)
            writer.member("url", self.url)
            switch self.dismissal {
            case .atOnce: break
            case .never: writer.member("dismisses", false)
            case .whenDone: writer.member("dismisses", "whenDone")
            }
            if self.isPending { writer.member("pending", true) }
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
        self.warn(ofMembersBeside: ["id", "title", "role", "url", "dismisses", "pending"], in: object)
        let id = self.member("id", of: object) { $0.actionID($1) }
        let title: Text? = self.member("title", of: object) { $0.text($1) }
        let role = self.optional("role", of: object, or: nil) { $0.choice($1, ToastAction.Role.self) }
        let url: Link? = self.optional("url", of: object, or: nil) { $0.link($1) }
        let dismissal: ToastAction.Dismissal? = self.optional("dismisses", of: object, or: .atOnce) { $0.dismissal($1) }
        let isPending = self.optional("pending", of: object, or: false) { $0.pending($1, dismissal) }
        guard let id, let title else { return nil }
        return ToastAction(
            id: id,
            title: title,
            role: role,
            url: url,
            dismissal: dismissal ?? .atOnce,
            isPending: isPending
        )
    }

    private mutating func dismissal(_ value: JSON) -> ToastAction.Dismissal? {
        switch value {
        case .bool(true): .atOnce
        case .bool(false): .never
        case "whenDone": .whenDone
        default: self.refuse(#"True, false or "whenDone" is expected."#)
        }
    }

    /// Whether an action is pending; `dismissal` is `nil` where it is invalid itself.
    private mutating func pending(_ value: JSON, _ dismissal: ToastAction.Dismissal?) -> Bool {
        guard let isPending = self.bool(value) else { return false }
        guard isPending, let dismissal, dismissal != .whenDone else { return isPending }
        self.note(#"Only an action that dismisses "whenDone" can be pending."#)
        return false
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
