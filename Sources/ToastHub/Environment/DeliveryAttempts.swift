import HTTPClient
import Synchronization
package import ToastCore

/// The result of an attempt to deliver to a webhook.
package struct DeliveryAttempt: Hashable, Sendable {
    package enum Outcome: String, CaseIterable, Sendable {
        /// The receiver accepted it with a status 2xx.
        case delivered
        /// The receiver answered with another status.
        case refused
        /// The receiver did not answer.
        case unreachable
        /// The receiver's name resolves to an address to which requests are not allowed.
        case addressNotAllowed
    }

    /// The time at which it ended.
    package let at: Instant

    package let outcome: Outcome

    /// The status of the answer; nil without an answer.
    package let status: Int?

    /// The attempt with this outcome; nil when nothing was sent.
    init?(_ transfer: TransferOutcome, at instant: Instant) {
        self.at = instant
        switch transfer {
        case .answered(let status, _):
            self.outcome = 200..<300 ~= status ? .delivered : .refused
            self.status = status
        case .forbidden: (self.outcome, self.status) = (.addressNotAllowed, nil)
        case .failed: (self.outcome, self.status) = (.unreachable, nil)
        case .crowded, .closed: return nil
        }
    }
}

/// The last attempt for each webhook since the server started, for managers of a channel.
///
/// Bounded: when a webhook beyond ``limit`` is added, all others are forgotten.
package final class DeliveryAttempts: Sendable {
    static let limit = 4096

    private let last = Mutex<[Receiver: DeliveryAttempt]>([:])

    /// The last attempt for a webhook; nil when there was none since the start, or when it was forgotten.
    package func last(for url: WebhookURL, of channel: ChannelName) -> DeliveryAttempt? {
        self.last.withLock { $0[Receiver(channel: channel, url: url)] }
    }

    func note(_ attempt: DeliveryAttempt, for url: WebhookURL, of channel: ChannelName) {
        self.last.withLock { last in
            let receiver = Receiver(channel: channel, url: url)
            if last.count >= Self.limit, last[receiver] == nil { last = [:] }
            last[receiver] = attempt
        }
    }

    func forget(_ channel: ChannelName) {
        self.last.withLock { last in last = last.filter { $0.key.channel != channel } }
    }
}
