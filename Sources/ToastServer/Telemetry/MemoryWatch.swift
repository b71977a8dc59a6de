import EventLoop
import Logging
import ToastHub

/// Notices that the process takes more memory than it may: what makes channels grow is refused then.
struct MemoryWatch {
    /// What a watch sees, and what it does; tests have their own.
    struct Surroundings {
        /// The memory that the process may take, in bytes.
        var limit: () -> Int
        /// Whether it was said last that it takes more.
        var isShort: () -> Bool
        /// The memory that it takes, in bytes.
        var bytes: () -> Int
        /// How much of that the heap has in use, in bytes.
        var used: () -> Int
        /// Gives back what is free.
        var giveBack: () -> Void
        /// Says whether the process takes more than it may; idle channels go each time that it does.
        var tell: (Bool) -> Void
    }

    private let surroundings: Surroundings
    private let logger: Logger
    /// When memory was last given back, in nanoseconds of the monotonic clock.
    private var relievedAt = Int64.min

    /// When it was last looked how much of the heap is free.
    private var tidiedAt = Int64.min

    /// How often that is looked for, in nanoseconds.
    private static let tidyInterval: Int64 = 10_000_000_000

    /// The processes for which it is: in smaller ones it is not worth it, and a walk over the free pieces of a larger heap may
    /// take longer than a loop may stand still (20 ms for 256 MiB of pieces of 2 KiB, every other one free).
    private static let tidySizes = 32 * 1_048_576...256 * 1_048_576

    /// What is worth to be given back, in bytes.
    private static let tidyWorth = 16 * 1_048_576

    /// How often memory is given back at most, in nanoseconds: for as long as that takes, whoever wants memory waits.
    private static let interval: Int64 = 5_000_000_000

    init(_ hub: Hub, _ logger: Logger) {
        let surroundings = Surroundings(
            limit: { hub.memoryLimit },
            isShort: { hub.isShortOfMemory },
            bytes: { ProcessFigures.ownBytes },
            used: { Heap.usedBytes },
            giveBack: Heap.giveBack,
            tell: { hub.tell(isShortOfMemory: $0) }
        )
        self.init(surroundings, logger)
    }

    init(_ surroundings: Surroundings, _ logger: Logger) {
        self.surroundings = surroundings
        self.logger = logger
    }

    /// Looks how much is taken.
    mutating func look(at now: Int64) {
        let (limit, wasShort) = (self.surroundings.limit(), self.surroundings.isShort())
        // Some way below the limit, so that it does not go to and fro.
        let mark = wasShort ? limit / 16 * 15 : limit
        var bytes = self.surroundings.bytes()
        let isDue = bytes > mark && now - Self.interval >= self.relievedAt
        if isDue {
            self.relievedAt = now
            self.surroundings.giveBack()
            bytes = self.surroundings.bytes()
        }
        let isShort = bytes > mark
        // Said again for as long as it lasts: each time idle channels go.
        guard isShort != wasShort || (isShort && isDue) else { return isShort ? () : self.tidy(bytes, at: now) }
        self.surroundings.tell(isShort)
        guard isShort != wasShort else { return }
        let metadata: Logger.Metadata = ["bytes": "\(bytes)", "limit": "\(limit)"]
        if isShort {
            self.logger.error("out of memory: nothing new is taken", metadata: metadata)
        } else {
            self.logger.notice("there is memory again", metadata: metadata)
        }
    }

    /// Gives back what the heap keeps of a burst that is over: glibc returns by itself only what is at the end of an arena, and
    /// one small piece there holds all that is free before it.
    private mutating func tidy(_ bytes: Int, at now: Int64) {
        guard Self.tidySizes.contains(bytes), now - Self.tidyInterval >= self.tidiedAt else { return }
        self.tidiedAt = now
        if bytes - self.surroundings.used() >= Self.tidyWorth { self.surroundings.giveBack() }
    }
}
