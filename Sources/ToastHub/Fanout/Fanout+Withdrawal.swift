import Synchronization
import ToastCore

/// Counts who waits for the answers to questions that are taken back when nobody does, over all loops.
final class AskerCount: Sendable {
    private let counts = Mutex<[ToastID: Int]>([:])

    func enter(_ question: ToastID) {
        self.counts.withLock { $0[question, default: 0] += 1 }
    }

    /// One who waited is gone; whether that was the last.
    func leave(_ question: ToastID) -> Bool {
        self.counts.withLock { counts in
            let left = (counts[question] ?? 1) - 1
            counts[question] = left > 0 ? left : nil
            return left <= 0
        }
    }
}

extension Fanout {
    /// Takes the question of a publisher back when its connection is lost, unless another connection waits for the answer.
    ///
    /// Whoever asks again under the same key, because the connection was lost, may be there before the loss of the first one is
    /// seen.
    func withdrawIfLost(_ id: StreamID) {
        guard let stream = self.stream(id), case .outcome(let question, _) = stream.kind else { return }
        stream.withdraws = true
        self.hub.askers.enter(question)
    }

    /// Takes the question of a stream back that has just ended, if that is what its publisher wanted.
    func withdraw(_ stream: Stream, _ end: StreamEnd) {
        guard stream.withdraws, case .outcome(let question, _) = stream.kind else { return }
        stream.withdraws = false
        guard self.hub.askers.leave(question), end == .peer, let name = stream.subscriptions.first?.channel else {
            return
        }
        Task {
            // A store that is away keeps the question: nothing can be taken back that is not written down.
            _ = try? await self.hub.perform(.dismiss(question, .api), on: name)
        }
    }
}
