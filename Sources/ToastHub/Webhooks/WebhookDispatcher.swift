package import HTTPClient
import Metrics
package import ToastCore

/// The clock of a dispatcher; tests control it.
package protocol DispatchClock: Sendable {
    /// The current instant of channels.
    var now: Instant { get }

    /// The wall clock in seconds since 1970, which receivers compare with their own.
    var unixTime: Int64 { get }

    /// Returns at an instant, or throws when the task is cancelled.
    func sleep(until instant: Instant) async throws
}

extension HubClock: DispatchClock {
    package var unixTime: Int64 { Instant.wallClock.nanoseconds / 1_000_000_000 }

    package func sleep(until instant: Instant) async throws {
        try await Task.sleep(for: .nanoseconds((instant - self.now).nanoseconds))
    }
}

/// Sends the deliveries of the queue: those due at the start, new ones and retries.
///
/// Each delivery is sent at least once, and settled only when its outcome is known. A delivery that a killed process
/// did not settle is sent again by the next one, with the same identifier. Several are sent at once, so receivers get
/// them in no particular order.
package actor WebhookDispatcher {
    /// The failures of a webhook since its last success.
    private struct FailureStreak {
        /// The number of failures; deliveries in flight at the same time count as one, a slow failure as two.
        var failures: Int
        /// Nothing is sent to the webhook until then.
        var rest: Instant
    }

    private let hub: Hub
    private let sender: any WebhookSender
    private let schedule: RetrySchedule
    private let clock: any DispatchClock
    private let jitter: @Sendable () -> Double
    private let report: @Sendable (WebhookReport) -> Void

    private var scheduler = DeliveryScheduler()
    private var failureStreaks: [Receiver: FailureStreak] = [:]
    private var alarm: (at: Instant, task: Task<Void, Never>)?
    /// Nothing is sent until then, because an outcome could not be stored.
    private var pausedUntil: Instant?
    private var isStopping = false

    private var queue: any DeliveryQueue { self.hub.store }
    private var counters: WebhookCounters { self.hub.webhookCounters }

    /// The time within which an answer counts as given in good time.
    private static let patience = Interval(seconds: 5)

    private static let storePause = Interval(seconds: 5)

    /// The maximum number of failing webhooks that are remembered; beyond it, all are forgotten and counted anew.
    private static let streakLimit = 4096

    /// A dispatcher for a hub's webhooks; it is idle until ``run()``.
    ///
    /// The jitter gives random numbers from −1 to 1.
    package init(
        hub: Hub,
        sender: any WebhookSender,
        schedule: RetrySchedule,
        clock: any DispatchClock,
        jitter: @escaping @Sendable () -> Double = { .random(in: -1...1) },
        report: @escaping @Sendable (WebhookReport) -> Void
    ) {
        self.hub = hub
        self.sender = sender
        self.schedule = schedule
        self.clock = clock
        self.jitter = jitter
        self.report = report
    }

    /// Sends until ``stop()``, and returns when nothing is in flight; call it once.
    package func run() async {
        await withDiscardingTaskGroup { group in
            await self.makeDueAfterClockChange()
            // Deliveries of the previous process may be due.
            self.hub.deliverySignal.send()
            for await _ in self.hub.deliverySignal.signals {
                if self.isStopping { break }
                await self.refill()
                while !self.isStopping, self.pausedUntil == nil, let delivery = self.scheduler.next() {
                    group.addTask { await self.send(delivery) }
                }
            }
        }
        self.alarm?.task.cancel()
    }

    package func stop() {
        self.isStopping = true
        self.hub.deliverySignal.send()
    }

    /// Makes all waiting deliveries due, if one waits for longer than any pause lasts: the wall clock has been set back
    /// since.
    private func makeDueAfterClockChange() async {
        let now = self.clock.now
        do throws(StoreError) {
            guard try await self.queue.nextDelivery(after: now + self.schedule.longestPause) != nil else { return }
            let end = Instant(nanoseconds: .max)
            for delivery in try await self.queue.dueDeliveries(at: end, limit: .max, share: .unlimited) {
                try await self.queue.settle(delivery.id, .postponed(until: now))
            }
        } catch {
            self.pause(error)
        }
    }

    /// Reads the due deliveries, and sets the alarm for the next one.
    private func refill() async {
        let now = self.clock.now
        if let pausedUntil = self.pausedUntil, now < pausedUntil { return self.setAlarm(at: pausedUntil) }
        self.pausedUntil = nil
        do throws(StoreError) {
            self.scheduler.beginRefill()
            let limit = self.scheduler.queryLimit
            let due = try await self.queue.dueDeliveries(at: now, limit: limit, share: DeliveryScheduler.share)
            self.scheduler.take(due)
            self.setAlarm(at: try await self.queue.nextDelivery(after: now))
        } catch {
            self.pause(error)
        }
    }

    private func send(_ due: DueDelivery) async {
        do throws(StoreError) {
            // Read only now, because its webhook may have been changed or removed since it was found.
            if let delivery = try await self.queue.delivery(due.id) {
                let start = self.clock.now
                for receiver in self.hub.changedWebhooks.take() { self.failureStreaks[receiver] = nil }
                if let rest = self.failureStreaks[Receiver(due)]?.rest, start < rest {
                    self.scheduler.drop(due.url, of: due.channel)
                    try await self.queue.settle(due.id, .postponed(until: rest, resting: rest))
                } else {
                    try await self.post(delivery, due, since: start)
                }
            }
        } catch {
            self.pause(error)
        }
        self.scheduler.end(due)
        self.hub.deliverySignal.send()
    }

    private func post(_ delivery: StoredDelivery, _ due: DueDelivery, since start: Instant) async throws(StoreError) {
        let isDoubtful = self.scheduler.isDoubtful(due)
        let sharing = ConnectionSharing(group: due.owner, limit: DeliveryScheduler.perAddress)
        let request = WebhookMessage.request(for: delivery, at: self.clock.unixTime, isDoubtful ? sharing : nil)
        let transfer = await self.sender.post(request)
        if let attempt = DeliveryAttempt(transfer, at: self.clock.now) {
            self.hub.deliveryAttempts.note(attempt, for: due.url, of: due.channel)
        }
        let outcome = DeliveryOutcome(transfer)
        if let isAnswer = outcome.isAnswer {
            self.scheduler.note(due, isAnswering: isAnswer && self.clock.now - start < Self.patience)
        }
        try await self.settle(due, delivery, outcome, since: start)
    }

    private func settle(
        _ due: DueDelivery,
        _ delivery: StoredDelivery,
        _ outcome: DeliveryOutcome,
        since start: Instant
    ) async throws(StoreError) {
        switch outcome {
        case .unknown:
            return
        case .delivered:
            self.failureStreaks[Receiver(due)] = nil
            try await self.queue.settle(due.id, .done)
            self.counters.delivered.add()
        case .gone:
            self.scheduler.drop(due.url, of: due.channel)
            guard let count = try await self.switchOff(due) else {
                // The webhook is disabled when it answers 410 again. Until then it rests: a delivery that stays due
                // would be sent again and again without a pause.
                return try await self.settleFailure(due, delivery, "status 410", isTrouble: true, since: start)
            }
            self.counters.failedTries.add()
            self.counters.givenUp.add(count)
            self.report(.gone(due.channel, origin: due.url.origin, deliveries: count))
        case .crowded(let address):
            let rest = self.clock.now + self.schedule.restWhenCrowded(jitter: self.jitter())
            self.scheduler.drop(due.url, of: due.channel)
            try await self.queue.settle(due.id, .postponed(until: rest, resting: rest))
            self.report(.crowded(due.channel, origin: due.url.origin, address: address))
        case .failed(let reason, let isTrouble, let retryAfter):
            try await self.settleFailure(due, delivery, reason, isTrouble: isTrouble, retryAfter, since: start)
        }
    }

    /// Stores when a failed delivery is retried, or gives it up.
    private func settleFailure(
        _ due: DueDelivery,
        _ delivery: StoredDelivery,
        _ reason: String,
        isTrouble: Bool,
        _ retryAfter: Interval? = nil,
        since start: Instant
    ) async throws(StoreError) {
        self.counters.failedTries.add()
        let now = self.clock.now
        let rest = isTrouble ? self.rest(of: Receiver(due), at: now, since: start, retryAfter) : nil
        if rest != nil { self.scheduler.drop(due.url, of: due.channel) }
        let tries = delivery.tries + 1
        let age = now - delivery.message.at
        if let pause = self.schedule.pause(after: tries, age: age, retryAfter: retryAfter, jitter: self.jitter()) {
            try await self.queue.settle(due.id, .retry(at: now + pause, resting: rest))
            self.report(.failed(due.channel, origin: due.url.origin, reason: reason))
        } else {
            try await self.queue.settle(due.id, .done)
            self.counters.givenUp.add()
            let (origin, message) = (due.url.origin, delivery.message.message)
            self.report(.gaveUp(due.channel, origin: origin, message: message, tries: tries, reason: reason))
        }
    }

    /// The end of the rest of a webhook that has just failed.
    private func rest(
        of receiver: Receiver,
        at now: Instant,
        since start: Instant,
        _ retryAfter: Interval?
    ) -> Instant {
        if self.failureStreaks.count >= Self.streakLimit { self.failureStreaks = [:] }
        // The rest that a first failure follows is over.
        var streak = self.failureStreaks[receiver] ?? FailureStreak(failures: 0, rest: start)
        // Otherwise the delivery was sent before the last failure was known, and belongs to that failure.
        if start >= streak.rest {
            // A slow failure counts twice, because it occupies a slot: such a webhook rests for longer than one that
            // fails quickly.
            streak.failures += now - start < Self.patience ? 1 : 2
            streak.rest = now + self.schedule.rest(after: streak.failures, jitter: self.jitter())
        }
        streak.rest = max(streak.rest, now + self.schedule.rest(askedFor: retryAfter))
        self.failureStreaks[receiver] = streak
        return streak.rest
    }

    /// Disables a webhook; returns the number of deliveries given up with it, or nil when there was no room for its
    /// channel.
    private func switchOff(_ due: DueDelivery) async throws(StoreError) -> Int? {
        do throws(ChannelError) {
            guard case .count(let count) = try await self.hub.perform(.switchOff(due.url), on: due.channel) else {
                return nil
            }
            return count
        } catch {
            guard case .store(let error) = error else { return nil }
            throw error
        }
    }

    private func pause(_ error: StoreError) {
        let end = self.clock.now + Self.storePause
        self.pausedUntil = end
        self.report(.storeFailed(error))
        self.setAlarm(at: end)
    }

    private func setAlarm(at instant: Instant?) {
        guard instant != self.alarm?.at else { return }
        self.alarm?.task.cancel()
        self.alarm = instant.map { instant in
            let task = Task {
                // The sleep throws only when this task is cancelled; a cancellation just after it throws nothing. In
                // both cases another alarm may be set, which this task must not clear.
                guard (try? await self.clock.sleep(until: instant)) != nil, !Task.isCancelled else { return }
                self.alarm = nil
                self.hub.deliverySignal.send()
            }
            return (instant, task)
        }
    }
}
