import Synchronization
import TestSupport
import ToastCore

/// A store that loses answers, or that another process writes to first, when a test says so.
///
/// It behaves like a log over a network: a change is written and its answer is lost, the change itself is lost, or
/// another process appends between a load and an append.
final class LossyStore: StoreWrapper {
    /// The outcome of an append.
    enum Fate: Sendable {
        /// It is written, and its answer is lost.
        case lostAnswer
        /// It is lost, and so is its answer.
        case lostChange
        /// Another process appends this first.
        case overtaken(by: Append)
    }

    let wrapped: any Store
    /// The outcomes of the next changes.
    private let fates = Mutex<[Fate]>([])

    init(_ wrapped: any Store) {
        self.wrapped = wrapped
    }

    /// Sets the outcomes of the next changes, in order; later ones succeed.
    func meet(_ fates: [Fate]) { self.fates.withLock { $0 += fates } }

    func append(_ changes: [Append], completion: @escaping @Sendable (Int, AppendOutcome) -> Void) {
        let fates = self.fates.withLock { waiting in
            let fates = Array(waiting.prefix(changes.count))
            waiting.removeFirst(fates.count)
            return fates
        }
        guard !fates.isEmpty else { return self.wrapped.append(changes, completion: completion) }
        Task {
            for (index, change) in changes.enumerated() {
                completion(index, await self.append(change, index < fates.count ? fates[index] : nil))
            }
        }
    }

    func setWebhooks(
        _ webhooks: [Webhook],
        of channel: ChannelName,
        replacing known: [Webhook]?
    ) async throws(StoreError) -> Int {
        let fate = self.fates.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if case .lostChange = fate { throw .undecided("The change was lost.") }
        let count = try await self.wrapped.setWebhooks(webhooks, of: channel, replacing: known)
        if case .lostAnswer = fate { throw .undecided("The answer was lost.") }
        return count
    }

    private func append(_ change: Append, _ fate: Fate?) async -> AppendOutcome {
        switch fate {
        case .lostChange:
            return .failed(.undecided("The change was lost."))
        case .lostAnswer:
            _ = await self.outcome(of: change)
            return .failed(.undecided("The answer was lost."))
        case .overtaken(let other):
            _ = await self.outcome(of: other)
            return await self.outcome(of: change)
        case nil:
            return await self.outcome(of: change)
        }
    }

    private func outcome(of change: Append) async -> AppendOutcome {
        do throws(StoreError) {
            try await self.wrapped.append(change)
            return .stored
        } catch {
            return .failed(error)
        }
    }
}
