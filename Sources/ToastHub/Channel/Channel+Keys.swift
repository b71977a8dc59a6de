import EventLoop
import Synchronization
import ToastCore

/// How many idempotency keys of a channel are kept, as far as the channel knows.
struct KeyCount {
    /// Those that were counted, and those that came since.
    var number = 0

    /// When they were counted.
    private(set) var countedAt: Int64?

    /// How long a count holds once there are too many, in nanoseconds: counting is a walk over them.
    private static let interval: Int64 = 10_000_000_000

    /// Whether it takes another count to know that there are too many.
    func isStale(at now: Int64) -> Bool {
        self.countedAt.map { now - $0 >= Self.interval } ?? true
    }

    mutating func take(_ number: Int, at now: Int64) {
        (self.number, self.countedAt) = (number, now)
    }
}

extension Channel {
    /// Makes sure that one more idempotency key can be kept.
    ///
    /// None is forgotten to make room: its sender was promised that a repetition does nothing.
    ///
    /// - Throws: `tooManyKeys`; `unavailable` when they could not be counted.
    func makeRoomForKey() async throws(ChannelError) {
        let limit = self.context.quota.keys.load(ordering: .relaxed)
        if self.keyCount.countedAt == nil || self.keyCount.number >= limit, self.keyCount.isStale(at: EventLoop.now) {
            do throws(StoreError) {
                self.keyCount.take(try await self.context.store.recordCount(of: self.name), at: EventLoop.now)
            } catch {
                throw .unavailable(error)
            }
        }
        guard self.keyCount.number < limit else { throw .tooManyKeys }
    }
}
