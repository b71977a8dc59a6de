import Dispatch
public import EventLoop
import Foundation
public import Logging
import Measures
import Synchronization
import ToastCore
public import ToastHub

/// Notices loops that do not come back, clocks that jump, and memory that runs out.
///
/// A thread of its own sends each loop a beat, twice a second, and looks when it was answered. What runs on a loop has to let
/// go of it at once; when something does not, all that lives on the loop stands still, and nobody on it can tell.
public final class Watchdog: Sendable {
    /// How long a loop may take to come back, in nanoseconds.
    static let limit: Int64 = 1_000_000_000

    private static let interval: Int64 = 500_000_000

    private let loops: [(loop: EventLoop, meter: LoopMeter)]
    private let hub: Hub
    private let telemetry: Telemetry
    private let logger: Logger
    private let isStopping = Atomic(false)
    private let bell = DispatchSemaphore(value: 0)

    /// A watchdog that sleeps.
    public init(_ loops: [EventLoop], _ hub: Hub, _ telemetry: Telemetry, _ logger: Logger) {
        self.hub = hub
        self.loops = Array(zip(loops, telemetry.loops))
        self.telemetry = telemetry
        self.logger = logger
    }

    /// Starts to watch.
    ///
    /// Call it after all else that wants to be called at the end of a turn is there: what comes behind is not measured.
    public func start() {
        for (loop, meter) in self.loops { loop.execute { loop.addHook(TurnWatch(loop, meter)) } }
        let thread = Thread { self.run() }
        thread.name = "toast-watchdog"
        thread.start()
    }

    /// Watches no longer.
    public func stop() {
        self.isStopping.store(true, ordering: .relaxed)
        self.bell.signal()
    }

    private func run() {
        var watches = self.loops.map { _ in StallWatch() }
        var clock = ClockWatch(wall: LogCalls.wallClock, monotonic: EventLoop.now)
        var memory = MemoryWatch(self.hub, self.logger)
        var last = EventLoop.now
        while !self.isStopping.load(ordering: .relaxed) {
            _ = self.bell.wait(timeout: .now() + .nanoseconds(Int(Self.interval)))
            let now = EventLoop.now
            // Who overslept this much was stopped, and so were the loops: they get that time on top.
            let pause = max(0, now - last - Self.interval - Self.limit)
            last = now
            for (index, (loop, meter)) in self.loops.enumerated() {
                watches[index].forgive(pause)
                self.look(at: &watches[index], loop, meter, now)
            }
            memory.look(at: now)
            if let jump = clock.jump(wall: LogCalls.wallClock, monotonic: EventLoop.now) {
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
        case .tellStall:
            meter.stalls.add()
            self.logger.warning("a loop does not come back", metadata: ["loop": "\(loop)"])
        }
    }
}

/// Measures each turn of a loop, as the last of its hooks.
private final class TurnWatch: TurnHook {
    private let loop: EventLoop
    private let meter: LoopMeter

    init(_ loop: EventLoop, _ meter: LoopMeter) {
        self.loop = loop
        self.meter = meter
    }

    func endOfTurn() -> Int64? {
        let length = Int(EventLoop.now - self.loop.turnStart)
        self.meter.turns.observe(length)
        if length > self.meter.longestTurn.value { self.meter.longestTurn.set(length) }
        return nil
    }
}

/// Decides when a loop has stood still for too long, which is told once.
struct StallWatch: Sendable {
    private enum State {
        /// From the start, and when the loop has answered. Leaves to `waiting` with the next beat.
        case resting
        /// A beat was sent. Leaves to `resting` when it was answered, or to `told` when that takes too long.
        case waiting(sent: Int64, allowance: Int64)
        /// It took too long, and that was told. Leaves to `resting` when the beat was answered.
        case told(sent: Int64)
    }

    private var state = State.resting

    /// What to do about a loop.
    enum Action: Equatable {
        case send
        case wait
        case tellStall
    }

    /// Looks at a moment, when the loop has answered the beat of another moment.
    mutating func look(at now: Int64, answered: Int64) -> Action {
        switch self.state {
        case .waiting(let sent, let allowance) where answered < sent:
            guard now - sent - allowance > Watchdog.limit else { return .wait }
            self.state = .told(sent: sent)
            return .tellStall
        case .told(let sent) where answered < sent:
            return .wait
        case .resting, .waiting, .told:
            self.state = .waiting(sent: now, allowance: 0)
            return .send
        }
    }

    /// Gives the loop more time, because it could not run.
    mutating func forgive(_ time: Int64) {
        guard time > 0, case .waiting(let sent, let allowance) = self.state else { return }
        self.state = .waiting(sent: sent, allowance: allowance + time)
    }
}

/// Notices that the wall clock was set: it moves against the monotonic clock, by more than it is ever slewed.
struct ClockWatch: Sendable {
    private var offset: Interval

    /// The least that counts as a jump, in nanoseconds.
    private static let limit: Int64 = 1_000_000_000

    init(wall: Int64, monotonic: Int64) {
        self.offset = Self.offset(wall, monotonic)
    }

    /// By how much the wall clock jumped since the last look; nil when it did not.
    mutating func jump(wall: Int64, monotonic: Int64) -> Int64? {
        let offset = Self.offset(wall, monotonic)
        defer { self.offset = offset }
        let change = (offset - self.offset).nanoseconds
        return change.magnitude >= Self.limit.magnitude ? change : nil
    }

    /// As far as it can be said: the wall clock may be set to any time.
    private static func offset(_ wall: Int64, _ monotonic: Int64) -> Interval {
        Interval(nanoseconds: wall) - Interval(nanoseconds: monotonic)
    }
}
