/// The whole state of a channel after an event, so that not all events need to be folded.
public struct StoredSnapshot: Hashable, Sendable {
    /// The last event that the state contains.
    public let offset: Offset

    /// The state as the engine wrote it: JSON in UTF-8, private to the engine.
    public let state: [UInt8]

    /// A snapshot for a store.
    public init(offset: Offset, state: [UInt8]) {
        self.offset = offset
        self.state = state
    }
}

/// What a store knows of a channel: its latest snapshot and every event after it.
public struct StoredChannel: Hashable, Sendable {
    /// The state to start from; `nil` when no snapshot was ever kept.
    public let snapshot: StoredSnapshot?

    /// The events after the snapshot, oldest first.
    public let tail: [StoredEvent]

    /// The last event of the channel; where it would begin if it has none.
    public let last: Offset

    /// The channel's webhooks, in their order.
    public let webhooks: [Webhook]

    /// How many idempotency records are kept; `nil` when there are too many to count while loading.
    public let recordCount: Int?

    /// The toasts of idempotency records of which no outcome is kept.
    public let openToasts: [ToastID]

    /// A channel as a store reads it.
    public init(
        snapshot: StoredSnapshot?,
        tail: [StoredEvent],
        last: Offset,
        webhooks: [Webhook] = [],
        recordCount: Int? = 0,
        openToasts: [ToastID] = []
    ) {
        self.snapshot = snapshot
        self.tail = tail
        self.last = last
        self.webhooks = webhooks
        self.recordCount = recordCount
        self.openToasts = openToasts
    }
}

/// Part of a channel's history, as a reader asked for it.
public struct History: Hashable, Sendable {
    /// The events after the requested offset, oldest first, without a gap.
    public let events: [StoredEvent]

    /// Whether events between the requested offset and the first one here are no longer kept.
    public let isCut: Bool

    /// A part of a history.
    public init(events: [StoredEvent], isCut: Bool) {
        self.events = events
        self.isCut = isCut
    }
}
