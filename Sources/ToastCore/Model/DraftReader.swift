/// Reads members into a draft.
///
/// A new toast is a patch of the blank draft, so both are read here. They differ in one thing: an object in a
/// patch is merged into what the draft has (RFC 7396), an object in a new toast is taken as it stands.
struct DraftReader {
    private var draft: ToastDraft
    /// The members that few toasts have, once one of them was read: to compare them with none, and to copy them, takes as
    /// long as to read a toast that has none.
    private var newDetails: ToastDetails?
    private let isPatch: Bool

    /// Whether a title or a message was sent, but cannot be accepted; then it is not missing, too.
    private var isTextRefused = false

    init(draft: ToastDraft, isPatch: Bool) {
        self.draft = draft
        self.isPatch = isPatch
    }

    private var details: ToastDetails {
        get { self.newDetails ?? self.draft.details }
        set { self.newDetails = newValue }
    }

    mutating func read(_ members: JSONObject, _ issues: inout Issues) {
        for (name, value) in members {
            let value = self.isPatch ? value.merged(onto: self.target(name, of: value)) : value
            issues.member(name) { issues in
                switch value {
                case .null: self.clear(name, &issues)
                default: self.set(name, value, &issues)
                }
            }
        }
    }

    /// The draft with all that was read, if it makes a toast.
    mutating func finished(_ issues: inout Issues) -> ToastDraft {
        if self.draft.message == nil, self.draft.title.text == nil, !self.isTextRefused {
            issues.note("A toast needs a message or a title.", at: "/message")
        }
        if let details = self.newDetails { self.draft.details = details }
        return self.draft
    }

    private mutating func set(_ name: String, _ value: JSON, _ issues: inout Issues) {
        switch name {
        case "role": self.draft.role = issues.choice(value, Role.self) ?? self.draft.role
        case "title":
            self.draft.title = self.title(value, &issues) ?? self.draft.title
            self.draft.isTitleOpen = false
        case "message": self.draft.message = self.text(value, &issues) ?? self.draft.message
        case "style": self.draft.style = issues.style(value)
        case "placement": self.draft.placement = issues.choice(value, Placement.self)
        case "duration": self.draft.duration = issues.duration(value)
        case "haptic": self.draft.haptic = issues.choice(value, Haptic.self)
        case "icon": self.details.icon = issues.icon(value)
        case "actions": self.details.actions = issues.actions(value) ?? []
        case "progress": self.details.progress = issues.progress(value)
        case "image": self.details.image = issues.image(value)
        case "reuseIdentifier":
            self.details.reuseIdentifier = issues.text(value, limit: issues.limits.nameLength)
        case "requiresInteraction": self.details.requiresInteraction = issues.bool(value) ?? false
        case "dimsBackground": self.details.dimming = issues.bool(value)
        case "appearance": self.details.appearance = issues.appearance(value)
        case "expiresAfter": self.details.expiresAfter = issues.seconds(value)
        case "data": self.details.data = value
        default: self.warn(of: name, &issues)
        }
    }

    /// A text, or the role's own title, also where the channel has none for toasts that name none.
    private mutating func title(_ value: JSON, _ issues: inout Issues) -> ToastTitle? {
        guard value.object?["automatic"] != true else { return .automatic }
        return self.text(value, &issues).map(ToastTitle.custom)
    }

    /// The members that the server writes: a patch may say them as they were read, and in a new toast they mean nothing.
    static let written = [
        "id", "channel", "revision", "state", "createdAt", "presentedAt", "dismissedAt", "dismissReason", "action",
        "warnings",
    ]

    private func warn(of name: String, _ issues: inout Issues) {
        guard Self.written.contains(name) else { return issues.warnOfUnknownMember() }
        if !self.isPatch { issues.warn("This member is the server's to say; it is ignored.") }
    }

    private mutating func text(_ value: JSON, _ issues: inout Issues) -> Text? {
        let text = issues.text(value)
        self.isTextRefused = self.isTextRefused || text == nil
        return text
    }

    /// What `null` means: the member as if it had never been sent, except for the title, which is then none.
    private mutating func clear(_ name: String, _ issues: inout Issues) {
        let blank = ToastDraft()
        switch name {
        case "role": self.draft.role = blank.role
        case "title":
            self.draft.title = .none
            self.draft.isTitleOpen = false
        case "message": self.draft.message = nil
        case "style": self.draft.style = nil
        case "placement": self.draft.placement = nil
        case "duration": self.draft.duration = nil
        case "haptic": self.draft.haptic = nil
        case "icon": self.details.icon = nil
        case "actions": self.details.actions = []
        case "progress": self.details.progress = nil
        case "image": self.details.image = nil
        case "reuseIdentifier": self.details.reuseIdentifier = nil
        case "requiresInteraction": self.details.requiresInteraction = false
        case "dimsBackground": self.details.dimming = nil
        case "appearance": self.details.appearance = nil
        case "expiresAfter": self.details.expiresAfter = nil
        case "data": self.details.data = nil
        default: self.warn(of: name, &issues)
        }
    }

    /// What an object in a patch is merged into.
    private func target(_ name: String, of value: JSON) -> JSON? {
        switch name {
        case "title": self.draft.title.text?.json
        case "message": self.draft.message?.json
        // The other kind of progress has nothing that this one could keep.
        case "progress": self.details.progress.flatMap { value.isProgress(likeThatOf: $0) ? $0.json : nil }
        case "image": self.details.image?.json
        case "appearance": self.details.appearance.map(JSON.object)
        case "data": self.details.data
        default: nil
        }
    }
}
