/// The clients that show a channel's toasts now: without an audience nothing is presented.
///
/// Not part of a channel's durable state: after a restart there is none.
public struct Audience: Hashable, Sendable {
    /// Whether a client is attached.
    public var isAttached: Bool

    /// Whether an attached client has declared that its user needs more time, as with a screen reader.
    public var isAssistive: Bool

    /// The factor by which toasts stay longer: the largest that an attached client asks for, within ``scales``.
    public var scale: Double

    /// The scales that can be asked for.
    public static let scales = 1.0...10.0

    /// No clients.
    public static let none = Self(isAttached: false)

    /// An audience.
    public init(isAttached: Bool, isAssistive: Bool = false, scale: Double = 1) {
        self.isAttached = isAttached
        self.isAssistive = isAssistive
        self.scale = min(max(Self.scales.lowerBound, scale), Self.scales.upperBound)
    }

    /// The factor that applies; at least 1.5 for an assistive audience (NoticeUI).
    var factor: Double { max(self.scale, self.isAssistive ? 1.5 : 1) }
}
