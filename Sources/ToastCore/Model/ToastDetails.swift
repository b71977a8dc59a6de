/// The members that few toasts have.
///
/// They live apart from the others, so that a toast without them costs no memory for them.
public struct ToastDetails: Hashable, Sendable {
    /// The picture in place of the role's own.
    public var icon: Icon?

    /// What a person can do about the toast, in the order of the buttons.
    public var actions: [ToastAction] = []

    /// How far the work is.
    public var progress: Progress?

    /// A picture in the toast.
    public var image: ToastImage?

    /// What makes two toasts the same one, whatever they say (Y-Snackbar).
    public var reuseIdentifier: String?

    /// Whether the toast stays until it is dismissed when an assistive audience is attached (Y-Snackbar).
    public var requiresInteraction = false

    /// Whether what is behind the toast is dimmed (ToastUI); `nil` in a draft for the channel's, in a toast for no.
    var dimming: Bool?

    /// How this one toast looks: what ``Appearance`` has, as it goes over the wire.
    ///
    /// Viewers lay it over the channel's, member by member.
    public var appearance: JSONObject?

    /// How long the toast may wait for its presentation.
    public var expiresAfter: Interval?

    /// Whatever the publisher wants back with the toast's events.
    public var data: JSON?

    /// No details.
    public init() {}
}

/// Details behind one pointer, and none at all for the toasts that have no details.
enum DetailsBox: Hashable, Sendable {
    case empty
    indirect case full(ToastDetails)

    init(_ details: ToastDetails) {
        self = details == ToastDetails() ? .empty : .full(details)
    }

    var details: ToastDetails {
        switch self {
        case .empty: ToastDetails()
        case .full(let details): details
        }
    }

    var icon: Icon? {
        guard case .full(let details) = self else { return nil }
        return details.icon
    }

    var expiresAfter: Interval? {
        guard case .full(let details) = self else { return nil }
        return details.expiresAfter
    }

    var dimming: Bool? {
        guard case .full(let details) = self else { return nil }
        return details.dimming
    }

    var appearance: JSONObject? {
        guard case .full(let details) = self else { return nil }
        return details.appearance
    }

    var requiresInteraction: Bool {
        guard case .full(let details) = self else { return false }
        return details.requiresInteraction
    }

    /// Whether work goes on that a person has asked for.
    var isPending: Bool {
        guard case .full(let details) = self else { return false }
        return details.actions.contains(where: \.isPending)
    }

    var progress: Progress? {
        guard case .full(let details) = self else { return nil }
        return details.progress
    }

    var reuseIdentifier: String? {
        guard case .full(let details) = self else { return nil }
        return details.reuseIdentifier
    }

    var data: JSON? {
        guard case .full(let details) = self else { return nil }
        return details.data
    }

    var hasLocalizedAction: Bool {
        guard case .full(let details) = self else { return false }
        return details.actions.contains { $0.title.isLocalized }
    }

    /// Writes the members in the order of `openapi.yaml`; ``icon`` stands elsewhere.
    func writeMembers(to writer: inout JSONWriter) {
        guard case .full(let details) = self else { return }
        details.writeMembers(to: &writer)
    }
}

extension ToastDetails {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        if !self.actions.isEmpty { writer.member("actions", self.actions) }
        writer.member("progress", self.progress)
        writer.member("image", self.image)
        writer.member("reuseIdentifier", self.reuseIdentifier)
        if self.requiresInteraction { writer.member("requiresInteraction", true) }
        if self.dimming == true { writer.member("dimsBackground", true) }
        writer.member("appearance", self.appearance)
        writer.member("expiresAfter", self.expiresAfter)
        writer.member("data", self.data)
    }
}
