import Synchronization

@testable import ToastStore

/// Collects the notices of a store, and waits for them.
final class Notices: Sendable {
    private struct State {
        var all: [StoreNotice] = []
        var waiting: [(notice: StoreNotice, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var all: [StoreNotice] { self.state.withLock { $0.all } }

    func add(_ notice: StoreNotice) {
        let waiting = self.state.withLock { state in
            state.all.append(notice)
            defer { state.waiting.removeAll { $0.notice == notice } }
            return state.waiting.filter { $0.notice == notice }
        }
        for waiter in waiting { waiter.continuation.resume() }
    }

    /// Returns once a notice was told.
    func arrival(of notice: StoreNotice) async {
        await withCheckedContinuation { continuation in
            let isThere = self.state.withLock { state in
                if !state.all.contains(notice) { state.waiting.append((notice, continuation)) }
                return state.all.contains(notice)
            }
            if isThere { continuation.resume() }
        }
    }
}
