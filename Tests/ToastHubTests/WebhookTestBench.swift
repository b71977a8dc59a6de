import Courier
import Synchronization
import ToastCore

@testable import ToastHub

/// A dispatcher at work on a lab's channel `ops`, with a poster and a clock in the hands of a test.
final class WebhookTestBench: Sendable {
    let lab: TestHub
    let poster = FakeSender()
    let clock: FakeClock
    let reports = Recorder<WebhookReport>()
    private let dispatcher: WebhookDispatcher

    /// A desk; the time of `ops` may run ahead, as behind a wall clock that was set back.
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
        // An hour ahead of the lab's own clock, so that all that happens there is due.
        self.clock = FakeClock(now: lab.hub.clock.now + Interval(seconds: 3600))
        self.dispatcher = WebhookDispatcher(
            hub: lab.hub,
            poster: self.poster,
            schedule: RetrySchedule(),
            clock: self.clock,
            jitter: { 0 },
            report: { [reports] in reports.add($0) }
        )
        let list = try WebhookList(json: try JSON(parsing: Array(webhooks.utf8)))
        _ = try await lab.hub.perform(on: TestHub.name("ops")) { channel throws(ChannelError) in
            try await channel.configure(webhooks: list)
        }
    }

    var counters: WebhookCounters { self.lab.hub.counters.webhooks }

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

/// Keeps what comes, for a test that waits for it.
final class Recorder<Element: Sendable>: Sendable {
    private let stream: AsyncStream<Element>
    private let continuation: AsyncStream<Element>.Continuation
    private let total = Mutex(0)

    init() {
        (self.stream, self.continuation) = AsyncStream.makeStream(of: Element.self)
    }

    /// How many came in all.
    var count: Int { self.total.withLock { $0 } }

    func add(_ element: Element) {
        self.total.withLock { $0 += 1 }
        self.continuation.yield(element)
    }

    /// The next one that was not asked for yet; nil when the test is cancelled.
    func next() async -> Element? {
        for await element in self.stream { return element }
        return nil
    }
}

/// Posts nothing, and answers as it was told: with 200 when it was told nothing more.
final class FakeSender: WebhookSender {
    private let answers = Mutex<[(receipt: Receipt, meanwhile: @Sendable () -> Void)]>([])
    private let letters = Recorder<OutgoingRequest>()

    var count: Int { self.letters.count }

    func answer(_ receipts: Receipt...) {
        self.answers.withLock { $0 += receipts.map { ($0, {}) } }
    }

    /// Answers so, and does something before it does.
    func answer(_ receipt: Receipt, meanwhile: @escaping @Sendable () -> Void) {
        self.answers.withLock { $0.append((receipt, meanwhile)) }
    }

    func post(_ letter: OutgoingRequest) async -> Receipt {
        let (receipt, meanwhile) = self.answers.withLock { answers in
            answers.isEmpty ? (Receipt.answered(status: 200, retryAfter: nil), {}) : answers.removeFirst()
        }
        meanwhile()
        self.letters.add(letter)
        return receipt
    }

    func next() async -> OutgoingRequest {
        await self.letters.next() ?? OutgoingRequest(url: "", headers: [], body: [])
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

    /// Returns when somebody sleeps for so many seconds from now.
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

    /// Waits for somebody who sleeps for so many seconds, and lets these pass.
    func advance(toAlarmAfter seconds: Double) async {
        await self.alarm(after: seconds)
        self.skip(seconds: seconds)
    }

    /// Lets time pass.
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
