/// The members that few toasts have.
///
/// They are stored apart from the others, so that they cost toasts without them no memory.
public struct ToastDetails: Equatable, Sendable {
    /// Where the toast is along its edge; `nil` for where the page or the channel has its toasts.
    public var align: Alignment?

    /// The picture in place of the role's own: an https URL, a path of the viewer's own origin, the name of a picture
    /// in the viewer's icon set (an SF Symbol such as `wifi.slash`, or one of its own), or `none` for no picture.
    ///
    /// A viewer without a picture of the name shows the role's. Checked by ``Issues/icon(_:)``.
    public var icon: String?

    /// What a person can do about the toast, in the order of the buttons.
    public var actions: [ToastAction] = []

    /// The progress of the work.
    public var progress: Progress?

    /// A picture in the toast, `{"url", "alt"}` as it goes over the wire, checked by ``Issues/image(_:)``.
    public var image: JSONObject?

    /// What a tap on the toast's body opens.
    public var link: Link?

    /// A name by which a later toast can update this one, whatever their texts are (Y-Snackbar).
    public var reuseIdentifier: String?

    /// Whether the toast stays until it is dismissed while an assistive audience is attached (Y-Snackbar).
    public var requiresInteraction = false

    /// Whether the background is dimmed (ToastUI); `nil` in a draft for the channel's setting, in a toast for no.
    var dimming: Bool?

    /// The toast's own appearance, as it goes over the wire; viewers merge it into the channel's, member by member.
    public var appearance: JSONObject?

    /// How long the toast may wait for its presentation.
    public var expiresAfter: Interval?

    /// When the toast joins the queue; `nil` for at once.
    public var notBefore: Instant?

    /// Whatever the publisher wants back with the toast's events.
    public var data: JSON?
}

extension ToastMember {
    /// All members that a publisher writes, in the order of `openapi.yaml`, in which they are written.
    static let all: [ToastMember] = [
        ToastMember("role", { $0.draft.role = $1 ?? .info }, { $0.role }) { $0.choice($1, Role.self) },
        // `null` is no title, which is not the same as a title left out.
        ToastMember(
            "title",
            { $0.draft.title = $1 ?? .none },
            { $0.title == .automatic ? nil : $0.title },
            mergingInto: { reader, _ in reader.draft.title.text?.json }
        ) { $0.title($1) },
        ToastMember(
            "message",
            { $0.draft.message = $1 },
            { $0.message },
            mergingInto: { reader, _ in reader.draft.message?.json }
        ) { $0.text($1) },
        ToastMember(detail: "icon", { $0.icon = $1 }, { $0.icon }) { $0.icon($1) },
        ToastMember("style", { $0.draft.style = $1 }, { $0.style }) { $0.style($1) },
        ToastMember("placement", { $0.draft.placement = $1 }, { $0.placement }) { $0.choice($1, Placement.self) },
        ToastMember(detail: "align", { $0.align = $1 }, { $0.align }) { $0.choice($1, Alignment.self) },
        ToastMember("duration", { $0.draft.duration = $1 }, { $0.duration }) { $0.duration($1) },
        ToastMember("haptic", { $0.draft.haptic = $1 }, { $0.haptic }) { $0.choice($1, Haptic.self) },
        ToastMember(detail: "actions", { $0.actions = $1 ?? [] }, { $0.actions.isEmpty ? nil : $0.actions }) {
            $0.actions($1)
        },
        ToastMember(
            detail: "progress",
            { $0.progress = $1 },
            { $0.progress },
            // A progress of the other kind has no members that this one could keep.
            mergingInto: { details, patch in
                details.progress.flatMap { patch.isProgress(likeThatOf: $0) ? $0.json : nil }
            }
        ) { $0.progress($1) },
        ToastMember(
            detail: "image",
            { $0.image = $1 },
            { $0.image },
            mergingInto: { details, _ in details.image.map(JSON.object) }
        ) { $0.image($1) },
        ToastMember(detail: "link", { $0.link = $1 }, { $0.link }) { $0.link($1) },
        ToastMember(detail: "reuseIdentifier", { $0.reuseIdentifier = $1 }, { $0.reuseIdentifier }) {
            $0.text($1, limit: $0.limits.nameLength)
        },
        ToastMember(
            detail: "requiresInteraction",
            { $0.requiresInteraction = $1 ?? false },
            { $0.requiresInteraction ? true : nil }
        ) { $0.bool($1) },
        ToastMember(detail: "dimsBackground", { $0.dimming = $1 }, { $0.dimming }) { $0.bool($1) },
        ToastMember(
            detail: "appearance",
            { $0.appearance = $1 },
            { $0.appearance },
            mergingInto: { details, _ in details.appearance.map(JSON.object) }
        ) { $0.appearance($1) },
        ToastMember(detail: "expiresAfter", { $0.expiresAfter = $1 }, { $0.expiresAfter }) { $0.seconds($1) },
        ToastMember(detail: "notBefore", { $0.notBefore = $1 }, { $0.notBefore }) { $0.instant($1) },
        ToastMember(detail: "data", { $0.data = $1 }, { $0.data }, mergingInto: { details, _ in details.data }) {
            $0.data($1)
        },
    ]

    /// The members of ``all`` that a toast without details may have.
    static let withoutDetails = ToastMember.all.filter { !$0.isDetail }
}

extension Issues {
    /// Any value whose JSON text, as it is stored, is no longer than a document.
    fileprivate mutating func data(_ value: JSON) -> JSON? {
        guard self.limits.isRecord || value.encoded.count <= self.limits.documentBytes else {
            return self.refuse("It is longer than \(self.limits.documentBytes) bytes.")
        }
        return value
    }
}
