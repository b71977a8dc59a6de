public import ToastCore

/// Something about webhooks that people who run the service should know.
///
/// Tells origins only: tokens stand in paths and queries of URLs.
public enum WebhookReport: Equatable, Sendable, CustomStringConvertible {
    /// A try failed; the delivery is tried again.
    case failed(ChannelName, origin: String, reason: String)

    /// A delivery is not tried any more.
    case gaveUp(ChannelName, origin: String, message: String, tries: Int, reason: String)

    /// A webhook waits, because its owner has as many connections to the address behind its name as may be.
    case crowded(ChannelName, origin: String, address: String)

    /// A receiver said that it is gone: its webhook is switched off, and so many deliveries went with it.
    case gone(ChannelName, origin: String, deliveries: Int)

    /// The outbox could not be read or written.
    case storeFailed(StoreError)

    /// Whether something was lost, or may be.
    public var isSerious: Bool {
        switch self {
        case .failed, .crowded: false
        case .gaveUp, .gone, .storeFailed: true
        }
    }

    /// The report in a sentence.
    public var description: String {
        switch self {
        case .failed(let channel, let origin, let reason):
            "a webhook of channel \(channel) at \(origin) failed and is tried again: \(reason)"
        case .gaveUp(let channel, let origin, let message, let tries, let reason):
            "message \(message) to a webhook of channel \(channel) at \(origin) is given up, tries \(tries): \(reason)"
        case .crowded(let channel, let origin, let address):
            "a webhook of channel \(channel) at \(origin) waits: its owner has as many connections to \(address) as may be"
        case .gone(let channel, let origin, let deliveries):
            "a webhook of channel \(channel) at \(origin) is gone and switched off, \(deliveries) given up"
        case .storeFailed(let error):
            "webhooks wait for the store: \(error)"
        }
    }
}
