/// A toast to publish, or the members to change of one.
///
/// It needs a message or a title.
///
/// A member that is nil is left out: the channel's setting applies, or it stays as it is.
public struct ToastDraft: Sendable, Hashable, Encodable, ExpressibleByStringLiteral {
    /// What it is about.
    public var role: ToastRole?
    /// The title; in a patch, too, `automatic` is the role's own.
    public var title: ToastTitle?
    /// The text.
    public var message: ToastText?
    /// The name of an icon; by default the role's.
    public var icon: String?
    /// The name of the style.
    public var style: String?
    /// `top`, `center` or `bottom`.
    public var placement: String?
    /// `start`, `center` or `end` of the edge.
    public var align: String?
    /// The time on screen.
    public var duration: ToastDuration?
    /// The vibration, such as `success` or `none`.
    public var haptic: String?
    /// Up to three buttons.
    public var actions: [ToastAction]?
    /// The progress of the work.
    public var progress: ToastProgress?
    /// A picture instead of the icon.
    public var image: ToastImage?
    /// A page that a tap on the toast opens.
    public var link: String?
    /// Toasts with the same identifier can be one toast.
    public var reuseIdentifier: String?
    /// A date and time (RFC 3339) before which the toast does not join the queue.
    public var notBefore: String?
    /// With `replace` the living toast with the same `reuseIdentifier` becomes this one.
    public var whenPresent: String?
    /// Whether a person with assistive technology must dismiss it.
    public var requiresInteraction: Bool?
    /// Whether the page behind it is dimmed.
    public var dimsBackground: Bool?
    /// The look, as the API describes it.
    public var appearance: JSON?
    /// The seconds that it may wait to be presented.
    public var expiresAfter: Double?
    /// The publisher's own data.
    public var data: JSON?

    /// Makes a value from its members; those that are nil are left out.
    public init(
        _ message: ToastText? = nil,
        title: ToastTitle? = nil,
        role: ToastRole? = nil,
        duration: ToastDuration? = nil,
        actions: [ToastAction]? = nil,
        progress: ToastProgress? = nil,
        reuseIdentifier: String? = nil,
        data: JSON? = nil
    ) {
        self.message = message
        self.title = title
        self.role = role
        self.duration = duration
        self.actions = actions
        self.progress = progress
        self.reuseIdentifier = reuseIdentifier
        self.data = data
    }

    /// Makes a value from a literal.
    public init(stringLiteral value: String) { self.init(.plain(value)) }
}
