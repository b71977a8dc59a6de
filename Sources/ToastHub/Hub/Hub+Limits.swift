package import MicroHTTP
import Synchronization
package import ToastAccess

extension Hub {
    /// The memory limit of the process, in bytes; beyond it, requests that need more memory are refused.
    package var memoryLimit: Int { self.quota.memory.load(ordering: .relaxed) }

    /// Whether the process exceeds its memory limit.
    package var isShortOfMemory: Bool { self.quota.isShort.load(ordering: .relaxed) }

    /// Sets the maximum number of idempotency keys per channel; existing keys stay.
    package func limitKeys(to count: Int) {
        self.quota.keys.store(count, ordering: .relaxed)
    }

    /// Sets the maximum number of queued toasts per channel, whatever its settings say; existing toasts stay.
    package func limitQueues(to count: Int) {
        self.quota.queue.store(count, ordering: .relaxed)
    }

    /// Sets the memory limit of the process, in bytes; an eighth of it is for output that peers have not read yet.
    package func limitMemory(to bytes: Int) {
        self.quota.memory.store(bytes, ordering: .relaxed)
        self.outputBudget.change(to: bytes / 8)
    }

    /// Charges output to a caller, until the charge is released.
    ///
    /// It also counts towards the share of the caller's rate limit key. For callers on this machine only the whole
    /// budget is the limit, because an untrusted proxy on this machine stands for all of its clients.
    ///
    /// - Returns: Nil when the budget has no room.
    package func chargeOutput(_ bytes: Int, to caller: Caller) -> MemoryCharge? {
        self.outputBudget.charge(bytes, to: caller.source.isLocal ? nil : caller.rateLimitKey.number)
    }

    /// A frame, charged to a caller if it is long; nil when the budget has no room for it.
    package func charged(_ frame: Frame, to caller: Caller) -> Frame? {
        guard frame.charge == nil, frame.count > MemoryBudget.freeBytes else { return frame }
        return self.chargeOutput(frame.count, to: caller).map { Frame(frame.bytes, charge: $0) }
    }

    /// Reports whether the process exceeds its memory limit; while it does, idle channels leave memory and no others
    /// are loaded.
    ///
    /// Call it repeatedly while the limit is exceeded, from any thread.
    package func note(isShortOfMemory isShort: Bool) {
        self.quota.isShort.store(isShort, ordering: .relaxed)
        if isShort { self.forgetIdle() }
    }
}
