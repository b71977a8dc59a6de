import Dispatch
import EventLoop
import Foundation
import Logging
import Synchronization
import ToastCore

/// Writes the log from a thread of its own, so that whoever has something to say never waits for whoever reads it.
///
/// Overflow rule: what does not fit is dropped and counted, and the log says so as soon as it is read again. A pipe that
/// nobody empties costs at most twice ``capacity`` lines of memory, those under way and those that wait, and no request a
/// moment.
public final class LogSink: Sendable {
    fileprivate struct State {
        var waiting: [any LogLine] = []
        /// The thread waits for the bell.
        var isAsleep = false
        var isClosing = false
        /// Lines dropped since the log last told of any.
        var untold = 0
    }

    /// The most lines that wait.
    public static let capacity = 8192

    /// How long lines are gathered before they are written, in microseconds: a thread woken for each of them would take a
    /// core's time from the loops.
    private static let gatheringTime: UInt32 = 5000

    /// How much is written at once, in bytes.
    private static let chunk = 32 * 1024

    private let format: LogFormat
    private let descriptor: CInt
    private let state = Mutex(State())
    private let drops = Atomic<Int>(0)
    private let bell = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - format: How lines look.
    ///   - descriptor: Where they go; standard error unless said otherwise.
    public init(format: LogFormat, descriptor: CInt = 2) {
        self.format = format
        self.descriptor = descriptor
        LogCalls.ignoreBrokenPipes()
        let thread = Thread { self.run() }
        thread.name = "toast-log"
        thread.start()
    }

    /// Lines that were dropped since the start.
    public var dropped: Int { self.drops.load(ordering: .relaxed) }

    /// Leaves a line; never waits.
    public func write(_ line: some LogLine) {
        let wakes = self.state.withLock { state -> Bool in
            guard state.waiting.count < Self.capacity, !state.isClosing else {
                state.untold += 1
                self.drops.add(1, ordering: .relaxed)
                return false
            }
            state.waiting.append(line)
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if wakes { self.bell.signal() }
    }

    /// Writes what waits, and ends; a reader that is stuck is left alone after a second.
    public func close() {
        let wakes = self.state.withLock { state -> Bool? in
            guard !state.isClosing else { return nil }
            state.isClosing = true
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        guard let wakes else { return }
        if wakes { self.bell.signal() }
        _ = self.ended.wait(timeout: .now() + 1)
    }

    private func run() {
        var writer = LogWriter(self.format)
        while let lines = self.next() {
            let clock = LogClock(offset: LogCalls.wallClock - EventLoop.now)
            for (index, line) in lines.enumerated() {
                line.write(to: &writer, at: clock)
                guard writer.count >= Self.chunk || index == lines.count - 1 else { continue }
                // When nobody reads any more, there is nobody to tell.
                _ = LogCalls.writeAll(writer.bytes, to: self.descriptor)
                writer.clear()
            }
        }
        self.ended.signal()
    }

    fileprivate enum Turn {
        case write([any LogLine])
        case sleep
        case end
    }

    /// The lines to write next; nil when there will be none.
    private func next() -> [any LogLine]? {
        while true {
            switch self.state.withLock({ $0.take() }) {
            case .write(let lines): return lines
            case .end: return nil
            case .sleep:
                self.bell.wait()
                if !self.state.withLock({ $0.isClosing }) { usleep(Self.gatheringTime) }
            }
        }
    }
}

extension LogSink.State {
    fileprivate mutating func take() -> LogSink.Turn {
        var lines: [any LogLine] = []
        swap(&lines, &self.waiting)
        if self.untold > 0 {
            lines.append(DroppedLines(count: self.untold, moment: EventLoop.now))
            self.untold = 0
        }
        if !lines.isEmpty { return .write(lines) }
        if self.isClosing { return .end }
        self.isAsleep = true
        return .sleep
    }
}

/// Tells of lines that nobody will read.
private struct DroppedLines: LogLine {
    let count: Int
    let moment: Int64

    func write(to writer: inout LogWriter, at clock: LogClock) {
        writer.begin(clock.instant(of: self.moment), .warning, "toastd", "log lines were dropped: nobody read them")
        writer.field("count", self.count)
        writer.end()
    }
}

extension LogClock {
    /// The time of day at a moment of the monotonic clock.
    func instant(of moment: Int64) -> Instant { Instant(nanoseconds: moment) + Interval(nanoseconds: self.offset) }
}
