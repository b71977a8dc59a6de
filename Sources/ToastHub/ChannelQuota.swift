public import MicroHTTP
import Synchronization
public import ToastAccess

/// How much all channels together may take, for all loops to read.
final class ChannelQuota: Sendable {
    /// The most channels that a loop may have in memory.
    let perLoop = Atomic(Int.max)

    /// The most idempotency keys that are kept of one channel.
    let keys = Atomic(Int.max)

    /// The most toasts that wait in one channel.
    let queue = Atomic(Int.max)

    /// The memory that the process may take, in bytes.
    let memory = Atomic(Int.max)

    /// Whether it takes more.
    let isShort = Atomic(false)
}

extension Hub {
    /// The memory that the process may take, in bytes; what makes it grow is refused beyond.
    public var memoryLimit: Int { self.quota.memory.load(ordering: .relaxed) }

    /// Whether the process takes more memory than it may.
    public var isShortOfMemory: Bool { self.quota.isShort.load(ordering: .relaxed) }

    /// Keeps at most so many idempotency keys of a channel; those that are there stay.
    public func limitKeys(to count: Int) {
        self.quota.keys.store(count, ordering: .relaxed)
    }

    /// Lets at most so many toasts wait in a channel, whatever its settings say; those that are there stay.
    public func limitQueues(to count: Int) {
        self.quota.queue.store(count, ordering: .relaxed)
    }

    /// Lets the process take so much memory, in bytes; an eighth of it for what peers have not read yet.
    public func limitMemory(to bytes: Int) {
        self.quota.memory.store(bytes, ordering: .relaxed)
        self.outputBudget.change(to: bytes / 8)
    }

    /// Charges what goes out to somebody, until the charge is released.
    ///
    /// It counts for those whom rates count it for, but not for this machine: a proxy that runs here and is not trusted stands
    /// for all who come through it.
    ///
    /// - Returns: Nil when too little is left.
    public func chargeOutput(_ bytes: Int, to visitor: Caller) -> MemoryCharge? {
        self.outputBudget.charge(bytes, to: visitor.source.isLocal ? nil : visitor.party.number)
    }

    /// Says whether the process takes more memory than it may; idle channels go then, and no others are read.
    ///
    /// To be called from any thread, as long as it lasts.
    public func tell(isShortOfMemory isShort: Bool) {
        self.quota.isShort.store(isShort, ordering: .relaxed)
        if isShort { self.forgetIdle() }
    }
}
