import Dispatch
package import EventLoop
import Foundation
package import Logging
import Metrics
import Synchronization
import ToastCore
package import ToastHub

/// Notices loops that are stuck, clocks that jump, and memory that runs out.
///
/// A thread of its own sends each loop a heartbeat, twice a second, and checks when it was answered. A job that does
/// not return stops everything else on its loop, so the loop itself cannot report it.
package final class Watchdog: Sendable {
    /// How long a turn of a loop may take, in nanoseconds.
    static let limit: Int64 = 1_000_000_000

    /// The time between two looks at the loops, in nanoseconds.
    static let interval: Int64 = 500_000_000

    private let loops: [(loop: EventLoop, meter: LoopMeter)]
    private let hub: Hub
    private let telemetry: Telemetry
    private let logger: Logger
    private let isStopping = Atomic(false)
    private let semaphore = DispatchSemaphore(value: 0)

    /// A watchdog that has not been started.
    package init(_ loops: [EventLoop], _ hub: Hub, _ telemetry: Telemetry, _ logger: Logger) {
        self.hub = hub
        self.loops = Array(zip(loops, telemetry.loops))
        self.telemetry = telemetry
        self.logger = logger
    }

    /// Starts to watch; call it after all other hooks of the loops were added, because later ones are not measured.
    package func start() {
        for (loop, meter) in self.loops { loop.execute { loop.addHook(TurnWatch(meter)) } }
        let thread = Thread { self.run() }
        thread.name = "toast-watchdog"
        thread.start()
    }

    package func stop() {
        self.isStopping.store(true, ordering: .relaxed)
        self.semaphore.signal()
    }

    private func run() {
        var watches = self.loops.map { _ in StallWatch() }
        var clock = ClockWatch(wall: Instant.wallClock.nanoseconds, monotonic: EventLoop.now)
        var memory = MemoryWatch(self.hub, self.logger)
        var last = EventLoop.now
        while !self.isStopping.load(ordering: .relaxed) {
            _ = self.semaphore.wait(timeout: .now() + .nanoseconds(Int(Self.interval)))
            let now = EventLoop.now
            let overslept = now - last - Self.interval
            last = now
            for (index, (loop, meter)) in self.loops.enumerated() {
                watches[index].allow(forOversleeping: overslept)
                self.look(at: &watches[index], loop, meter, now)
            }
            memory.look(at: now)
            if let jump = clock.jump(wall: Instant.wallClock.nanoseconds, monotonic: EventLoop.now) {
                self.telemetry.clockJumps.add()
                let seconds = String(format: "%.3f", Double(jump) / 1_000_000_000)
                self.logger.warning("the wall clock jumped", metadata: ["seconds": "\(seconds)"])
            }
        }
    }

    private func look(at watch: inout StallWatch, _ loop: EventLoop, _ meter: LoopMeter, _ now: Int64) {
        switch watch.look(at: now, answered: meter.answered.load(ordering: .acquiring)) {
        case .wait:
            break
        case .send:
            meter.sent.store(now, ordering: .releasing)
            loop.execute {
                meter.lag.observe(Int(EventLoop.now - now))
                meter.answered.store(now, ordering: .releasing)
            }
        case .reportStall:
            meter.stalls.add()
            self.logger.warning("a loop does not come back", metadata: ["loop": "\(loop)"])
        }
    }
}

/// Measures each turn of a loop; it has to be the last of its hooks.
private final class TurnWatch: TurnHook {
    private let meter: LoopMeter

    init(_ meter: LoopMeter) {
        self.meter = meter
    }

    func endTurn(begunAt start: Int64) -> Int64? {
        let length = Int(EventLoop.now - start)
        self.meter.turns.observe(length)
        if length > self.meter.longestTurn.value { self.meter.longestTurn.set(length) }
        return nil
    }
}

/// Decides when a loop has been stuck for too long, and reports that once.
struct StallWatch: Sendable {
    /// When the last heartbeat was sent; before the first one a time that counts as answered.
    private var sent = Int64.min
    /// The time that the answer may take in addition, because the process was stopped.
    private var allowance: Int64 = 0
    /// Whether the last heartbeat was reported as a stall.
    private var isReported = false

    enum Action: Equatable {
        case send
        case wait
        case reportStall
    }

    /// Checks a loop; `answered` is the time at which its last answered heartbeat was sent.
    mutating func look(at now: Int64, answered: Int64) -> Action {
        guard answered < self.sent else {
            (self.sent, self.allowance, self.isReported) = (now, 0, false)
            return .send
        }
        guard !self.isReported, now - self.sent - self.allowance > Watchdog.limit else { return .wait }
        self.isReported = true
        return .reportStall
    }

    /// Gives the loop the time by which the watchdog overslept, if that is so long that the process was stopped.
    ///
    /// With less, a heartbeat that was sent at the last look is not late yet.
    mutating func allow(forOversleeping time: Int64) {
        if time > Watchdog.limit - Watchdog.interval { self.allowance += time }
    }
}

/// Notices that the wall clock was set: it moved against the monotonic clock by more than slewing ever does.
struct ClockWatch: Sendable {
    private var offset: Interval

    /// The least that counts as a jump, in nanoseconds.
    private static let limit: Int64 = 1_000_000_000

    init(wall: Int64, monotonic: Int64) {
        self.offset = Self.offset(wall, monotonic)
    }

    /// How far the wall clock jumped since the last call, in nanoseconds; `nil` when it did not.
    mutating func jump(wall: Int64, monotonic: Int64) -> Int64? {
        let offset = Self.offset(wall, monotonic)
        defer { self.offset = offset }
        let change = (offset - self.offset).nanoseconds
        return change.magnitude >= Self.limit.magnitude ? change : nil
    }

    /// Computed as intervals, which clamp: the wall clock may be set to any time.
    private static func offset(_ wall: Int64, _ monotonic: Int64) -> Interval {
        Interval(nanoseconds: wall) - Interval(nanoseconds: monotonic)
    }
}
