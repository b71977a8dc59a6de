import Glibc
import Synchronization
import Testing

@testable import EventLoop

@Suite struct EventLoopTests {
    private let loop: EventLoop

    init() throws {
        self.loop = try EventLoop(name: "test")
    }

    @Test func anActorOfTheLoopRunsOnItsThread() async {
        let counter = Counter(loop: self.loop)
        #expect(await counter.isOnLoop)
        #expect(!self.loop.isCurrent)
        self.loop.stop()
    }

    @Test func aBatchLoopDoesNotInterruptOtherThreads() async throws {
        let batch = try EventLoop(name: "batch", policy: .batch)
        #expect(await self.policy(of: batch) == 3)
        // A thread inherits its policy from the one that starts it; a loop must not.
        let normal = try await withCheckedContinuation { made in
            batch.execute { made.resume(returning: Result { try EventLoop(name: "normal") }) }
        }.get()
        #expect(await self.policy(of: normal) == sched_getscheduler(getpid()))
        for loop in [batch, normal, self.loop] { loop.stop() }
    }

    private func policy(of loop: EventLoop) async -> CInt {
        await withCheckedContinuation { found in loop.execute { found.resume(returning: sched_getscheduler(0)) } }
    }

    @Test func noRandomNumberIsGivenOutTwice() async {
        let numbers = await withCheckedContinuation { done in
            self.loop.execute {
                done.resume(returning: self.loop.withRandomNumbers { random in (0..<1000).map { _ in random.next() } })
            }
        }
        #expect(Set(numbers).count == 1000)
        self.loop.stop()
    }

    @Test func workFromManyThreadsIsNeverLost() async {
        let counter = Counter(loop: self.loop)
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<5000 { await counter.increment() } }
            }
        }
        #expect(await counter.value == 40_000)
        self.loop.stop()
    }

    @Test func workOfOneThreadKeepsItsOrder() async {
        let seen = Mutex<[Int]>([])
        await withCheckedContinuation { done in
            for number in 0..<10_000 { self.loop.execute { seen.withLock { $0.append(number) } } }
            self.loop.execute { done.resume() }
        }
        #expect(seen.withLock { $0 } == Array(0..<10_000))
        self.loop.stop()
    }

    @Test func anImmediateTaskCallsActorsOfTheLoopWithoutWaiting() async {
        let counter = Counter(loop: self.loop)
        let other = Counter(loop: self.loop)
        // If any of the calls were queued, the task would not have finished when its start returns.
        #expect(await counter.finishesAtOnce { await other.increment(by: counter) })
        #expect(await other.value == 1)
        self.loop.stop()
    }

    @Test func aTaskMayPreferTheLoop() async {
        let loop = self.loop
        let isOnLoop = await Task(executorPreference: loop.taskExecutor) {
            await Task.yield()
            return loop.isCurrent
        }.value
        #expect(isOnLoop)
        self.loop.stop()
    }

    @Test func timersFireInOrderAndNotBeforeTheirTime() async {
        let log = TimerLog(loop: self.loop)
        let start = EventLoop.now
        let fired = await log.run(delays: [0: 30, 1: 10, 2: 20], cancelling: 3)
        #expect(fired.map(\.token) == [1, 2, 0])
        for entry in fired { #expect(entry.at >= start + entry.delay) }
        self.loop.stop()
    }

    @Test func aDescriptorIsReportedUntilItIsUnwatched() async throws {
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        let reader = PipeReader(loop: self.loop, descriptor: ends[0])
        try await reader.start()
        for byte in "toast".utf8 {
            var byte = byte
            try #require(write(ends[1], &byte, 1) == 1)
        }
        #expect(await reader.text(ofLength: 5) == "toast")
        close(ends[0])
        close(ends[1])
        self.loop.stop()
    }

    @Test(.timeLimit(.minutes(5))) func whatIsLeftWhenALoopEndsDoesNotKeepItsOwnerAlive() async throws {
        self.loop.stop()
        let (released, end) = AsyncStream<Void>.makeStream()
        do {
            let owner = Owner(try EventLoop(name: "short")) { end.finish() }
            owner.loop.execute {
                _ = owner.loop.schedule(at: .max, owner)
                owner.loop.stop()
                owner.loop.execute { _ = owner.loop }
            }
            // From this thread, before or after the end.
            owner.loop.execute { _ = owner.loop }
        }
        for await _ in released {}
    }

    /// A later thread may get the identifier of the loop's thread.
    @Test(.timeLimit(.minutes(5))) func aLoopThatHasEndedIsCurrentOnNoThread() async throws {
        let ended = self.loop
        ended.stop()
        while ended.tasks.loop.withLock({ $0 != nil }) { try await Task.sleep(for: .milliseconds(1)) }
        let others = try (0..<20).map { try EventLoop(name: "other-\($0)") }
        for other in others {
            let isCurrent: Bool = await withCheckedContinuation { found in
                other.execute { found.resume(returning: ended.isCurrent) }
            }
            #expect(!isCurrent)
            other.stop()
        }
    }

    @Test func aHookRunsAtTheEndOfATurn() async {
        let hook = CountingHook()
        let added = await Counter(loop: self.loop).add(hook)
        #expect(added == 0)
        _ = await Counter(loop: self.loop).value
        #expect(hook.calls.withLock { $0 } >= 1)
        self.loop.stop()
    }
}

