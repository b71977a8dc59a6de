/// The outcome of a publish: what each toast of it became.
public struct Publication: Sendable {
    /// The toasts as they are now, in the order in which they were sent.
    public let toasts: [Toast]

    /// The ids of those that existed before: repeated ids, and duplicates of a living toast.
    public let known: [ToastID]

    /// Whether any of the toasts is new.
    public let isNew: Bool

    /// All events of the call, in order: what was overdue, `enqueued` and `updated` toasts, and what follows from them.
    public let events: [Event]

    /// The same events as the store keeps them, if they are an `enqueued` for each toast and nothing else; else empty.
    ///
    /// Their envelopes contain the toasts as they are now, so that an answer can copy them.
    public var stored: ArraySlice<StoredEvent> = []

    /// A publication from its parts: one that ``Engine/enqueue(_:at:)`` made, a repetition, or another node's answer.
    package init(
        toasts: [Toast],
        known: [ToastID],
        isNew: Bool,
        events: [Event],
        stored: ArraySlice<StoredEvent> = []
    ) {
        self.toasts = toasts
        self.known = known
        self.isNew = isNew
        self.events = events
        self.stored = stored
    }

    /// Whether each toast is new and nothing else happened.
    public var isOnlyEnqueued: Bool {
        self.events.count == self.toasts.count && self.events.allSatisfy { $0.type == .enqueued }
    }

    /// The outcome that the first request got, for a repetition of the request under the same ids.
    public func repeated(under ids: [ToastID]) -> Self {
        Self(
            toasts: self.toasts,
            known: self.known.filter { !ids.contains($0) },
            isNew: self.known.contains { ids.contains($0) } || self.isNew,
            events: []
        )
    }
}
