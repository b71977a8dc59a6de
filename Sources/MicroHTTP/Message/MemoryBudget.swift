import Synchronization

/// How many bytes of long responses and frames may wait to be sent at a time, over all loops.
///
/// Without it, peers that do not read would decide how much memory the process takes. A long response or frame for one
/// peer is charged before it is made; when nothing is left, it is made later or refused.
///
/// Each charge has an owner. An owner may hold at most as much as is left for all others: one alone can take half of
/// the budget, each of two a third. So there is always room for another owner.
public final class MemoryBudget: Sendable {
    /// Responses and frames up to this length are not charged: the kernel buffers as much for a connection.
    public static let freeBytes = 16 * 1024

    private struct State {
        var limit: Int
        var used = 0
        /// What each owner holds; owners that hold nothing are not in it.
        var shares: [UInt64: Int] = [:]

        mutating func take(_ bytes: Int, for owner: UInt64?) -> Bool {
            let left = self.limit - self.used - bytes
            guard self.used == 0 || left >= 0 else { return false }
            if let owner {
                let share = self.shares[owner, default: 0]
                guard share == 0 || share + bytes <= left else { return false }
                self.shares[owner] = share + bytes
            }
            self.used += bytes
            return true
        }

        mutating func release(_ bytes: Int, of owner: UInt64?) {
            self.used -= bytes
            guard let owner, let share = self.shares[owner] else { return }
            self.shares[owner] = share > bytes ? share - bytes : nil
        }
    }

    private let state: Mutex<State>

    /// A budget of `bytes`.
    public init(bytes: Int) {
        self.state = Mutex(State(limit: bytes))
    }

    /// The bytes that are charged now.
    public var chargedBytes: Int { self.state.withLock(\.used) }

    /// How many owners have charges now.
    var ownerCount: Int { self.state.withLock(\.shares.count) }

    /// Changes the limit; existing charges stay.
    public func change(to bytes: Int) {
        self.state.withLock { $0.limit = bytes }
    }

    /// Charges some bytes, until the charge is released.
    ///
    /// - Parameters:
    ///   - bytes: How many.
    ///   - owner: The owner that they count for; nil for a charge that may take all that is left.
    /// - Returns: The charge; nil when the budget has too few bytes left, or the owner would have more bytes than
    ///   remain for others. While nothing is charged, any charge is granted; while an owner has none, its charge is
    ///   granted if it fits. Otherwise a long frame might never be sent.
    public func charge(_ bytes: Int, to owner: UInt64? = nil) -> MemoryCharge? {
        guard self.state.withLock({ $0.take(bytes, for: owner) }) else { return nil }
        return MemoryCharge(bytes, of: self, to: owner)
    }

    fileprivate func release(_ bytes: Int, of owner: UInt64?) {
        self.state.withLock { $0.release(bytes, of: owner) }
    }
}

/// Bytes of a ``MemoryBudget`` that are taken for as long as this object lives.
public final class MemoryCharge: Sendable {
    private let budget: MemoryBudget?
    private let owner: UInt64?
    private let bytes: Atomic<Int>
    /// The charges that were joined.
    private let parts: [MemoryCharge]

    fileprivate init(_ bytes: Int, of budget: MemoryBudget?, to owner: UInt64?, joining parts: [MemoryCharge] = []) {
        self.budget = budget
        self.owner = owner
        self.bytes = Atomic(bytes)
        self.parts = parts
    }

    deinit { self.budget?.release(self.bytes.load(ordering: .relaxed), of: self.owner) }

    /// One charge that keeps several alive; nil when there are none.
    static func joining(_ charges: [MemoryCharge]) -> MemoryCharge? {
        charges.count > 1 ? MemoryCharge(0, of: nil, to: nil, joining: charges) : charges.first
    }

    /// Releases the bytes that turned out not to be needed.
    ///
    /// Call it before the charge is shared with others.
    public func shrink(to bytes: Int) {
        let surplus = self.bytes.load(ordering: .relaxed) - bytes
        guard surplus > 0 else { return }
        self.bytes.store(bytes, ordering: .relaxed)
        self.budget?.release(surplus, of: self.owner)
    }
}
