public import Courier
public import ToastCore

/// The time as a dispatcher sees it; tests turn it by hand.
public protocol DispatchClock: Sendable {
    /// Now, as channels count it.
    var now: Instant { get }

    /// The wall clock in seconds since 1970, which receivers compare with theirs.
    var unixTime: Int64 { get }

    /// Returns at an instant, or throws when the task is cancelled.
    func sleep(until instant: Instant) async throws
}

/// Sends what waits in the outbox: what is due when it starts, what comes in, and what has to be tried again.
///
/// Each delivery is sent at least once, and settled only when its fate is known; what a killed process did not settle
/// is sent again by the next one, under the same name. Several go out at once, so receivers get them in no certain order.
public actor WebhookDispatcher {
    private struct Key: Hashable {
        let channel: ChannelName
        let url: WebhookURL
    }

    /// How a webhook fares that has failed and not succeeded since.
    private struct Trouble {
        /// How often it failed, each time counted once, however many deliveries were on their way.
        var failures: Int
        /// Until when nothing goes to it.
        var rest: Instant
    }

    private let hub: Hub
    private let poster: any WebhookSender
    private let schedule: RetrySchedule
    private let clock: any DispatchClock
    private let jitter: @Sendable () -> Double
    private let report: @Sendable (WebhookReport) -> Void

    /// This dispatcher among all that deliver from the queue.
    private let claimer = DeliveryClaimer(rawValue: String(UInt64.random(in: 0 ... .max), radix: 36))
    private var board = DeliveryScheduler()
    private var troubles: [Key: Trouble] = [:]
    private var alarm: (at: Instant, task: Task<Void, Never>)?
    /// Nothing goes out until then, because what became of it could not be written.
    private var pausedUntil: Instant?
    private var isStopping = false

    private var queue: any DeliveryQueue { self.hub.store }
    private var counters: WebhookCounters { self.hub.counters.webhooks }

    /// A receiver that takes longer is none that answers in good time.
    private static let patience = Interval(seconds: 5)

    /// How long a delivery is this dispatcher's: longer than it waits for a slot and is tried, and renewed while it waits.
    private static let claimTime = Interval(seconds: 60)

    /// How long to leave a store alone that has failed.
    private static let storePause = Interval(seconds: 5)

    /// The webhooks in trouble that are remembered; past it all are forgotten, and fail anew.
    private static let troubleLimit = 4096

    /// A dispatcher for a hub's webhooks; nothing happens before ``run()``.
    ///
    /// - Parameters:
    ///   - hub: The channels, and the store with the outbox.
    ///   - poster: Who sends.
    ///   - schedule: When to try again.
    ///   - clock: The time.
    ///   - jitter: Random numbers from -1 to 1.
    ///   - report: Who is told of failures.
    public init(
        hub: Hub,
        poster: any WebhookSender,
        schedule: RetrySchedule,
        clock: any DispatchClock,
        jitter: @escaping @Sendable () -> Double = { .random(in: -1...1) },
        report: @escaping @Sendable (WebhookReport) -> Void
    ) {
        self.hub = hub
        self.poster = poster
        self.schedule = schedule
        self.clock = clock
        self.jitter = jitter
        self.report = report
    }

    /// Sends until ``stop()``, and returns when nothing is on its way any more; to be called once.
    public func run() async {
        await withDiscardingTaskGroup { group in
            await self.heedClock()
            // What a former life has left may be due now.
            self.hub.bell.ring()
            for await _ in self.hub.bell.rings {
                if self.isStopping { break }
                await self.refill()
                while !self.isStopping, self.pausedUntil == nil, let delivery = self.board.next() {
                    group.addTask { await self.send(delivery) }
                }
            }
        }
        self.alarm?.task.cancel()
        // A claim that stays lapses.
        try? await self.queue.releaseDeliveries(of: self.claimer)
    }

    /// Sends nothing new from now on.
    public func stop() {
        self.isStopping = true
        self.hub.bell.ring()
    }

    /// Makes all due that waits, if something waits for longer than anything ever does: the wall clock was set back since.
    private func heedClock() async {
        let now = self.clock.now
        do throws(StoreError) {
            guard try await self.queue.nextDelivery(after: now + self.schedule.longestPause) != nil else { return }
            let end = Instant(nanoseconds: .max)
            for delivery in try await self.claim(dueAt: end, limit: .max, share: .unlimited) {
                try await self.queue.settle(delivery.id, .postponed(until: now))
            }
        } catch {
            self.pause(error)
        }
    }

    /// Fetches what is due, and sets the alarm for what is not.
    private func refill() async {
        let now = self.clock.now
        if let pausedUntil = self.pausedUntil, now < pausedUntil { return self.setAlarm(at: pausedUntil) }
        self.pausedUntil = nil
        do throws(StoreError) {
            self.board.beginRefill()
            let limit = self.board.pageWithUnderWay
            self.board.take(try await self.claim(dueAt: now, limit: limit, share: DeliveryScheduler.share))
            self.setAlarm(at: try await self.queue.nextDelivery(after: now))
        } catch {
            self.pause(error)
        }
    }

    private func claim(
        dueAt instant: Instant,
        limit: Int,
        share: DeliveryShare
    ) async throws(StoreError) -> [DueDelivery] {
        let claim = DeliveryClaim(by: self.claimer, at: self.clock.now, for: Self.claimTime)
        return try await self.queue.claimDeliveries(claim, dueAt: instant, limit: limit, share: share)
    }

    /// Sends one delivery, and writes down what became of it.
    private func send(_ due: DueDelivery) async {
        do throws(StoreError) {
            // Read only now: since it came to the board its webhook may have changed, or gone.
            if let delivery = try await self.queue.delivery(due.id) {
                let start = self.clock.now
                let key = Key(channel: due.channel, url: due.url)
                if let rest = self.troubles[key]?.rest, start < rest {
                    self.board.drop(due.url, of: due.channel)
                    try await self.queue.settle(due.id, .postponed(until: rest, resting: rest))
                } else {
                    try await self.post(delivery, due, since: start)
                }
            }
        } catch {
            self.pause(error)
        }
        self.board.end(due)
        self.hub.bell.ring()
    }

    private func post(_ delivery: StoredDelivery, _ due: DueDelivery, since start: Instant) async throws(StoreError) {
        let isDoubtful = self.board.isDoubtful(due)
        let sharing = ConnectionSharing(group: due.owner, limit: DeliveryScheduler.perAddress)
        let letter = WebhookMessage.letter(for: delivery, at: self.clock.unixTime, isDoubtful ? sharing : nil)
        let receipt = await self.poster.post(letter)
        if let attempt = DeliveryAttempt(receipt, at: self.clock.now) {
            self.hub.counters.attempts.note(attempt, for: due.url, of: due.channel)
        }
        let verdict = DeliveryOutcome(receipt)
        if let isAnswer = verdict.isAnswer {
            self.board.note(due, isAnswering: isAnswer && self.clock.now - start < Self.patience)
        }
        try await self.settle(due, delivery, verdict, since: start)
    }

    private func settle(
        _ due: DueDelivery,
        _ delivery: StoredDelivery,
        _ verdict: DeliveryOutcome,
        since start: Instant
    ) async throws(StoreError) {
        let key = Key(channel: due.channel, url: due.url)
        switch verdict {
        case .unknown:
            return
        case .delivered:
            self.troubles[key] = nil
            try await self.queue.settle(due.id, .done)
            self.counters.countDelivered()
        case .gone:
            self.board.drop(due.url, of: due.channel)
            guard let count = try await self.switchOff(due) else {
                // Switched off when it says so again: what stayed due would go out again at once, and for as long as that.
                let verdict = DeliveryOutcome.failed(reason: "status 410", isTrouble: true, wish: nil)
                return try await self.settle(due, delivery, verdict, since: start)
            }
            self.counters.countFailed()
            self.counters.countGivenUp(count)
            self.report(.gone(due.channel, origin: due.url.origin, deliveries: count))
        case .crowded(let address):
            let rest = self.clock.now + self.schedule.turn(jitter: self.jitter())
            self.board.drop(due.url, of: due.channel)
            try await self.queue.settle(due.id, .postponed(until: rest, resting: rest))
            self.report(.crowded(due.channel, origin: due.url.origin, address: address))
        case .failed(let reason, let isTrouble, let wish):
            self.counters.countFailed()
            let now = self.clock.now
            let rest = isTrouble ? self.rest(of: key, at: now, since: start) : nil
            if rest != nil { self.board.drop(due.url, of: due.channel) }
            let tries = delivery.tries + 1
            let age = now - delivery.message.at
            if let pause = self.schedule.pause(behind: tries, age: age, wish: wish, jitter: self.jitter()) {
                try await self.queue.settle(due.id, .retry(at: now + pause, resting: rest))
                self.report(.failed(due.channel, origin: due.url.origin, reason: reason))
            } else {
                try await self.queue.settle(due.id, .done)
                self.counters.countGivenUp()
                let message = delivery.message.message
                let origin = due.url.origin
                self.report(.gaveUp(due.channel, origin: origin, message: message, tries: tries, reason: reason))
            }
        }
    }

    /// Until when nothing goes to a webhook that has just failed.
    private func rest(of key: Key, at now: Instant, since start: Instant) -> Instant {
        if self.troubles.count >= Self.troubleLimit { self.troubles = [:] }
        let trouble = self.troubles[key]
        // What was sent before the last failure was known belongs to that failure.
        if let trouble, start < trouble.rest { return trouble.rest }
        // One that keeps a slot for as long as may be is left alone sooner than one that says at once what is wrong.
        let failures = (trouble?.failures ?? 0) + (now - start < Self.patience ? 1 : 2)
        let rest = now + self.schedule.rest(behind: failures, jitter: self.jitter())
        self.troubles[key] = Trouble(failures: failures, rest: rest)
        return rest
    }

    /// Switches a webhook off; the number of deliveries that went with it, nil when there was no room for its channel.
    private func switchOff(_ due: DueDelivery) async throws(StoreError) -> Int? {
        do throws(ChannelError) {
            guard case .count(let count) = try await self.hub.perform(.switchOff(due.url), on: due.channel) else {
                return nil
            }
            return count
        } catch {
            guard case .unavailable(let error) = error else { return nil }
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
                // To be cancelled is all that can go wrong, and then another alarm rings.
                guard (try? await self.clock.sleep(until: instant)) != nil else { return }
                self.alarm = nil
                self.hub.bell.ring()
            }
            return (instant, task)
        }
    }
}
