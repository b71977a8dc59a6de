/// A key under which a publisher may repeat a request to a channel.
///
/// It belongs to the principal who sent it: other principals can neither use it up nor see its answer.
public struct IdempotencyKey: Hashable, Sendable {
    /// The name of the principal; empty for a key that an older version stored, which belongs to all principals.
    public let owner: String

    /// The key as the client sent it.
    public let text: String

    /// A key of a principal.
    public init(_ text: String, of owner: String) {
        self.owner = owner
        self.text = text
    }
}

/// What a store remembers of a request that carried an `Idempotency-Key`.
public struct IdempotencyRecord: Hashable, Sendable {
    /// The key of the request; its scope is the channel.
    public let key: IdempotencyKey

    /// A digest of the request, to distinguish a repetition from another request under the same key.
    public let fingerprint: [UInt8]

    /// When the first request was accepted; retention counts from here.
    public let at: Instant

    /// The answer to give again: status and body as the server wrote them, a secret of the server.
    public let response: [UInt8]

    /// The toast that the request was about; `nil` when it was about several, or an older version stored the record.
    public let toast: ToastID?

    /// How that toast ended, as ``ToastOutcome`` says it; `nil` while it lives.
    public var outcome: [UInt8]?

    /// A record for a store.
    public init(
        key: IdempotencyKey,
        fingerprint: [UInt8],
        at: Instant,
        response: [UInt8],
        toast: ToastID? = nil,
        outcome: [UInt8]? = nil
    ) {
        self.key = key
        self.fingerprint = fingerprint
        self.at = at
        self.response = response
        self.toast = toast
        self.outcome = outcome
    }
}
