import EventLoop
import NATS
import Synchronization
import ToastCore

extension JetStreamStore {
    /// Stores an append, whatever reads and repetitions that takes.
    ///
    /// - Parameters:
    ///   - change: The append.
    ///   - attempt: A commit of it that was sent already, and what became of it.
    /// - Throws: `conflict` and `unavailable` when nothing was stored; `undecided` when that is not known.
    func storeSurely(
        _ change: Append,
        after attempt: (commit: Commit, error: NATSError)?
    ) async throws(StoreError) {
        let deadline = ContinuousClock.now + self.options.patience
        var commit: Commit
        var sent: Result<UInt64, NATSError>
        if let attempt {
            commit = attempt.commit
            sent = .failure(attempt.error)
        } else {
            commit = try await self.prepare(change)
            sent = await self.send(commit)
        }
        // Whether a copy of the commit may have reached the log, or still be on its way.
        var mayBeStored = false
        while true {
            let error: NATSError
            switch sent {
            case .success(let sequence): return try await self.finish(commit, storedAt: sequence)
            case .failure(let failure): error = failure
            }
            mayBeStored = mayBeStored || error.mayHaveHappened
            if error.isAboutSequence || mayBeStored {
                switch try await self.find(commit, mayBeStored: mayBeStored, deadline) {
                case .stored(let sequence): return try await self.finish(commit, storedAt: sequence)
                case .unchanged: break
                case .other:
                    self.channels.forget(change.channel)
                    // Throws a conflict, or the log only lost its tombstone: then the append is begun anew.
                    commit = try await self.prepare(change)
                    // The other append had no events, as one of an idempotency record.
                    guard commit.place.isFresh else { throw self.conflict(at: commit.place) }
                    mayBeStored = false
                }
            } else if !error.isTransient {
                throw StoreError(error)
            }
            guard ContinuousClock.now < deadline else {
                self.channels.forget(change.channel)
                guard mayBeStored else { throw .unavailable(error.description) }
                throw self.undecided(error)
            }
            try? await Task.sleep(for: error.isAboutSequence ? .milliseconds(2) : LogReader.pause)
            sent = await self.send(commit)
        }
    }

    /// Sends the messages of a commit once; returns the sequence of the last one.
    private func send(_ commit: Commit) async -> Result<UInt64, NATSError> {
        do throws(NATSError) {
            if commit.messages.count == 1, let message = commit.messages.first {
                return .success(try await self.write.publish(message))
            }
            guard commit.messages.count <= JetStreamOptions.longestBatch else {
                throw .invalid("an append of \(commit.messages.count) messages")
            }
            let log = Subjects.log(of: commit.channel)
            await self.gates[log].lock()
            defer { self.gates[log].unlock() }
            return .success(try await self.write.publish(batch: commit.messages))
        } catch {
            return .failure(error)
        }
    }

    /// Stores the rest of a commit whose messages are stored, and notes what the commit changed.
    ///
    /// - Throws: `undecided` when the cluster stops answering in between: deliveries or outcomes may then be missing.
    private func finish(_ commit: Commit, storedAt sequence: UInt64) async throws(StoreError) {
        let rest = await self.storeRest(of: commit)
        self.note(commit, storedAt: sequence, rest: rest)
        guard rest.count == commit.rest.count else { throw self.undecided(.timeout) }
    }

    /// Stores the deliveries and outcomes for which a commit had no room; returns the sequences of what is stored.
    private func storeRest(of commit: Commit) async -> [UInt64] {
        let log = Subjects.log(of: commit.channel)
        var sequences: [UInt64] = []
        while sequences.count < commit.rest.count {
            let part = Array(commit.rest[sequences.count...].prefix(JetStreamOptions.lateBatch))
            await self.gates[log].lock()
            defer { self.gates[log].unlock() }
            // Of each subject only the last message counts, so they may be sent twice. Why it fails does not matter:
            // the append is undecided then.
            let end = try? await self.read { (client) async throws(NATSError) in try await client.publish(batch: part) }
            guard let end else { break }
            sequences += (end - UInt64(part.count - 1))...end
        }
        return sequences
    }

    /// What the log says of a commit.
    private enum Finding {
        /// It is stored; the last message of it has this sequence.
        case stored(UInt64)
        /// Nothing was stored after the message that it expects.
        case unchanged
        /// Another message was stored after it.
        case other
    }

