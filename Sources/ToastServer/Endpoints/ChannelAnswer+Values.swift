import ToastCore
import ToastHub

// A channel answers each request in one way, which ChannelRequest documents. Another answer is a fault of the server.

extension ChannelAnswer {
    var toast: Toast {
        get throws(Problem) {
            guard case .toast(let toast) = self else { throw self.fault }
            return toast
        }
    }

    var toasts: [Toast] {
        get throws(Problem) {
            guard case .toasts(let toasts) = self else { throw self.fault }
            return toasts
        }
    }

    var found: Toast? {
        get throws(Problem) {
            guard case .found(let found) = self else { throw self.fault }
            return found
        }
    }

    var listing: Listing {
        get throws(Problem) {
            guard case .listing(let listing) = self else { throw self.fault }
            return listing
        }
    }

    var count: Int {
        get throws(Problem) {
            guard case .count(let count) = self else { throw self.fault }
            return count
        }
    }

    var hold: HoldAnswer {
        get throws(Problem) {
            guard case .hold(let hold) = self else { throw self.fault }
            return hold
        }
    }

    var configuration: Configuration {
        get throws(Problem) {
            guard case .configuration(let configuration) = self else { throw self.fault }
            return configuration
        }
    }

    var summary: ChannelSummary {
        get throws(Problem) {
            guard case .summary(let summary) = self else { throw self.fault }
            return summary
        }
    }

    var fault: Problem { Problem(.internalError) }
}
