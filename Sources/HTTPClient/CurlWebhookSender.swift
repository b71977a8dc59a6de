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

    private struct State {
        /// What the thread has not taken yet.
        var jobs: [Job] = []
        /// Calls of ``close()`` that wait for the end of the thread, which ends as soon as there is one.
        var closers: [CheckedContinuation<Void, Never>] = []
        var hasEnded = false
    }

    private let policy: AddressPolicy
    private let timeouts: EasyHandle.Timeouts
    private let multi: MultiHandle
    private let state = Mutex(State())

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

    package func post(_ request: OutgoingRequest) async -> TransferOutcome {
        await withCheckedContinuation { answer in
            let hasEnded = self.change { $0.jobs.append(Job(request: request, answer: answer)) }
            if hasEnded { answer.resume(returning: .closed) }
        }
    }

    /// Ends the thread; requests under way are abandoned, with ``TransferOutcome/closed``.
    package func close() async {
        await withCheckedContinuation { closer in
            let hasEnded = self.change { $0.closers.append(closer) }
            if hasEnded { closer.resume() }
        }
    }

    /// Changes the state and wakes the thread; if the thread has ended, only returns true.
    private func change(_ body: (inout State) -> Void) -> Bool {
        let hasEnded = self.state.withLock { state in
            if !state.hasEnded { body(&state) }
            return state.hasEnded
        }
        if !hasEnded { self.multi.wake() }
        return hasEnded
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
        let last = self.state.withLock { state in
            defer { state = State(hasEnded: true) }
            return state
        }
        for job in running.values.map({ $0.job }) + last.jobs { job.answer.resume(returning: .closed) }
        running = [:]
        for closer in last.closers { closer.resume() }
    }

    /// The jobs that came since the last call; nil when it is time to end.
    private func takeJobs() -> [Job]? {
        self.state.withLock { state in
            guard state.closers.isEmpty else { return nil }
            defer { state.jobs = [] }
            return state.jobs
        }
    }
}