    /// Looks for a commit in the log: another message after the one that it expects means that it is never stored.
    private func find(
        _ commit: Commit,
        mayBeStored: Bool,
        _ deadline: ContinuousClock.Instant
    ) async throws(StoreError) -> Finding {
        var read = self.read
        read.deadline = deadline
        while true {
            do throws(StoreError) {
                let end = try await read.end(of: commit.channel)
                guard let end, end.sequence > commit.place.sequence else {
                    return end?.sequence ?? 0 == commit.place.sequence ? .unchanged : .other
                }
                if end.header.commit == commit.id { return .stored(end.sequence) }
                let next = try await read.log(
                    of: commit.channel,
                    from: commit.place.sequence + 1,
                    until: end.sequence,
                    count: commit.messages.count,
                    bytes: nil
                )
                return next.last { $0.header.commit == commit.id }.map { .stored($0.sequence) } ?? .other
            } catch {
                // That the log cannot be read does not mean that the append failed.
                guard mayBeStored else { throw error }
                guard ContinuousClock.now < deadline else {
                    self.channels.forget(commit.channel)
                    throw self.undecided(.timeout)
                }
            }
            try? await Task.sleep(for: LogReader.pause)
        }
    }

    private func conflict(at place: ChannelPlace) -> StoreError {
        self.counters.conflicts.add(1, ordering: .relaxed)
        return .conflict(current: place.last)
    }

    private func undecided(_ error: NATSError) -> StoreError {
        self.counters.undecided.add(1, ordering: .relaxed)
        self.beginProbing(error)
        return .undecided("The cluster did not tell whether a change was stored: \(error)")
    }

    /// Reads what an append needs, and makes its commit.
    ///
    /// - Throws: `conflict` when the channel has other events than expected, `tooManyChannels` when there is no room
    ///   for it.
    private func prepare(_ change: Append) async throws(StoreError) -> Commit {
        let channel = change.channel
        var known = self.channels[channel]
        if known?.place.accepts(change.expected) != true || known?.place.isFresh == true {
            let place = try await self.read.place(of: channel)
            self.channels.set(place, of: channel)
            guard place.accepts(change.expected) else { throw self.conflict(at: place) }
            if place.isFresh { try await self.admit(channel) }
            known = self.channels[channel]
        }
        guard let known else { throw .unavailable("The channel was forgotten while it was written.") }
        var (records, webhooks): (RecordIndex?, Set<String>) = (known.records, [])
        if records == nil, !change.displaced.isEmpty || !change.outcomes.isEmpty {
            records = try await self.readRecords(of: channel, known.place)
        }
        if !change.deliveries.isEmpty {
            webhooks = Set(try await self.webhooks(of: channel, known).lazy.filter(\.isEnabled).map(\.id))
        }
        return self.commit(change, at: known.place, records: records, webhooks: webhooks)
    }

    /// Tries once a second whether the cluster can be written again, until it can; one task at a time does so.
    func beginProbing(_ error: NATSError) {
        if self.health.failure == nil { self.health.set(.unavailable("The cluster does not answer: \(error)")) }
        guard !self.isProbing.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // Needed even while many tasks tidy up: without it, the failure would stay until the next append.
        self.upkeep.start(isNeeded: true) { await self.probe() }
    }

    private func probe() async {
        repeat {
            while !Task.isCancelled, self.health.failure != nil {
                if await self.canWriteAllLogs() {
                    // A failure that was noted meanwhile is over, too: the next append that fails notes it again.
                    self.health.set(nil)
                    break
                }
                try? await Task.sleep(for: .seconds(1))
            }
            // An append that failed since the last look saw the flag set, and started no task. So this task clears the
            // flag, and then looks once more.
            _ = self.isProbing.exchange(false, ordering: .acquiringAndReleasing)
        } while !Task.isCancelled && self.health.failure != nil
            && !self.isProbing.exchange(true, ordering: .acquiringAndReleasing)
    }

    /// Whether a majority of each log's servers writes now.
    func canWriteAllLogs() async -> Bool {
        for log in 0..<Subjects.logs {
            let subject = self.subjects.pulse(log)
            let message = StreamMessage(subject: subject, body: [], timeToLive: .seconds(60), replacesSubject: true)
            // Why it fails does not matter: the next try comes soon.
            guard self.connection.isOpen, (try? await self.write.publish(message)) != nil else { return false }
        }
        return true
    }
}
