import HTTPClient
import Synchronization
import TestSupport
import ToastCore

@testable import ToastHub

/// A dispatcher for the channel `ops` of a test hub, with a sender and a clock that the test controls.
final class WebhookTestBench: Sendable {
    let lab: TestHub
    let sender = FakeSender()
    let clock: FakeClock
    let reports = Recorder<WebhookReport>()
    private let dispatcher: WebhookDispatcher

    /// A bench; the clock of `ops` may run ahead, as after a wall clock was set back.
    init(webhooks: String = #"[{"url": "https://a/"}]"#, ahead: Int64? = nil) async throws {
        let lab = try await TestHub()
        if let ahead {
            let clock = HubClock(wallClock: lab.hub.clock.now.nanoseconds + ahead * 1_000_000_000)
            let draft = try ToastDraft(json: ["message": "from the future"])
            _ = try await Hub(loops: lab.loops, store: lab.store, clock: clock).perform(on: TestHub.name("ops")) {
                channel throws(ChannelError) in try await channel.publish([draft])
            }
        }
        self.lab = lab
        // An hour ahead of the hub's clock, so that all of its events are due.
        self.clock = FakeClock(now: lab.hub.clock.now + Interval(seconds: 3600))
        self.dispatcher = WebhookDispatcher(
            hub: lab.hub,
            sender: self.sender,
            schedule: RetrySchedule(),
            clock: self.clock,
            jitter: { 0 },
            report: { [reports] in reports.add($0) }
        )
        try await self.configure(webhooks: webhooks)
    }

    func configure(webhooks: String) async throws {
        let list = try WebhookList(json: try JSON(parsing: Array(webhooks.utf8)))
        _ = try await self.lab.hub.perform(on: TestHub.name("ops")) { channel throws(ChannelError) in
            try await channel.configure(webhooks: list)
        }
    }

    var counters: WebhookCounters { self.lab.hub.webhookCounters }

    func start() -> Task<Void, Never> { Task { await self.dispatcher.run() } }

    func stop(_ run: Task<Void, Never>) async {
        await self.dispatcher.stop()
        await run.value
    }

    func clear() async throws {
        _ = try await self.lab.hub.perform(on: TestHub.name("ops")) { channel throws(ChannelError) in
            try await channel.clear()
        }
    }

    func dismissOne() async throws {
        _ = try await self.lab.publish("hello")
        try await self.clear()
    }

    func webhooks() async throws -> [Webhook] {
        try await self.lab.hub.perform(on: TestHub.name("ops")) { channel throws(ChannelError) in
            try await channel.configure().webhooks
        }
    }
}

/// Stores elements for a test that waits for them.
final class Recorder<Element: Sendable>: Sendable {
    private let stream: AsyncStream<Element>
    private let continuation: AsyncStream<Element>.Continuation
    private let total = Mutex(0)

    init() {
        (self.stream, self.continuation) = AsyncStream.makeStream(of: Element.self)
    }

    /// The number of all elements.
    var count: Int { self.total.withLock { $0 } }

    func add(_ element: Element) {
        self.total.withLock { $0 += 1 }
        self.continuation.yield(element)
    }

    /// The next element; nil when the test is cancelled.
    func next() async -> Element? {
        for await element in self.stream { return element }
        return nil
    }
}

/// Sends nothing, and returns the prepared answers, then the usual one.
final class FakeSender: WebhookSender {
    private let answers = Mutex<[(receipt: TransferOutcome, meanwhile: @Sendable () -> Void)]>([])
    private let requests = Recorder<OutgoingRequest>()
    private let usual: Mutex<TransferOutcome> = Mutex(.answered(status: 200, retryAfter: nil))

    var count: Int { self.requests.count }

    func answer(_ receipts: TransferOutcome...) {
        self.answers.withLock { $0 += receipts.map { ($0, {}) } }
    }

    /// The answer when no prepared one is left: 200 unless it is another.
    func answerAlways(_ receipt: TransferOutcome) { self.usual.withLock { $0 = receipt } }

    /// Prepares an answer, with an action to run before it.
    func answer(_ receipt: TransferOutcome, meanwhile: @escaping @Sendable () -> Void) {
        self.answers.withLock { $0.append((receipt, meanwhile)) }
    }

    func post(_ request: OutgoingRequest) async -> TransferOutcome {
        let (receipt, meanwhile) = self.answers.withLock { answers in
            answers.isEmpty ? (self.usual.withLock { $0 }, {}) : answers.removeFirst()
        }
        meanwhile()
        self.requests.add(request)
        return receipt
    }

    func next() async -> OutgoingRequest {
        await self.requests.next() ?? OutgoingRequest(url: "", headers: [], body: [])
    }
}

/// A clock that stands still until a test moves it.
final class FakeClock: DispatchClock {
    private struct State {
        var now: Instant
        var sleepers: [Int: (until: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var watchers: [(until: Instant, continuation: CheckedContinuation<Void, Never>)] = []
        var lastSleeper = 0
    }

    private let state: Mutex<State>

    init(now: Instant) {
        self.state = Mutex(State(now: now))
    }

    var now: Instant { self.state.withLock { $0.now } }
    var unixTime: Int64 { 1_800_000_000 }

    func sleep(until instant: Instant) async throws {
        let number = self.state.withLock { state in
            state.lastSleeper += 1
            return state.lastSleeper
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let watchers = self.state.withLock { state -> [CheckedContinuation<Void, Never>]? in
                    guard !Task.isCancelled, instant > state.now else { return nil }
                    state.sleepers[number] = (instant, continuation)
                    let watchers = state.watchers.filter { $0.until == instant }.map(\.continuation)
                    state.watchers.removeAll { $0.until == instant }
                    return watchers
                }
                guard let watchers else { return continuation.resume() }
                for watcher in watchers { watcher.resume() }
            }
        } onCancel: {
            let sleeper = self.state.withLock { $0.sleepers.removeValue(forKey: number) }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Returns when a task sleeps for this number of seconds from now.
    func alarm(after seconds: Double) async {
        await withCheckedContinuation { continuation in
            let isSet = self.state.withLock { state in
                let until = state.now + Interval(seconds: seconds)
                let isSet = state.sleepers.values.contains { $0.until == until }
                if !isSet { state.watchers.append((until, continuation)) }
                return isSet
            }
            if isSet { continuation.resume() }
        }
    }

    /// Waits for a task that sleeps for this number of seconds, and advances the clock by them.
    func advance(toAlarmAfter seconds: Double) async {
        await self.alarm(after: seconds)
        self.skip(seconds: seconds)
    }

    /// Advances the clock.
    func skip(seconds: Double) {
        let woken = self.state.withLock { state in
            state.now = state.now + Interval(seconds: seconds)
            let woken = state.sleepers.filter { $0.value.until <= state.now }
            for number in woken.keys { state.sleepers[number] = nil }
            return woken.values.map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }
}
