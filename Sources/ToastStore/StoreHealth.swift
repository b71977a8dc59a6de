import Synchronization
package import ToastCore

/// What a store reports to the log.
package enum StoreNotice: Equatable, Sendable {
    /// Nothing can be written from now on; the store tries again by itself.
    case failing(StoreError)

    /// The store is a restored backup, or the machine stopped before it was closed. Events that consumers have seen may
    /// be missing, so it has a new epoch.
    case newEpoch

    /// It can write again.
    case recovered

    /// A write or read failed though the store works: a part of it may be damaged. The same reason is reported once a
    /// minute at most.
    case fault(StoreError)
}

/// Whether the store can write, as far as the last attempt shows.
///
/// Any thread may change and read it. Two changes at the same time may be reported in another order.
final class StoreHealth: Sendable {
    private struct State {
        var failure: StoreError?
        /// Whether the store is being closed, so that nothing is reported any more.
        var isClosing = false
        /// The reported faults, each with the time of the report; bounded by ``StoreHealth/faultLimit``.
        var told: [StoreError: ContinuousClock.Instant] = [:]
    }

    /// How long a fault is not reported again.
    private static let silence = Duration.seconds(60)

    /// The most faults that are remembered; past it all are forgotten, and may be reported again.
    private static let faultLimit = 64

    private let state = Mutex(State())
    private let tell: @Sendable (StoreNotice) -> Void

    init(tell: @escaping @Sendable (StoreNotice) -> Void) {
        self.tell = tell
    }

    /// Why nothing can be written now.
    var failure: StoreError? { self.state.withLock { $0.failure } }

    /// Stores how an attempt to write ended.
    func set(_ failure: StoreError?) {
        let (old, isClosing) = self.state.withLock { state in
            defer { state.failure = failure }
            return (state.failure, state.isClosing)
        }
        if isClosing { return }
        switch (old, failure) {
        case (nil, let failure?): self.tell(.failing(failure))
        case (_?, nil): self.tell(.recovered)
        // Reported once: another reason during the same failure adds nothing.
        default: break
        }
    }

    /// Reports nothing from now on, because the store is being closed.
    func close() { self.state.withLock { $0.isClosing = true } }

    /// Reports a failure that does not concern the store as a whole.
    func note(_ fault: StoreError) {
        let now = ContinuousClock.now
        let isNews = self.state.withLock { state in
            if state.isClosing { return false }
            if let time = state.told[fault], now - time < Self.silence { return false }
            if state.told.count >= Self.faultLimit { state.told = [:] }
            state.told[fault] = now
            return true
        }
        if isNews { self.tell(.fault(fault)) }
    }
}
