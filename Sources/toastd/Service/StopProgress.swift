import Logging
import Synchronization

/// What a stop waits for, so that one that takes too long can say it.
final class StopProgress: Sendable {
    /// The steps of a stop, in their order.
    enum Step: String {
        case periodicWork = "periodic work"
        case handover = "the requests of other nodes"
        case drainDelay = "the drain delay"
        case streams
        case requests
        case webhooks
        case membership = "the work for the cluster"
        case leaving = "leaving the cluster"
        case store
    }

    private let current = Mutex(Step.periodicWork)

    /// The step that is under way.
    var step: Step { self.current.withLock { $0 } }

    /// Begins a step.
    func begin(_ step: Step, _ logger: Logger) {
        self.current.withLock { $0 = step }
        logger.debug("stopping", metadata: ["waits": "\(step.rawValue)"])
    }
}
