import Synchronization
public import ToastCore

/// What a store tells whoever keeps its log.
public enum StoreNotice: Equatable, Sendable {
    /// From now on nothing can be written; the store tries again by itself.
    case failing(StoreError)

    /// The store is a backup that was restored, or the machine stopped before it was closed: events may be missing that others
    /// have seen, so it has another epoch.
    case newEpoch

    /// It can write again.
    case recovered

    /// Something could not be written or read, though the store works: a part of it may be damaged. The same reason
    /// is told once a minute at most.
    case fault(StoreError)
}

/// Whether the store can write, as far as its last try tells.
///
/// The writer's thread changes it; everybody asks.
final class Condition: Sendable {
    private struct State {
        var failure: StoreError?
        /// The faults that were told, each with the time of the telling; bounded by ``Condition/memory``.
        var told: [StoreError: ContinuousClock.Instant] = [:]
    }

    /// How long the same fault is told once.
    private static let silence = Duration.seconds(60)

    /// The faults remembered; past it all are forgotten, and so told again.
    private static let memory = 64

    private let state = Mutex(State())
    private let tell: @Sendable (StoreNotice) -> Void

    init(tell: @escaping @Sendable (StoreNotice) -> Void) {
        self.tell = tell
    }

    /// Why nothing can be written now.
    var failure: StoreError? { self.state.withLock { $0.failure } }

    /// Notes how a probe ended.
    func set(_ failure: StoreError?) {
        let old = self.state.withLock { state in
            defer { state.failure = failure }
            return state.failure
        }
        switch (old, failure) {
        case (nil, let failure?): self.tell(.failing(failure))
        case (_?, nil): self.tell(.recovered)
        // Told once: another reason of the same trouble is no news.
        default: break
        }
    }

    /// Notes that something failed that says nothing about the store as a whole.
    func note(_ fault: StoreError) {
        let now = ContinuousClock.now
        let isNews = self.state.withLock { state in
            if let time = state.told[fault], now - time < Self.silence { return false }
            if state.told.count >= Self.memory { state.told = [:] }
            state.told[fault] = now
            return true
        }
        if isNews { self.tell(.fault(fault)) }
    }
}
