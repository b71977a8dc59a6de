/// Who watches a channel now: what drives its clock.
///
/// It is no part of a channel's durable state: after a restart nobody watches until someone comes.
public struct Audience: Hashable, Sendable {
    /// Whether anyone is attached.
    public var isAttached: Bool

    /// Whether anyone attached has declared to need more time, as with a screen reader.
    public var isAssistive: Bool

    /// Nobody.
    public static let none = Self(isAttached: false)

    /// An audience.
    public init(isAttached: Bool, isAssistive: Bool = false) {
        self.isAttached = isAttached
        self.isAssistive = isAssistive
    }
}
