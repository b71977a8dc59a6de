/// Reads members into a draft.
///
/// A new toast is a patch of the empty draft, so both are read here, by ``ToastMember/all``. The difference: an object
/// in a patch is merged into the value of the draft (RFC 7396), an object in a new toast is taken as it is.
struct DraftReader {
    /// The draft; the members that few toasts have are in ``details`` until ``finished(_:)``.
    var draft: ToastDraft

    let isPatch: Bool

    /// The members that few toasts have, unboxed.
    ///
    /// Boxed again only when one of them was read, because boxing takes as long as reading a toast without them.
    var details: ToastDetails { didSet { self.hasNewDetails = true } }

    private var hasNewDetails = false

    init(draft: ToastDraft, isPatch: Bool) {
        self.draft = draft
        self.isPatch = isPatch
        self.details = draft.details
    }

    mutating func read(_ members: JSONObject, _ issues: inout Issues) {
        for (name, value) in members {
            issues.member(name) { issues in
                if let member = ToastMember.named(name) {
                    member.read(value, &self, &issues)
                } else if name == Self.presence {
                    self.readPresence(value, &issues)
                } else if !ToastMember.writtenByServer.contains(name) {
                    issues.warnOfUnknownMember()
                } else if !self.isPatch {
                    issues.warn("This member is the server's to say; it is ignored.")
                }
            }
        }
        if members["title"] != nil { self.draft.isTitleOpen = false }
    }

    /// The member that says what becomes of a new toast while a living one has its reuse identifier.
    static let presence = "whenPresent"

    /// Reads ``presence``, which is about the publish, so the toast does not keep it.
    private mutating func readPresence(_ value: JSON, _ issues: inout Issues) {
        guard !self.isPatch else { return issues.warn("It counts only when a toast is published; it is ignored.") }
        if case .null = value { return }
        self.draft.replacesPresent = issues.choice(value, WhenPresent.self) == .replace
    }

    /// The draft with all that was read; notes an issue when it has neither message nor title.
    func finished(_ issues: inout Issues) -> ToastDraft {
        var draft = self.draft
        if draft.message == nil, draft.title.text == nil, !issues.isTextRefused {
            issues.note("A toast needs a message or a title.", at: "/message")
        }
        if self.hasNewDetails { draft.details = self.details }
        if draft.replacesPresent, draft.box.reuseIdentifier == nil {
            draft.replacesPresent = false
            issues.member(Self.presence) {
                $0.warn("Without a reuseIdentifier there is nothing to replace; it is ignored.")
            }
        }
        return draft
    }
}

extension Issues {
    /// Whether a title or a message was sent but refused; then it is not also reported as missing.
    fileprivate var isTextRefused: Bool {
        self.found.contains { $0.pointer.hasPrefix("/title") || $0.pointer.hasPrefix("/message") }
    }
}
