/// The content of a toast: all that its publisher can change, every member with a value.
///
/// A class, because it never changes, and all events and answers about its toast share it.
public final class ToastContent: Sendable {
    /// What the toast is about.
    public let role: Role

    /// The title.
    public let title: ToastTitle

    /// The message; `nil` only when the publisher sent a title.
    public let message: Text?

    /// The style.
    public let style: StyleName

    /// The placement.
    public let placement: Placement

    /// How long it stays.
    public let duration: ToastDuration

    /// The haptic feedback when it appears.
    public let haptic: Haptic

    let box: DetailsBox

    /// The members that few toasts have.
    public var details: ToastDetails { self.box.details }

    /// Whether what is behind the toast is dimmed (ToastUI).
    public var dimsBackground: Bool { self.box.dimming == true }

    /// A draft with a channel's settings for what it leaves open: toast before channel before preset before server
    /// (NoticeUI bug 5 in `docs/engine.md`).
    ///
    /// Inlined, because passing the settings copies them.
    @inline(__always)
    init(_ draft: ToastDraft, _ settings: EffectiveSettings) {
        self.role = draft.role
        self.title = draft.isTitleOpen && settings.title == .none ? .none : draft.title
        self.message = draft.message
        self.style = draft.style ?? settings.style
        self.placement = draft.placement ?? settings.placement
        self.duration = draft.duration ?? settings.duration
        self.haptic = draft.haptic ?? settings.haptic
        let expiresAfter = draft.box.expiresAfter ?? (draft.isWaitOpen ? settings.expiresAfter : nil)
        let dimming = draft.box.dimming ?? settings.dimsBackground ? true : nil
        guard expiresAfter != draft.box.expiresAfter || dimming != draft.box.dimming else {
            self.box = draft.box
            return
        }
        var details = draft.details
        details.expiresAfter = expiresAfter
        details.dimming = dimming
        self.box = DetailsBox(details)
    }

    /// The complete draft of this content, from which a patch starts.
    var draft: ToastDraft {
        var draft = ToastDraft()
        draft.role = self.role
        draft.title = self.title
        (draft.isTitleOpen, draft.isWaitOpen) = (false, false)
        draft.message = self.message
        draft.style = self.style
        draft.placement = self.placement
        draft.duration = self.duration
        draft.haptic = self.haptic
        draft.box = self.box
        draft.details.dimming = self.dimsBackground
        return draft
    }

    /// The names of the members in which this content differs from another, in the order of `openapi.yaml`; `name`
    /// counts as changed in any case.
    func changes(from other: ToastContent, including name: String? = nil) -> [String] {
        ToastMember.all.filter { $0.name == name || !$0.isEqual(self, other) }.map(\.name)
    }
}

extension ToastContent: Equatable {
    /// Whether all members are equal.
    public static func == (one: ToastContent, other: ToastContent) -> Bool {
        one === other || ToastMember.all.allSatisfy { $0.isEqual(one, other) }
    }
}

extension ToastContent {
    /// Writes the members in the order of `openapi.yaml`.
    func writeMembers(to writer: inout JSONWriter) {
        let members = self.box.isEmpty ? ToastMember.withoutDetails : ToastMember.all
        for member in members { member.write(self, &writer) }
    }
}
