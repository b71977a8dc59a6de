/// Who watches a channel now: what drives its clock.
///
/// It is no part of a channel's durable state: after a restart nobody watches until someone comes.
public struct Audience: Hashable, Sendable {
    /// Whether anyone is attached.
    public var isAttached: Bool

    /// Whether anyone attached has declared to need more time, as with a screen reader.
    public var isAssistive: Bool

    /// How much longer than usual toasts stay: the largest wish of those attached, within ``scales``.
    public var scale: Double

    /// The scales that can be wished for.
    public static let scales = 1.0...10.0

    /// Nobody.
    public static let none = Self(isAttached: false)

    /// An audience.
    public init(isAttached: Bool, isAssistive: Bool = false, scale: Double = 1) {
        self.isAttached = isAttached
        self.isAssistive = isAssistive
        self.scale = min(max(Self.scales.lowerBound, scale), Self.scales.upperBound)
    }

    /// How much longer than usual toasts stay; an assistive audience has half as much time again (NoticeUI).
    var factor: Double { max(self.scale, self.isAssistive ? 1.5 : 1) }
}
