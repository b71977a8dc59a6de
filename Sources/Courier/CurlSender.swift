import Foundation
import Synchronization

/// Posts letters with libcurl, on one thread of its own.
///
/// It follows no redirect, uses no proxy, asks the policy about each address before it connects, and takes 15 seconds
/// for a letter at most. How many letters are under way at once is the caller's business.
public final class CurlSender: WebhookSender {
    private struct Job {
        let letter: OutgoingRequest
        let answer: CheckedContinuation<Receipt, Never>
    }

    private enum Phase {
        /// From the start; letters wait until the thread takes them. Left by `close`.
        case open([Job])
        /// The thread is to end; these wait for it. Left when it has.
        case closing([CheckedContinuation<Void, Never>])
        /// Final.
        case closed
    }

    private let policy: AddressPolicy
    private let multi: MultiHandle
    private let phase = Mutex(Phase.open([]))

    /// The connections that stay open between two letters.
    private static let idleConnections = 32

    /// How long the thread waits at most before it looks around, in milliseconds.
    private static let longestWait: CInt = 60_000

    /// A poster that sends to what a policy allows, until it is closed; `nil` when libcurl cannot begin, for lack of
    /// memory.
    public init?(policy: AddressPolicy) {
        guard let multi = MultiHandle(connections: Self.idleConnections) else { return nil }
        self.policy = policy
        self.multi = multi
        SystemCalls.ignoreBrokenPipes()
        let thread = Thread { self.run() }
        thread.name = "courier"
        thread.start()
    }

    /// Posts a letter once.
    public func post(_ letter: OutgoingRequest) async -> Receipt {
        await withCheckedContinuation { answer in
            let isOpen = self.phase.withLock { phase in
                guard case .open(let jobs) = phase else { return false }
                phase = .open(jobs + [Job(letter: letter, answer: answer)])
                return true
            }
            if isOpen { self.multi.wake() } else { answer.resume(returning: .closed) }
        }
    }

    /// Ends the thread; letters under way are abandoned, and answered with ``Receipt/closed``.
    public func close() async {
        await withCheckedContinuation { continuation in
            let (jobs, hasEnded) = self.phase.withLock { phase -> ([Job], Bool) in
                switch phase {
                case .open(let jobs):
                    phase = .closing([continuation])
                    return (jobs, false)
                case .closing(let others):
                    phase = .closing(others + [continuation])
                    return ([], false)
                case .closed:
                    return ([], true)
                }
            }
            for job in jobs { job.answer.resume(returning: .closed) }
            if hasEnded { continuation.resume() } else { self.multi.wake() }
        }
    }

    /// The thread.
    private func run() {
        var transfers = Transfers(multi: self.multi)
        let addresses = AddressUse()
        while let jobs = self.takeJobs() {
            for job in jobs {
                transfers.start(
                    Transfer(job.letter, policy: self.policy, addresses: addresses, answer: job.answer)
                )
            }
            transfers.proceed()
            self.multi.poll(milliseconds: Self.longestWait)
        }
        transfers.abandonAll()
        let waiting = self.phase.withLock { phase -> [CheckedContinuation<Void, Never>] in
            defer { phase = .closed }
            guard case .closing(let waiting) = phase else { return [] }
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// The letters that came since the last look; nil when it is time to end.
    private func takeJobs() -> [Job]? {
        self.phase.withLock { phase in
            guard case .open(let jobs) = phase else { return nil }
            phase = .open([])
            return jobs
        }
    }
}

/// The transfers under way, on the thread of a poster.
private struct Transfers: ~Copyable {
    private final class Entry {
        let transfer: Transfer
        let handle: EasyHandle

        init(_ transfer: Transfer, _ handle: consuming EasyHandle) {
            self.transfer = transfer
            self.handle = handle
        }
    }

    private let multi: MultiHandle
    private var entries: [TransferKey: Entry] = [:]

    init(multi: MultiHandle) {
        self.multi = multi
    }

    mutating func start(_ transfer: Transfer) {
        guard let handle = EasyHandle(for: transfer), handle.enter(self.multi) else {
            transfer.finish(status: 0, retryAfter: nil, failure: "the transfer could not begin")
            return
        }
        let key = handle.key
        self.entries[key] = Entry(transfer, handle)
    }

    mutating func proceed() {
        self.multi.perform()
        while let (key, failure) = self.multi.nextEnded() {
            guard let entry = self.entries.removeValue(forKey: key) else { continue }
            entry.handle.leave(self.multi)
            entry.transfer.finish(
                status: entry.handle.status,
                retryAfter: entry.handle.retryAfter,
                failure: failure
            )
        }
    }

    mutating func abandonAll() {
        for entry in self.entries.values {
            entry.handle.leave(self.multi)
            entry.transfer.abandon()
        }
        self.entries = [:]
    }
}
