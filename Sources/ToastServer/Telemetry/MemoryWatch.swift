import EventLoop
import Logging
import ToastHub

/// Notices that the process takes more memory than it may: what makes channels grow is refused then.
struct MemoryWatch {
    private let hub: Hub
    private let logger: Logger
    /// When memory was last given back, in nanoseconds of the monotonic clock.
    private var relievedAt = Int64.min

    /// How often memory is given back at most, in nanoseconds: for as long as that takes, whoever wants memory waits.
    private static let interval: Int64 = 5_000_000_000

    init(_ hub: Hub, _ logger: Logger) {
        self.hub = hub
        self.logger = logger
    }

    /// Looks how much is taken.
    mutating func look(at now: Int64) {
        let (limit, wasShort) = (self.hub.memoryLimit, self.hub.isShortOfMemory)
        // Some way below the limit, so that it does not go to and fro.
        let mark = wasShort ? limit / 16 * 15 : limit
        var bytes = ProcessFigures.ownBytes
        let isDue = bytes > mark && now - Self.interval >= self.relievedAt
        if isDue {
            self.relievedAt = now
            Heap.giveBack()
            bytes = ProcessFigures.ownBytes
        }
        let isShort = bytes > mark
        // Said again for as long as it lasts: each time idle channels go.
        guard isShort != wasShort || (isShort && isDue) else { return }
        self.hub.tell(isShortOfMemory: isShort)
        guard isShort != wasShort else { return }
        let metadata: Logger.Metadata = ["bytes": "\(bytes)", "limit": "\(limit)"]
        if isShort {
            self.logger.error("out of memory: nothing new is taken", metadata: metadata)
        } else {
            self.logger.notice("there is memory again", metadata: metadata)
        }
    }
}
