import ToastCore
import ToastHub

// ChannelRequest documents the kind of answer to each request. An answer of another kind is a fault of the server.

extension ChannelAnswer {
    func toast() throws(Problem) -> Toast {
        guard case .toast(let toast) = self else { throw self.fault }
        return toast
    }

    func toasts() throws(Problem) -> [Toast] {
        guard case .toasts(let toasts) = self else { throw self.fault }
        return toasts
    }

    func found() throws(Problem) -> Toast? {
        guard case .found(let found) = self else { throw self.fault }
        return found
    }

    func listing() throws(Problem) -> Listing {
        guard case .listing(let listing) = self else { throw self.fault }
        return listing
    }

    func count() throws(Problem) -> Int {
        guard case .count(let count) = self else { throw self.fault }
        return count
    }

    func hold() throws(Problem) -> HoldAnswer {
        guard case .hold(let hold) = self else { throw self.fault }
        return hold
    }

    func configuration() throws(Problem) -> Configuration {
        guard case .configuration(let configuration) = self else { throw self.fault }
        return configuration
    }

    func summary() throws(Problem) -> ChannelSummary {
        guard case .summary(let summary) = self else { throw self.fault }
        return summary
    }

    var fault: Problem { Problem(.internalError) }
}
