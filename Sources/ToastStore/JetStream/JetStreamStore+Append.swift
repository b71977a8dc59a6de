import NATS
import Synchronization
package import ToastCore

extension JetStreamStore {
    /// Appends to several channels at the same time.
    ///
    /// A change whose answer is lost is sent again, exactly as it was, until the log tells what became of it. After
    /// ``JetStreamOptions/patience`` it ends as `undecided`.
    package func append(_ changes: [Append], completion: @escaping @Sendable (Int, AppendOutcome) -> Void) {
        for (index, change) in changes.enumerated() {
            change.checkShape()
            let job = AppendQueue.Job(change: change) { completion(index, $0) }
            do throws(StoreError) {
                if try self.appends.add(job) { self.start(job) }
            } catch {
                completion(index, .failed(error))
            }
        }
    }

    private func start(_ job: AppendQueue.Job) {
        guard let commit = self.plainCommit(job.change), let message = commit.messages.first else {
            return self.startStoring(job)
        }
        self.write.publish(message) { result in
            switch result {
            case .success(let sequence):
                self.note(commit, storedAt: sequence)
                self.end(job, .stored)
            case .failure(let error):
                self.startStoring(job, after: (commit, error))
            }
        }
    }

    /// Stores an append in a task of its own, which ends with the store's patience; ``close()`` waits for it.
    private func startStoring(_ job: AppendQueue.Job, after attempt: (commit: Commit, error: NATSError)? = nil) {
        Task {
            do throws(StoreError) {
                try await self.storeSurely(job.change, after: attempt)
                self.end(job, .stored)
            } catch {
                self.end(job, .failed(error))
            }
        }
    }

    private func end(_ job: AppendQueue.Job, _ outcome: AppendOutcome) {
        job.end(outcome)
        if let next = self.appends.finish(job.change.channel) { self.start(next) }
    }

    /// The commit of an append that is one message and needs no read, as most are; `nil` for others.
    private func plainCommit(_ change: Append) -> Commit? {
        guard change.snapshot == nil, change.records.isEmpty, change.displaced.isEmpty, change.outcomes.isEmpty,
            change.deliveries.isEmpty, let place = self.channels[change.channel]?.place, !place.isFresh,
            place.accepts(change.expected)
        else { return nil }
        let commit = self.commit(change, at: place, records: nil, webhooks: [])
        return commit.messages.count == 1 ? commit : nil
    }

    func commit(_ change: Append, at place: ChannelPlace, records: RecordIndex?, webhooks: Set<String>) -> Commit {
        Commit(
            change,
            change.events.stored(channel: change.channel, epoch: self.epoch),
            id: self.nextCommit(),
            at: place,
            records: records,
            webhooks: webhooks,
            self.subjects,
            self.options.retention
        )
    }

    /// Notes what a commit changed.
    ///
    /// - Parameters:
    ///   - commit: The commit.
    ///   - sequence: The sequence of the last one of its messages.
    ///   - rest: The sequences of those messages of its rest that are stored.
    func note(_ commit: Commit, storedAt sequence: UInt64, rest: [UInt64] = []) {
        let place = commit.place(storedAt: sequence)
        self.channels.set(place, of: commit.channel)
        if commit.omitsSnapshot { self.counters.omittedSnapshots.add(1, ordering: .relaxed) }
        if let records = commit.records { self.channels.update(commit.channel) { $0.records = records } }
        if commit.place.isFresh { self.directory.add(commit.channel, at: place.at) }
        if !commit.deliveries.isEmpty || commit.displaced > 0 {
            let surplus = self.deliveries.withLock { index in
                index.displaced += commit.displaced
                for (place, header, number) in commit.deliveries {
                    if let sequence = commit.sequence(of: number, storedAt: sequence, rest) {
                        index.add(place, header, sequence: sequence)
                    } else {
                        index.displaced += 1
                    }
                }
                return index.takeSurplus(
                    for: Set(commit.deliveries.map(\.place.webhook)),
                    atMost: self.options.retention.deliveries
                )
            }
            self.removeLater(surplus)
        }
        self.forgetSurplus(of: commit.channel)
        if self.health.failure != nil { self.health.set(nil) }
    }
}
