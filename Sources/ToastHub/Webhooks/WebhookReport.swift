package import ToastCore

/// A report about a webhook, for the operators of the service.
///
/// It contains only origins, because paths and queries of URLs can contain tokens.
package enum WebhookReport: Equatable, Sendable, CustomStringConvertible {
    /// An attempt failed; the delivery is retried.
    case failed(ChannelName, origin: String, reason: String)

    /// A delivery was given up.
    case gaveUp(ChannelName, origin: String, message: String, tries: Int, reason: String)

    /// A webhook waits, because its owner has reached the limit of connections to the address of its host.
    case crowded(ChannelName, origin: String, address: String)

    /// A receiver answered 410: its webhook is disabled, and its deliveries are given up.
    case gone(ChannelName, origin: String, deliveries: Int)

    /// The queue of deliveries could not be read or written.
    case storeFailed(StoreError)

    /// Whether something was lost, or may be.
    package var isSerious: Bool {
        switch self {
        case .failed, .crowded: false
        case .gaveUp, .gone, .storeFailed: true
        }
    }

    package var description: String {
        switch self {
        case .failed(let channel, let origin, let reason):
            "a webhook of channel \(channel) at \(origin) failed and is tried again: \(reason)"
        case .gaveUp(let channel, let origin, let message, let tries, let reason):
            "message \(message) to a webhook of channel \(channel) at \(origin) is given up, tries \(tries): \(reason)"
        case .crowded(let channel, let origin, let address):
            "a webhook of channel \(channel) at \(origin) waits: its owner is at the limit of connections to \(address)"
        case .gone(let channel, let origin, let deliveries):
            "a webhook of channel \(channel) at \(origin) is gone and switched off, \(deliveries) given up"
        case .storeFailed(let error):
            "webhooks wait for the store: \(error)"
        }
    }
}
