import EventLoop
import Logging
import ToastHub

/// Notices that the process uses more memory than it may; then requests that make channels grow are refused.
struct MemoryWatch {
    /// What a watch reads and does; tests pass their own.
    struct Environment {
        /// The memory that the process may use, in bytes.
        var limit: () -> Int
        /// Whether `tell` was last called with true.
        var isShort: () -> Bool
        /// The memory that the process uses, in bytes.
        var bytes: () -> Int
        /// How much of the heap is allocated, in bytes.
        var used: () -> Int
        /// Returns free memory to the system.
        var trim: () -> Void
        /// Tells the hub whether the process uses more than it may; each call with true unloads idle channels.
        var tell: (Bool) -> Void
    }

    private let environment: Environment
    private let logger: Logger
    /// When memory was last returned, in nanoseconds of the monotonic clock.
    private var relievedAt = Int64.min

    /// When the free part of the heap was last measured, on the same clock.
    private var trimmedAt = Int64.min

    /// The least time between two measurements of the heap, in nanoseconds.
    private static let trimInterval: Int64 = 10_000_000_000

    /// The sizes of the process, in bytes, at which the heap is measured.
    ///
    /// A smaller one has little to return; a walk over the free pieces of a larger one's heap may stop a loop for too
    /// long (20 ms for 256 MiB of pieces of 2 KiB, every other one free).
    private static let trimSizes = 32 * 1_048_576...256 * 1_048_576

    /// The least that is worth returning, in bytes.
    private static let trimWorth = 16 * 1_048_576

    /// The least time between two returns of memory, in nanoseconds: during one, all allocations wait.
    private static let interval: Int64 = 5_000_000_000

    init(_ hub: Hub, _ logger: Logger) {
        let environment = Environment(
            limit: { hub.memoryLimit },
            isShort: { hub.isShortOfMemory },
            bytes: { ProcessFigures.ownBytes },
            used: { Heap.usedBytes },
            trim: Heap.trim,
            tell: { hub.note(isShortOfMemory: $0) }
        )
        self.init(environment, logger)
    }

    init(_ environment: Environment, _ logger: Logger) {
        self.environment = environment
        self.logger = logger
    }

    /// Checks how much memory is in use.
    mutating func look(at now: Int64) {
        let (limit, wasShort) = (self.environment.limit(), self.environment.isShort())
        // The shortage ends below the limit, so that it does not flap.
        let mark = wasShort ? limit / 16 * 15 : limit
        var bytes = self.environment.bytes()
        let isDue = bytes > mark && now - Self.interval >= self.relievedAt
        if isDue {
            self.relievedAt = now
            self.environment.trim()
            bytes = self.environment.bytes()
        }
        let isShort = bytes > mark
        // Repeated during a shortage, because each call unloads idle channels.
        guard isShort != wasShort || (isShort && isDue) else { return isShort ? () : self.trimHeap(bytes, at: now) }
        self.environment.tell(isShort)
        guard isShort != wasShort else { return }
        let metadata: Logger.Metadata = ["bytes": "\(bytes)", "limit": "\(limit)"]
        if isShort {
            self.logger.error("out of memory: nothing new is taken", metadata: metadata)
        } else {
            self.logger.notice("there is memory again", metadata: metadata)
        }
    }

    /// Returns free memory of the heap to the system after a burst.
    ///
    /// glibc itself returns only free memory at the end of an arena, and none if one small piece there is in use.
    private mutating func trimHeap(_ bytes: Int, at now: Int64) {
        guard Self.trimSizes.contains(bytes), now - Self.trimInterval >= self.trimmedAt else { return }
        self.trimmedAt = now
        if bytes - self.environment.used() >= Self.trimWorth { self.environment.trim() }
    }
}
