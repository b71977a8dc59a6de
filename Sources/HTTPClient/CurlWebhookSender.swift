import Foundation
import Synchronization

/// Sends webhook deliveries with libcurl, on one thread of its own.
///
/// It follows no redirect, uses no proxy (which would resolve names and connect in our place), asks the policy about
/// each address before it connects, and bounds the time of a request. The caller bounds how many are under way.
package final class CurlWebhookSender: WebhookSender {
    private struct Job {
        let request: OutgoingRequest
        let answer: CheckedContinuation<TransferOutcome, Never>
    }

    private enum Phase {
        /// From the start; jobs wait until the thread takes them. Left by `close`.
        case open([Job])
        /// The thread is to end; these wait for it. Left when it has.
        case closing([CheckedContinuation<Void, Never>])
        /// Final.
        case closed
    }

    private let policy: AddressPolicy
    private let timeouts: EasyHandle.Timeouts
    private let multi: MultiHandle
    private let phase = Mutex(Phase.open([]))

    /// How many connections stay open between two requests, at most.
    private static let idleConnections = 32

    /// How long the thread waits at most, in milliseconds.
    private static let longestWait: CInt = 60_000

    /// A sender to what a policy allows, until it is closed.
    ///
    /// It connects within 5 seconds, and a request takes at most 15.
    package convenience init(policy: AddressPolicy) throws(LibcurlError) {
        try self.init(policy: policy, timeouts: EasyHandle.Timeouts(connect: 5000, total: 15_000))
    }

    init(policy: AddressPolicy, timeouts: EasyHandle.Timeouts) throws(LibcurlError) {
        self.policy = policy
        self.timeouts = timeouts
        self.multi = try MultiHandle(connections: Self.idleConnections)
        let thread = Thread { self.run() }
        thread.name = "webhooks"
        thread.start()
    }

    /// Sends a request once.
    package func post(_ request: OutgoingRequest) async -> TransferOutcome {
        await withCheckedContinuation { answer in
            let isOpen = self.phase.withLock { phase in
                guard case .open(let jobs) = phase else { return false }
                phase = .open(jobs + [Job(request: request, answer: answer)])
                return true
            }
            if isOpen { self.multi.wake() } else { answer.resume(returning: .closed) }
        }
    }

    /// Ends the thread; requests under way are abandoned, with ``TransferOutcome/closed``.
    package func close() async {
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

    /// What the thread does until ``close()``.
    private func run() {
        let rules = ConnectionRules(policy: self.policy)
        var running: [TransferKey: (handle: EasyHandle, job: Job)] = [:]
        while let jobs = self.takeJobs() {
            for job in jobs {
                let transfer = Transfer(job.request, rules: rules)
                if let handle = EasyHandle(transfer, on: self.multi, self.timeouts, bypassesProxy: true) {
                    running[handle.key] = (handle, job)
                } else {
                    job.answer.resume(returning: .failed("the transfer could not begin"))
                }
            }
            self.multi.perform()
            while let (key, failure) = self.multi.nextEnded() {
                guard let (handle, job) = running.removeValue(forKey: key) else { continue }
                job.answer.resume(
                    returning: handle.transfer.finish(
                        status: handle.status,
                        retryAfter: handle.retryAfter,
                        failure: failure
                    )
                )
            }
            self.multi.poll(milliseconds: Self.longestWait)
        }
        for (_, job) in running.values { job.answer.resume(returning: .closed) }
        running = [:]
        let waiting = self.phase.withLock { phase -> [CheckedContinuation<Void, Never>] in
            defer { phase = .closed }
            guard case .closing(let waiting) = phase else { return [] }
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// The jobs that came since the last call; nil when it is time to end.
    private func takeJobs() -> [Job]? {
        self.phase.withLock { phase in
            guard case .open(let jobs) = phase else { return nil }
            phase = .open([])
            return jobs
        }
    }
}
