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
