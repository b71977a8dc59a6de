import Dispatch
import EventLoop
import Foundation
import Logging
import Synchronization
import ToastCore
import ToastHub

/// Writes the log from a thread of its own, so that no request waits for the log's reader.
///
/// Overflow rule: lines that do not fit, or cannot be written, are dropped and counted, and the log says so after the
/// next lines. While a pipe is not read, the log takes the memory of twice ``capacity`` lines: a batch being written,
/// and a batch that waits.
package final class LogSink: Sendable {
    fileprivate struct State {
        var waiting: [LogLine] = []
        /// Whether the thread waits for the semaphore.
        var isAsleep = false
        var isClosing = false
        /// Lines dropped since the log last said so.
        var unreported = 0
    }

    /// The most lines that wait.
    package static let capacity = 8192

    /// How long lines are gathered before they are written, in microseconds: to wake the thread for each line would
    /// take processor time from the loops.
    private static let gatheringTime: UInt32 = 5000

    /// The length at which gathered lines are written, in bytes.
    private static let chunk = 32 * 1024

    private let format: LogFormat
    private let descriptor: CInt
    private let state = Mutex(State())
    private let drops = Atomic<Int>(0)
    private let semaphore = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// Starts the thread, which writes to a descriptor, by default standard error.
    package init(format: LogFormat, descriptor: CInt = 2) {
        self.format = format
        self.descriptor = descriptor
        // When the pipe's reader is gone, `write` fails, instead of a signal ending the process.
        _ = signal(SIGPIPE, SIG_IGN)
        let thread = Thread { self.run() }
        thread.name = "toast-log"
        thread.start()
    }

    /// Lines that were dropped since the start.
    package var dropped: Int { self.drops.load(ordering: .relaxed) }

    /// Adds a line to those that wait to be written; never blocks.
    func write(_ line: LogLine) {
        let wakes = self.state.withLock { state -> Bool in
            guard state.waiting.count < Self.capacity, !state.isClosing else {
                self.countDrops(1, &state)
                return false
            }
            state.waiting.append(line)
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if wakes { self.semaphore.signal() }
    }

    private func countDrops(_ count: Int, _ state: inout State) {
        state.unreported += count
        self.drops.add(count, ordering: .relaxed)
    }

    /// Writes all lines that wait, and ends the thread; gives up after a second when the reader is stuck.
    package func close() {
        let wakes = self.state.withLock { state -> Bool? in
            guard !state.isClosing else { return nil }
            state.isClosing = true
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        guard let wakes else { return }
        if wakes { self.semaphore.signal() }
        _ = self.ended.wait(timeout: .now() + 1)
    }

    private func run() {
        var writer = LogWriter(self.format)
        var output = LogOutput(descriptor: self.descriptor)
        while let lines = self.next() {
            let offset = Instant.wallClock - Instant(nanoseconds: EventLoop.now)
            var gathered = 0
            for (index, line) in lines.enumerated() {
                writer.write(line, clockOffset: offset)
                gathered += 1
                guard writer.count >= Self.chunk || index == lines.count - 1 else { continue }
                if !output.write(writer.take()) { self.state.withLock { self.countDrops(gathered, &$0) } }
                gathered = 0
            }
            // Once for each batch: if the output fails, it is repeated after the next one.
            let unreported = self.state.withLock { $0.unreported }
            guard unreported > 0 else { continue }
            writer.write(Self.report(of: unreported), clockOffset: offset)
            if output.write(writer.take()) { self.state.withLock { $0.unreported -= unreported } }
        }
        self.ended.signal()
    }

    private static func report(of drops: Int) -> LogLine {
        let message = "log lines were dropped: they were not read, or could not be written"
        return LogLine(level: .warning, logger: "toastd", message: message, fields: [("count", .number(drops))])
    }

    /// Waits for lines to write; `nil` when the log is closed.
    private func next() -> [LogLine]? {
        while let lines = self.state.withLock({ $0.take() }) {
            if !lines.isEmpty { return lines }
            self.semaphore.wait()
            if !self.state.withLock({ $0.isClosing }) { usleep(Self.gatheringTime) }
        }
        return nil
    }
}

extension LogSink.State {
    /// Takes the lines that wait; none mean that the thread may sleep, `nil` that the log is closed.
    fileprivate mutating func take() -> [LogLine]? {
        guard self.waiting.isEmpty else {
            defer { self.waiting = [] }
            return self.waiting
        }
        guard !self.isClosing else { return nil }
        self.isAsleep = true
        return []
    }
}
