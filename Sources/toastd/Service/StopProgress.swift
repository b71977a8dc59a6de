import Logging
import Synchronization

/// What a stop waits for; the log names it when the stop takes too long.
final class StopProgress: Sendable {
    /// The steps of a stop, in their order.
    enum Step: String {
        case work = "work that was under way"
        case handover = "the requests of other nodes"
        case drainDelay = "the drain delay"
        case streams
        case requests
        case webhooks
        case membership = "the work for the cluster"
        case leaving = "leaving the cluster"
        case store
    }

    private let current = Mutex(Step.work)

    var step: Step { self.current.withLock { $0 } }

    func begin(_ step: Step, _ logger: Logger) {
        self.current.withLock { $0 = step }
        logger.debug("stopping", metadata: ["waits": "\(step.rawValue)"])
    }
}
