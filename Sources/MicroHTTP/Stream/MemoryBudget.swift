import Synchronization

/// What long answers and frames that have not gone out may take together, in bytes: one for all loops.
///
/// Peers that do not read would otherwise decide how much memory the process takes. A long answer or frame for one
/// peer is charged before it is made; when nothing is left, it is made later or refused.
///
/// Each charge has an owner. An owner may hold at most as much as is left for all others: one alone can take half of the
/// budget, each of two a third. So there is room for the next one, however much those before it took.
public final class MemoryBudget: Sendable {
    /// Answers and frames up to this length are not charged: the kernel holds as much for a connection.
    public static let freeBytes = 16 * 1024

    private struct State {
        var limit: Int
        var used = 0
        /// What each owner has taken; those who have nothing are left out.
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

    /// A budget of so many bytes.
    public init(bytes: Int) {
        self.state = Mutex(State(limit: bytes))
    }

    /// The bytes that are charged now.
    public var chargedBytes: Int { self.state.withLock(\.used) }

    /// How many owners have charges now.
    var ownerCount: Int { self.state.withLock(\.shares.count) }

    /// Allows so many bytes from now on; what is charged stays.
    public func change(to bytes: Int) {
        self.state.withLock { $0.limit = bytes }
    }

    /// Charges some bytes, until the charge is released.
    ///
    /// - Parameters:
    ///   - bytes: How many.
    ///   - owner: Whom they count for; nil for one who may take all that is left.
    /// - Returns: Nil when too few are left, or the owner would have more than what is left for others. The first charge of
    ///   all is always granted, and the first one of an owner if it fits: else something long would never go out.
    public func charge(_ bytes: Int, to owner: UInt64? = nil) -> MemoryCharge? {
        guard self.state.withLock({ $0.take(bytes, for: owner) }) else { return nil }
        return MemoryCharge(bytes, of: self, to: owner)
    }

    fileprivate func release(_ bytes: Int, of owner: UInt64?) {
        self.state.withLock { $0.release(bytes, of: owner) }
    }
}

/// Bytes of a ``MemoryBudget`` that are taken for as long as this object lives.
public final class MemoryCharge: Hashable, Sendable {
    private let budget: MemoryBudget?
    private let owner: UInt64?
    private let bytes: Atomic<Int>
    /// The charges of what was joined.
    private let parts: [MemoryCharge]

    fileprivate init(_ bytes: Int, of budget: MemoryBudget, to owner: UInt64?) {
        self.budget = budget
        self.owner = owner
        self.bytes = Atomic(bytes)
        self.parts = []
    }

    private init(_ parts: [MemoryCharge]) {
        self.budget = nil
        self.owner = nil
        self.bytes = Atomic(0)
        self.parts = parts
    }

    deinit { self.budget?.release(self.bytes.load(ordering: .relaxed), of: self.owner) }

    /// One charge that lives as long as something which was made of several; nil when there are none.
    static func joining(_ charges: [MemoryCharge]) -> MemoryCharge? {
        charges.count > 1 ? MemoryCharge(charges) : charges.first
    }

    /// Whether two charges are one and the same.
    public static func == (one: MemoryCharge, other: MemoryCharge) -> Bool { one === other }

    /// Hashes which one it is.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Gives back what turned out not to be needed.
    ///
    /// Call it before the charge is shared with others.
    public func shrink(to bytes: Int) {
        let surplus = self.bytes.load(ordering: .relaxed) - bytes
        guard surplus > 0 else { return }
        self.bytes.store(bytes, ordering: .relaxed)
        self.budget?.release(surplus, of: self.owner)
    }
}
