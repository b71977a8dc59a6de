import Dispatch
import Foundation
import GRDB
import Measures
import Synchronization
import ToastCore

/// The one thread that writes.
///
/// Each time round it takes all the work that waits and does it in one transaction: the busier the store, the more
/// changes share a commit. Answers leave after the commit.
final class Writer: Sendable {
    private struct OutgoingRequest: Sendable {
        let jobs: [SQLiteWriterSession.Job]
        let answer: @Sendable ([SQLiteWriterSession.Outcome]) -> Void
    }

    /// How often the files are looked at though nobody publishes, and a store that failed is tried, so that it recovers.
    private static let probeInterval = DispatchTimeInterval.seconds(1)

    private let pool: DatabasePool
    private let file: DatabaseFile
    let condition: Condition
    private let mailbox = Mailbox<OutgoingRequest>()
    /// What transactions cost.
    let meter = CommitMeter()
    private let ending = Mutex(Ending.running([]))
    /// The transactions tried so far; tests compare it with the number of appends.
    let transactions = Atomic<Int>(0)

    /// Who waits for the thread to end.
    private enum Ending {
        /// From the start until the thread has closed the database.
        case running([CheckedContinuation<Void, Never>])
        /// Final.
        case ended
    }

    /// A writer for a database whose tables are in place; `run` has to be given a thread.
    init(pool: DatabasePool, file: DatabaseFile, condition: Condition) {
        self.pool = pool
        self.file = file
        self.condition = condition
    }

    /// Starts the thread, which keeps the writer until it was closed.
    func start(retention: Retention, outbox: OutboxTally, channels: ChannelTally) {
        let thread = Thread { self.run(retention: retention, outbox: outbox, channels: channels) }
        thread.name = "toast-store"
        thread.start()
    }

    /// Does a job and returns after it was committed.
    func perform(_ job: SQLiteWriterSession.Job) async throws(StoreError) -> Int {
        let outcomes = await withCheckedContinuation { continuation in
            self.perform([job]) { continuation.resume(returning: $0) }
        }
        return try outcomes[0].get()
    }

    /// Does jobs, and answers after they were committed, from the writer's thread.
    func perform(_ jobs: [SQLiteWriterSession.Job], answer: @escaping @Sendable ([SQLiteWriterSession.Outcome]) -> Void)
    {
        guard !self.mailbox.send(OutgoingRequest(jobs: jobs, answer: answer)) else { return }
        answer(Array(repeating: .failure(self.refusal), count: jobs.count))
    }

    /// Accepts no more work, still does what was accepted; idempotent.
    func close() {
        self.mailbox.close()
    }

    /// Waits until the thread did all its work and closed the database.
    func ended() async {
        await withCheckedContinuation { continuation in
            let hasEnded = self.ending.withLock { ending in
                switch ending {
                case .running(let waiting):
                    ending = .running(waiting + [continuation])
                    return false
                case .ended:
                    return true
                }
            }
            if hasEnded { continuation.resume() }
        }
    }

    private func run(retention: Retention, outbox: OutboxTally, channels: ChannelTally) {
        self.pool.writeWithoutTransaction { database in
            let ledger = SQLiteWriterSession(database: database, retention: retention, outbox: outbox, tally: channels)
            while let letters = self.mailbox.next(within: Self.probeInterval) {
                guard !letters.isEmpty else {
                    self.lookAround(ledger)
                    continue
                }
                var outcomes = self.perform(letters.flatMap(\.jobs), with: ledger)[...]
                for letter in letters {
                    letter.answer(Array(outcomes.prefix(letter.jobs.count)))
                    outcomes = outcomes.dropFirst(letter.jobs.count)
                }
            }
            // Where either fails, the next one to open reads the log, and takes the end for that of the process.
            try? StoreLife.end(in: database)
            _ = try? database.checkpoint(.truncate)
        }
        // All is committed: what fails to close here is closed when the process ends.
        try? self.pool.close()
        self.file.unlock()
        let waiting = self.ending.withLock { ending -> [CheckedContinuation<Void, Never>] in
            defer { ending = .ended }
            guard case .running(let waiting) = ending else { return [] }
            return waiting
        }
        for continuation in waiting {
            continuation.resume()
        }
    }

    /// Does jobs together; when that fails though the store can write, each alone, so that one that is too large or
    /// touches what is damaged harms no other.
    private func perform(
        _ jobs: [SQLiteWriterSession.Job],
        with ledger: SQLiteWriterSession
    ) -> [SQLiteWriterSession.Outcome] {
        self.transactions.add(1, ordering: .relaxed)
        self.meter.sizes.observe(jobs.count)
        let start = ContinuousClock.now
        defer { self.meter.durations.observe(Int((ContinuousClock.now - start) / .nanoseconds(1))) }
        do throws(StoreError) {
            try self.file.check()
            let outcomes = try ledger.perform(jobs)
            // Those who dare to publish leave no time to try without them.
            if self.condition.failure != nil { _ = self.canWrite(ledger) }
            return outcomes
        } catch {
            self.meter.failures.add()
            guard self.canWrite(ledger) else { return Array(repeating: .failure(error), count: jobs.count) }
            if jobs.count > 1 { return jobs.flatMap { self.perform([$0], with: ledger) } }
            self.condition.note(error)
            return [.failure(error)]
        }
    }

    /// What there is to do while nobody publishes.
    private func lookAround(_ ledger: SQLiteWriterSession) {
        guard self.condition.failure == nil else { return _ = self.canWrite(ledger) }
        do throws(StoreError) { try self.file.check() } catch { self.condition.set(error) }
    }

    private func canWrite(_ ledger: SQLiteWriterSession) -> Bool {
        do throws(StoreError) {
            try self.file.check()
            try ledger.probe()
            self.condition.set(nil)
            return true
        } catch {
            self.condition.set(error)
            return false
        }
    }

    private var refusal: StoreError {
        self.mailbox.isClosed ? .closed : .unavailable("Too many changes wait for the disk. Publish again later.")
    }
}
