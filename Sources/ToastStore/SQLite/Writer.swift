import Dispatch
import Foundation
import GRDB
import Metrics
import Synchronization
import ToastCore

/// The one thread that writes.
///
/// It takes all waiting jobs and runs them in one transaction: the busier the store, the more changes share a commit.
/// Answers are sent after the commit.
final class Writer: Sendable {
    private struct Request: Sendable {
        let jobs: [SQLiteWriterSession.Job]
        let answer: @Sendable ([SQLiteWriterSession.Outcome]) -> Void
    }

    /// How often an idle writer checks its files, and tries to write if the store has failed.
    private static let probeInterval = DispatchTimeInterval.seconds(1)

    private let pool: DatabasePool
    private let file: DatabaseFile
    let health: StoreHealth
    private let retention: Retention
    private let counts: StoreCounts
    private let mailbox = Mailbox<Request>()
    let meter = CommitMeter()
    /// The callers that wait for the thread to end; nil once it has closed the database.
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]?>([])

    /// A writer for a database whose tables are in place; its thread retains it until it is closed.
    init(pool: DatabasePool, file: DatabaseFile, health: StoreHealth, retention: Retention, counts: StoreCounts) {
        self.pool = pool
        self.file = file
        self.health = health
        self.retention = retention
        self.counts = counts
        let thread = Thread { self.run() }
        thread.name = "toast-store"
        thread.start()
    }

    /// Runs a job and returns after the commit.
    func perform(_ job: @escaping SQLiteWriterSession.Job) async throws(StoreError) -> Int {
        let outcomes = await withCheckedContinuation { continuation in
            self.perform([job]) { continuation.resume(returning: $0) }
        }
        return try outcomes[0].get()
    }

    /// Runs jobs, and calls `answer` on the writer's thread after the commit.
    func perform(_ jobs: [SQLiteWriterSession.Job], answer: @escaping @Sendable ([SQLiteWriterSession.Outcome]) -> Void)
    {
        guard !self.mailbox.send(Request(jobs: jobs, answer: answer)) else { return }
        let refusal: StoreError =
            self.mailbox.isClosed ? .closed : .unavailable("Too many changes wait for the disk. Publish again later.")
        answer(Array(repeating: .failure(refusal), count: jobs.count))
    }

    /// Accepts no more jobs, but runs those that were accepted; idempotent.
    func close() { self.mailbox.close() }

    /// Returns when the thread has run all jobs and closed the database.
    func ended() async {
        await withCheckedContinuation { continuation in
            let hasEnded = self.waiting.withLock { waiting in
                waiting?.append(continuation)
                return waiting == nil
            }
            if hasEnded { continuation.resume() }
        }
    }

    private func run() {
        self.pool.writeWithoutTransaction { database in
            let session = SQLiteWriterSession(database: database, retention: self.retention, counts: self.counts)
            while let requests = self.mailbox.next(within: Self.probeInterval) {
                guard !requests.isEmpty else {
                    self.checkFiles(session)
                    continue
                }
                var outcomes = self.perform(requests.flatMap(\.jobs), with: session)[...]
                for request in requests {
                    request.answer(Array(outcomes.prefix(request.jobs.count)))
                    outcomes = outcomes.dropFirst(request.jobs.count)
                }
            }
            // If either fails, the next process that opens the database replays SQLite's log, as after a crash.
            try? StoreLife.end(in: database)
            _ = try? database.checkpoint(.truncate)
        }
        // Everything is committed, so a connection that fails to close can wait for the end of the process.
        try? self.pool.close()
        self.file.unlock()
        for continuation in self.waiting.withLock({ $0.take() }) ?? [] { continuation.resume() }
    }

    /// Runs jobs in one transaction.
    ///
    /// If that fails though the store can write, runs each alone, so that a job that is too large or touches damaged
    /// pages does not fail the others.
    private func perform(
        _ jobs: [SQLiteWriterSession.Job],
        with session: SQLiteWriterSession
    ) -> [SQLiteWriterSession.Outcome] {
        self.meter.sizes.observe(jobs.count)
        let start = ContinuousClock.now
        defer { self.meter.durations.observe(Int((ContinuousClock.now - start) / .nanoseconds(1))) }
        do throws(StoreError) {
            try self.file.check()
            let outcomes = try session.perform(jobs)
            // Under load there is no idle time to check for recovery.
            if self.health.failure != nil { _ = self.canWrite(session) }
            return outcomes
        } catch {
            self.meter.failures.add()
            guard self.canWrite(session) else { return Array(repeating: .failure(error), count: jobs.count) }
            if jobs.count > 1 { return jobs.flatMap { self.perform([$0], with: session) } }
            self.health.note(error)
            return [.failure(error)]
        }
    }

    private func checkFiles(_ session: SQLiteWriterSession) {
        guard self.health.failure == nil else { return _ = self.canWrite(session) }
        do throws(StoreError) { try self.file.check() } catch { self.health.set(error) }
    }

    private func canWrite(_ session: SQLiteWriterSession) -> Bool {
        do throws(StoreError) {
            try self.file.check()
            try session.probe()
            self.health.set(nil)
            return true
        } catch {
            self.health.set(error)
            return false
        }
    }
}
