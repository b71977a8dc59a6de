import Courier
import Synchronization
public import ToastCore

/// How the last try to tell a webhook of something ended.
public struct DeliveryAttempt: Hashable, Sendable {
    /// How a try ends.
    public enum Outcome: String, CaseIterable, Sendable {
        /// The receiver took it.
        case delivered
        /// The receiver answered with another status than 2xx.
        case refused
        /// Nobody answered.
        case unreachable
        /// The name of the receiver leads to an address that nothing may be sent to.
        case addressNotAllowed
    }

    /// When it ended.
    public let at: Instant

    /// How it ended.
    public let outcome: Outcome

    /// The status of the answer; nil when there was none.
    public let status: Int?

    /// What came of a letter; nil when nothing was sent.
    init?(_ receipt: Receipt, at instant: Instant) {
        self.at = instant
        switch receipt {
        case .answered(let status, _):
            self.outcome = 200..<300 ~= status ? .delivered : .refused
            self.status = status
        case .forbidden: (self.outcome, self.status) = (.addressNotAllowed, nil)
        case .failed: (self.outcome, self.status) = (.unreachable, nil)
        case .crowded, .closed: return nil
        }
    }
}

/// How the last tries ended, since the server started; for those who manage a channel.
///
/// Bounded: past ``limit`` webhooks all are forgotten.
public final class DeliveryAttempts: Sendable {
    private struct Key: Hashable {
        let channel: ChannelName
        let url: WebhookURL
    }

    /// The webhooks of which the last try is remembered.
    static let limit = 4096

    private let last = Mutex<[Key: DeliveryAttempt]>([:])

    /// How the last try for a webhook ended; nil when there was none since the start, or it is forgotten.
    public func last(for url: WebhookURL, of channel: ChannelName) -> DeliveryAttempt? {
        self.last.withLock { $0[Key(channel: channel, url: url)] }
    }

    func note(_ attempt: DeliveryAttempt, for url: WebhookURL, of channel: ChannelName) {
        self.last.withLock { last in
            let key = Key(channel: channel, url: url)
            if last.count >= Self.limit, last[key] == nil { last = [:] }
            last[key] = attempt
        }
    }

    func forget(_ channel: ChannelName) {
        self.last.withLock { last in last = last.filter { $0.key.channel != channel } }
    }
}
