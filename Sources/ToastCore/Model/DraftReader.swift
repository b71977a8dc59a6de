/// Reads members into a draft.
///
/// A new toast is a patch of the blank draft, so both are read here, by ``ToastMember/all``. They differ in one thing:
/// an object in a patch is merged into what the draft has (RFC 7396), an object in a new toast is taken as it stands.
struct DraftReader {
    /// The draft; the members that few toasts have are in ``details`` until ``finished(_:)``.
    var draft: ToastDraft

    /// Whether a patch is read.
    let isPatch: Bool

    /// The members that few toasts have, out of their box.
    ///
    /// They are boxed again only when one of them was read: that takes as long as to read a toast without them.
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
                } else if !ToastMember.writtenByServer.contains(name) {
                    issues.warnOfUnknownMember()
                } else if !self.isPatch {
                    issues.warn("This member is the server's to say; it is ignored.")
                }
            }
        }
        if members["title"] != nil { self.draft.isTitleOpen = false }
    }

    /// The draft with all that was read, if it makes a toast.
    func finished(_ issues: inout Issues) -> ToastDraft {
        var draft = self.draft
        if draft.message == nil, draft.title.text == nil, !issues.isTextRefused {
            issues.note("A toast needs a message or a title.", at: "/message")
        }
        if self.hasNewDetails { draft.details = self.details }
        return draft
    }
}

extension Issues {
    /// Whether a title or a message was sent, but cannot be accepted; then it is not missing, too.
    fileprivate var isTextRefused: Bool {
        self.found.contains { $0.pointer.hasPrefix("/title") || $0.pointer.hasPrefix("/message") }
    }
}
