public import ToastCore

/// A request that its sender may repeat without effect.
public struct IdempotentRequest: Hashable, Sendable {
    /// The key that the sender chose.
    public let key: IdempotencyKey

    /// A digest of the request.
    public let fingerprint: [UInt8]

    /// A request under a key.
    public init(key: IdempotencyKey, fingerprint: [UInt8]) {
        self.key = key
        self.fingerprint = fingerprint
    }
}

/// What became of a publication.
public enum Publication: Sendable {
    /// The toasts are in the channel.
    case accepted(Acceptance)

    /// The same request came before.
    case repeated(Repetition)
}

/// What a repeated request finds.
public struct Repetition: Sendable {
    /// What the first one was answered with.
    public let answer: [UInt8]

    /// The toast that it was about; nil when it was about several, or an older version answered it.
    public let toast: ToastID?

    /// That toast as it ended; nil while it lives.
    public let outcome: Toast?

    init(_ record: IdempotencyRecord) {
        self.answer = record.response
        self.toast = record.toast
        self.outcome = record.toast.flatMap { id in
            record.outcome.flatMap { ToastOutcome(id: id, document: $0).toast }
        }
    }
}

/// Toasts that a channel has taken.
public struct Acceptance: Sendable {
    /// The toasts as they stand now.
    public let toasts: [Toast]

    /// Whether any of them was not there before.
    public let isNew: Bool

    /// Those that were there before.
    public let known: [ToastID]

    /// The `enqueued` events of the toasts, in their order, if nothing else happened; none otherwise.
    ///
    /// They hold the texts of the toasts as they stand now, and nobody has to write them again.
    public let events: ArraySlice<StoredEvent>

    /// Toasts that a channel has taken.
    public init(toasts: [Toast], isNew: Bool, known: [ToastID] = [], events: ArraySlice<StoredEvent> = []) {
        self.toasts = toasts
        self.isNew = isNew
        self.known = known
        self.events = events
    }
}

/// Toasts that are in a channel's engine, on their way to its store.
struct Begun {
    let acceptance: Acceptance
    /// One who waits until they are stored; nil when they are.
    let waiter: Waiter?
}
