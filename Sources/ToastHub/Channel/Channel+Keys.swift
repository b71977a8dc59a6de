import EventLoop
import Synchronization
import ToastCore

/// How many idempotency keys of a channel are kept, as far as the channel knows.
///
/// When there are as many as may be, each new key displaces the oldest key of the owner who has the most. So an owner who keeps
/// sending new keys displaces only their own, and owners with fewer keys than an equal share lose none.
struct KeyCount {
    /// Those that were counted, and those that came since.
    private(set) var number = 0

    /// When they were counted.
    private(set) var countedAt: Int64?

    /// How many each owner has; known only while there are as many as may be, to keep no map of owners for each channel.
    private var owners: [String: Int] = [:]

    /// How long a count holds once there are too many, in nanoseconds: counting is a walk over them.
    private static let interval: Int64 = 10_000_000_000

    /// Whether the keys have to be counted before another one is added.
    func isUnknown(at now: Int64, limit: Int) -> Bool {
        guard let countedAt = self.countedAt else { return true }
        return self.number >= limit && (self.owners.isEmpty || now - countedAt >= Self.interval)
    }

    /// Whether there may be any.
    var mayBeAny: Bool { self.number > 0 || self.countedAt == nil }

    /// Takes a number that was counted.
    mutating func take(_ number: Int, at now: Int64) {
        (self.number, self.countedAt, self.owners) = (number, now, [:])
    }

    /// Takes what was counted for each owner.
    mutating func take(_ owners: [String: Int], at now: Int64, limit: Int) {
        self.take(owners.values.reduce(0, +), at: now)
        if self.number >= limit { self.owners = owners }
    }

    /// Whether a key of an owner can be added: not when all that are kept are the only ones of their owners.
    func hasRoom(for owner: String, limit: Int) -> Bool {
        self.number < limit || self.owners[owner, default: 0] > 0 || self.owners.values.contains { $0 > 1 }
    }

    /// Adds a key.
    ///
    /// - Parameters:
    ///   - owner: Whose it is.
    ///   - limit: How many there may be.
    /// - Returns: The owner who loses their oldest key for it; `nil` when there is room.
    mutating func add(_ owner: String, limit: Int) -> String? {
        self.number += 1
        // Without counts by owner the bound was reached since this key's request looked: there are few of those at a time.
        guard self.number > limit, !self.owners.isEmpty else { return nil }
        let own = self.owners[owner, default: 0] + 1
        self.owners[owner] = own
        guard let most = self.owners.max(by: { $0.value < $1.value }) else { return nil }
        let loser = own == most.value ? owner : most.key
        self.owners[loser] = most.value - 1
        self.number -= 1
        return loser
    }
}

extension Channel {
    /// Makes sure that one more idempotency key can be kept.
    ///
    /// - Throws: `tooManyKeys`; `unavailable` when they could not be counted.
    func makeRoomForKey(of owner: String) async throws(ChannelError) {
        let limit = self.context.quota.keys.load(ordering: .relaxed)
        if self.keyCount.isUnknown(at: EventLoop.now, limit: limit) {
            do throws(StoreError) {
                let counts = try await self.context.store.recordCounts(of: self.name)
                self.keyCount.take(counts, at: EventLoop.now, limit: limit)
            } catch {
                throw .unavailable(error)
            }
        }
        guard self.keyCount.hasRoom(for: owner, limit: limit) else { throw .tooManyKeys }
    }

    /// Has the answer to a request stored for its repetitions, with the next events.
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - request: The request.
    ///   - toast: The toast that it is about, whose outcome is kept with the answer; nil when it is about several.
    ///   - now: Now.
    func keep(_ answer: [UInt8], for request: IdempotentRequest, about toast: ToastID?, at now: Instant) {
        self.recordsTaken += 1
        self.pendingRecords.append(
            IdempotencyRecord(
                key: request.key,
                fingerprint: request.fingerprint,
                at: now,
                response: answer,
                toast: toast
            )
        )
        if let toast { self.engine.watch(toast) }
        let limit = self.context.quota.keys.load(ordering: .relaxed)
        if let loser = self.keyCount.add(request.key.owner, limit: limit) { self.pendingDisplaced.append(loser) }
    }

    /// A toast that ended too long ago to be remembered, as it ended; nil when it was published under no key that is kept.
    func keptOutcome(of id: ToastID) async throws(ChannelError) -> Toast? {
        guard self.keyCount.mayBeAny else { return nil }
        do throws(StoreError) {
            return try await self.context.store.outcome(of: id, in: self.name)?.toast
        } catch {
            throw .unavailable(error)
        }
    }

    /// The answer that a request under this key got before; `nil` when it is the first.
    func record(of request: IdempotentRequest) async throws(ChannelError) -> IdempotencyRecord? {
        do throws(StoreError) {
            return try await self.context.store.record(of: self.name, key: request.key)
        } catch {
            throw .unavailable(error)
        }
    }
}
