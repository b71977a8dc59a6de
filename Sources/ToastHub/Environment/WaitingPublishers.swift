import Synchronization
import ToastCore

/// Counts, on all loops, the waiting publishers of each toast that is dismissed when the last of them is lost.
final class WaitingPublishers: Sendable {
    private let counts = Mutex<[ToastID: Int]>([:])

    func add(_ toast: ToastID) {
        self.counts.withLock { $0[toast, default: 0] += 1 }
    }

    /// A publisher no longer waits; returns whether it was the last one.
    func remove(_ toast: ToastID) -> Bool {
        self.counts.withLock { counts in
            let left = (counts[toast] ?? 1) - 1
            counts[toast] = left > 0 ? left : nil
            return left <= 0
        }
    }
}
