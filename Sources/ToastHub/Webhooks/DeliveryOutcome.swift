import Courier
import ToastCore

/// What a receipt means for a delivery.
enum DeliveryOutcome: Hashable {
    /// The receiver has it.
    case delivered
    /// The receiver wants nothing any more.
    case gone
    /// To be tried again; where the receiver itself is in trouble, everything else for it had better wait too.
    case failed(reason: String, isTrouble: Bool, wish: Interval?)
    /// Not tried: too much goes to the same address already.
    case crowded(address: String)
    /// Nothing is known: the service ends.
    case unknown

    /// Whether the receiver is there and well, whatever it thinks of the message; nil when nothing is known.
    var isAnswer: Bool? {
        switch self {
        case .delivered, .failed(_, isTrouble: false, _): true
        case .gone, .failed: false
        case .crowded, .unknown: nil
        }
    }

    init(_ receipt: Receipt) {
        switch receipt {
        case .answered(200..<300, _):
            self = .delivered
        case .answered(410, _):
            self = .gone
        case .answered(let status, let retryAfter):
            // 408 and 429 speak of the receiver as a whole, other statuses below 500 of this one message.
            let isTrouble = status >= 500 || status == 429 || status == 408
            let wish = retryAfter.map { Interval(seconds: Double($0)) }
            self = .failed(reason: "status \(status)", isTrouble: isTrouble, wish: wish)
        case .forbidden(let address):
            self = .failed(reason: "address \(address) is not allowed", isTrouble: true, wish: nil)
        case .crowded(let address):
            self = .crowded(address: address)
        case .failed(let reason):
            self = .failed(reason: reason, isTrouble: true, wish: nil)
        case .closed:
            self = .unknown
        }
    }
}
