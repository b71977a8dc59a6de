import Logging
import ToastStore

extension StoreNotice {
    func log(to logger: Logger) {
        switch self {
        case .newEpoch:
            logger.warning("the store was restored, or not closed before the machine stopped: it has a new epoch")
        case .failing(let error):
            logger.critical("nothing can be stored, not ready", metadata: ["reason": "\(error)"])
        case .recovered:
            logger.notice("the store can write again, ready")
        case .fault(let error):
            logger.error("something could not be stored or read", metadata: ["reason": "\(error)"])
        }
    }
}