@Suite struct ThreadConfinedTests {
    @Test func aValueThatWasReleasedBelongsToNoThread() {
        let value = ThreadConfined(0)
        #expect(!value.isOwned)
        value.claim()
        #expect(value.isOwned)
        value.release()
        #expect(!value.isOwned)
    }
}

private actor Counter: LoopActor {
    nonisolated let loop: EventLoop
    private(set) var value = 0

    var isOnLoop: Bool { self.loop.isCurrent }

    init(loop: EventLoop) { self.loop = loop }

    func increment() { self.value += 1 }

    func increment(by other: Counter) async { self.value += await other.value }

    func finishesAtOnce(_ body: @escaping @Sendable () async -> Void) -> Bool {
        var isFinished = false
        Task.immediate {
            self.increment()
            await body()
            isFinished = true
        }
        return isFinished
    }

    func add(_ hook: CountingHook) -> Int {
        self.loop.addHook(hook)
        return hook.calls.withLock { $0 }
    }
}

private final class CountingHook: TurnHook {
    let calls = Mutex(0)

    func endTurn(begunAt start: Int64) -> Int64? {
        self.calls.withLock { $0 += 1 }
        return nil
    }
}

private actor TimerLog: LoopActor, Sleeper {
    struct Entry: Sendable {
        let token: Int
        let delay: Int64
        let at: Int64
    }

    nonisolated let loop: EventLoop
    private var delays: [Int: Int64] = [:]
    private var fired: [Entry] = []
    private var done: CheckedContinuation<[Entry], Never>?

    init(loop: EventLoop) { self.loop = loop }

    func run(delays: [Int: Int64], cancelling cancelled: Int) async -> [Entry] {
        let start = EventLoop.now
        self.delays = delays.mapValues { $0 * 1_000_000 }
        for (token, delay) in self.delays { _ = self.loop.schedule(at: start + delay, self, token: token) }
        self.loop.cancel(self.loop.schedule(at: start, self, token: cancelled))
        return await withCheckedContinuation { self.done = $0 }
    }

    nonisolated func wake(token: Int) { self.assumeIsolated { $0.note(token) } }

    private func note(_ token: Int) {
        self.fired.append(Entry(token: token, delay: self.delays[token] ?? .max, at: EventLoop.now))
        if self.fired.count == self.delays.count { self.done?.resume(returning: self.fired) }
    }
}

private actor PipeReader: LoopActor, Watcher {
    nonisolated let loop: EventLoop
    private let descriptor: CInt
    private var watch: EventLoop.Watch?
    private var bytes: [UInt8] = []
    private var waiter: (length: Int, continuation: CheckedContinuation<String, Never>)?

    init(loop: EventLoop, descriptor: CInt) {
        self.loop = loop
        self.descriptor = descriptor
    }

    func start() throws { self.watch = try self.loop.watch(self.descriptor, for: .readable, by: self) }

    func text(ofLength length: Int) async -> String {
        await withCheckedContinuation { continuation in
            self.waiter = (length, continuation)
            self.answer()
        }
    }

    nonisolated func ready(_ readiness: Readiness, token: Int) { self.assumeIsolated { $0.read() } }

    private func read() {
        // One byte at a time: watches are level-triggered, so the rest is reported again.
        var byte: UInt8 = 0
        guard Glibc.read(self.descriptor, &byte, 1) == 1 else { return }
        self.bytes.append(byte)
        self.answer()
    }

    private func answer() {
        guard let waiter = self.waiter, self.bytes.count >= waiter.length else { return }
        self.waiter = nil
        if let watch = self.watch { self.loop.unwatch(watch) }
        waiter.continuation.resume(returning: String(decoding: self.bytes, as: UTF8.self))
    }
}

/// Keeps a reference to a loop, which may keep one to it.
private final class Owner: Sleeper {
    let loop: EventLoop
    private let onEnd: @Sendable () -> Void

    init(_ loop: EventLoop, onEnd: @escaping @Sendable () -> Void) {
        self.loop = loop
        self.onEnd = onEnd
    }

    deinit { self.onEnd() }

    func wake(token _: Int) {}
}
