/// One fact about a channel.
///
/// Times in events are whole milliseconds, which is what the wire carries, so an event that is written and read
/// back is equal, and a channel that is rebuilt from its events is the channel that it was.
public struct Event: Hashable, Sendable {
    /// What happened.
    public enum Kind: Hashable, Sendable {
        /// A toast was accepted.
        case enqueued(Toast)

        /// A toast came on screen, with so much time unless it is indefinite.
        case presented(Toast, remaining: Interval?)

        /// Members of a toast changed; on screen it has so much time left.
        case updated(Toast, changed: [String], remaining: Interval?)

        /// A person pressed an action; the toast's own data goes back to its publisher.
        case acted(ToastID, action: String, data: JSON?)

        /// A toast went: at once, or from the screen with an exit of a length.
        case dismissed(ToastID, reason: DismissReason, action: String?, exit: Interval, data: JSON?)

        /// Someone holds a toast, for the length of a lease; it has so much time left behind it.
        case held(ToastID, holder: String, remaining: Interval?, lease: Interval)

        /// Someone let go of a toast, which others may still hold.
        case released(ToastID, holder: String, remaining: Interval?, isHeld: Bool)

        /// The channel's own settings are these now.
        indirect case configured(Settings)
    }

    /// The place of the event in its channel.
    public let offset: Offset

    /// When it happened.
    public let at: Instant

    /// What happened.
    public let kind: Kind

    /// An event.
    public init(offset: Offset, at: Instant, kind: Kind) {
        self.offset = offset
        self.at = at
        self.kind = kind
    }

    /// The type of its envelope.
    public var type: EventType {
        switch self.kind {
        case .enqueued: .enqueued
        case .presented: .presented
        case .updated: .updated
        case .acted: .acted
        case .dismissed: .dismissed
        case .held: .held
        case .released: .released
        case .configured: .configured
        }
    }
}
