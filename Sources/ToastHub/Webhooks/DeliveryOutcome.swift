import HTTPClient
import ToastCore

/// What the result of a transfer means for a delivery.
enum DeliveryOutcome: Hashable {
    /// The receiver has accepted it.
    case delivered
    /// The receiver is gone for good.
    case gone
    /// To be retried; if the receiver as a whole is in trouble, its other deliveries should wait too.
    case failed(reason: String, isTrouble: Bool, retryAfter: Interval?)
    /// Not sent: too many connections to the same address.
    case crowded(address: String)
    /// Unknown, because the service is stopping.
    case unknown

    /// Whether the receiver works, even if it rejects the message; nil when that is unknown.
    var isAnswer: Bool? {
        switch self {
        case .delivered, .failed(_, isTrouble: false, _): true
        case .gone, .failed: false
        case .crowded, .unknown: nil
        }
    }

    init(_ transfer: TransferOutcome) {
        switch transfer {
        case .answered(200..<300, _):
            self = .delivered
        case .answered(410, _):
            self = .gone
        case .answered(let status, let seconds):
            // 408 and 429 concern the receiver as a whole, other statuses below 500 only this message.
            let isTrouble = status >= 500 || status == 429 || status == 408
            let retryAfter = seconds.map { Interval(seconds: Double($0)) }
            self = .failed(reason: "status \(status)", isTrouble: isTrouble, retryAfter: retryAfter)
        case .forbidden(let address):
            self = .failed(reason: "address \(address) is not allowed", isTrouble: true, retryAfter: nil)
        case .crowded(let address):
            self = .crowded(address: address)
        case .failed(let reason):
            self = .failed(reason: reason, isTrouble: true, retryAfter: nil)
        case .closed:
            self = .unknown
        }
    }
}
