public import ToastCore

/// A request that its sender may repeat without effect.
public struct IdempotentRequest: Hashable, Sendable {
    /// The key that the sender chose.
    public let key: String

    /// A digest of the request.
    public let fingerprint: [UInt8]

    /// A request under a key.
    public init(key: String, fingerprint: [UInt8]) {
        self.key = key
        self.fingerprint = fingerprint
    }
}

/// What became of a publication.
public enum Publication: Sendable {
    /// The toasts are in the channel.
    case accepted(Acceptance)

    /// The same request came before; this is what it was answered with.
    case repeated([UInt8])
}

/// Toasts that a channel has taken.
public struct Acceptance: Sendable {
    /// The toasts as they stand now.
    public let toasts: [Toast]

    /// Whether any of them was not there before.
    public let isNew: Bool

    /// The `enqueued` events of the toasts, in their order, if nothing else happened; none otherwise.
    ///
    /// They hold the texts of the toasts as they stand now, and nobody has to write them again.
    public let events: ArraySlice<StoredEvent>

    /// Toasts that a channel has taken.
    public init(toasts: [Toast], isNew: Bool, events: ArraySlice<StoredEvent> = []) {
        self.toasts = toasts
        self.isNew = isNew
        self.events = events
    }
}

/// Toasts that are in a channel's engine, on their way to its store.
struct Begun {
    let acceptance: Acceptance
    /// One who waits until they are stored; nil when they are.
    let waiter: Waiter?
}
