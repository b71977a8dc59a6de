/// Sends webhook deliveries.
package protocol WebhookSender: Sendable {
    /// Sends a request once, and returns when it was answered or has failed, in bounded time.
    func post(_ request: OutgoingRequest) async -> TransferOutcome
}

/// The result of sending a request.
package enum TransferOutcome: Hashable, Sendable {
    /// The receiver answered, perhaps with a `Retry-After` in seconds.
    case answered(status: Int, retryAfter: Int?)

    /// The host resolves to an address that the policy refuses.
    case forbidden(address: String)

    /// The host resolves to an address to which the group has as many connections as it may have: nothing was sent.
    case crowded(address: String)

    /// No answer came; the text is for the log and contains nothing of the request.
    case failed(String)

    /// The sender was closed meanwhile.
    case closed
}
