/// Something that happened in a channel.
///
/// Times in events are whole milliseconds, which is what the wire carries, so an event that is written and read back is
/// equal, and a channel that is rebuilt from its events equals the original.
public struct Event: Equatable, Sendable {
    /// What happened.
    ///
    /// Indirect, because an event is passed on often, and copying a toast takes thirty times as long as a reference.
    public indirect enum Kind: Equatable, Sendable {
        /// A toast was accepted.
        case enqueued(Toast)

        /// A toast came on screen.
        case presented(Toast, Presentation)

        /// A toast that is queued or on screen changed.
        case updated(Toast, Update)

        /// A person pressed an action; the toast's own data goes back to its publisher.
        case acted(ToastID, action: String, data: JSON?)

        /// A toast was dismissed: from the queue, or from the screen with an exit of some length.
        case dismissed(ToastID, reason: DismissReason, action: String?, exit: Interval, data: JSON?)

        /// A toast is held for the length of a lease; `remaining` is the time that it has left after the hold.
        case held(ToastID, holder: String, remaining: Interval?, lease: Interval)

        /// A hold ended; others may still hold the toast.
        case released(ToastID, holder: String, remaining: Interval?, isHeld: Bool)

        /// The channel's own settings are these now.
        case configured(Settings)
    }

    /// The offset of the event.
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

extension Event.Kind {
    /// Whether it may contain any JSON of the publisher's, which takes up to twelve times the memory of its text.
    public var mayHaveFreeContent: Bool {
        switch self {
        case .enqueued(let toast), .presented(let toast, _), .updated(let toast, _): toast.content.box != .empty
        case .acted(_, _, let data), .dismissed(_, _, _, _, let data): data != nil
        case .held, .released: false
        case .configured: true
        }
    }
}

/// How a toast comes on screen.
public struct Presentation: Hashable, Sendable {
    /// The time on screen, in a stack with the entry animation included; `nil` for indefinitely.
    public var remaining: Interval?

    /// The haptic feedback, resolved for its role; `nil` for none.
    public var haptic: Haptic?

    /// What a screen reader says, the same for every consumer; `nil` in events of older versions.
    public var announcement: String?
}

/// How a toast changed.
public struct Update: Hashable, Sendable {
    /// The names of the members that changed, in the order of `openapi.yaml`.
    public var changed: [String]

    /// The time that it has left on screen; `nil` for indefinitely, and while it is queued.
    public var remaining: Interval?

    /// Whether it is held, so that its time does not run.
    public var isHeld = false

    /// Whether it is the newest now, because it was sent again or no longer waits for its `notBefore`.
    public var moved = false

    /// What a screen reader says; `nil` when there is nothing new to say.
    public var announcement: String?
}
