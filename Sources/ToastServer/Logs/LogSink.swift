import Dispatch
import EventLoop
import Foundation
import Logging
import Synchronization
import ToastCore
import ToastHub

/// Writes the log from a thread of its own, so that no request waits for the log's reader.
///
/// Overflow rule: lines that do not fit, or cannot be written, are dropped and counted, and the log says so with the
/// next line. While a pipe is not read, the log takes the memory of twice ``capacity`` lines: a batch being written,
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
        while let (lines, reported) = self.next() {
            let offset = Instant.wallClock - Instant(nanoseconds: EventLoop.now)
            var written = 0
            for (index, line) in lines.enumerated() {
                writer.write(line, clockOffset: offset)
                let isLast = index == lines.count - 1
                guard writer.count >= Self.chunk || isLast else { continue }
                let isWritten = output.write(writer.bytes)
                // The last line may be the report, which is repeated if it is lost.
                let (reported, reports) = isLast && reported > 0 ? (reported, 1) : (0, 0)
                self.state.withLock { state in
                    if isWritten {
                        state.unreported -= reported
                    } else {
                        self.countDrops(index + 1 - written - reports, &state)
                    }
                }
                written = index + 1
                writer.clear()
            }
        }
        self.ended.signal()
    }

    /// Waits for lines to write; `nil` when the log is closed.
    ///
    /// `reported` is how many lost lines the last of them reports.
    private func next() -> (lines: [LogLine], reported: Int)? {
        while let (lines, reported) = self.state.withLock({ $0.take() }) {
            if !lines.isEmpty { return (lines, reported) }
            self.semaphore.wait()
            if !self.state.withLock({ $0.isClosing }) { usleep(Self.gatheringTime) }
        }
        return nil
    }
}

extension LogSink.State {
    /// Takes the lines that wait, and the number of lost lines that the last of them reports.
    ///
    /// No lines mean that the thread may sleep, `nil` that the log is closed.
    fileprivate mutating func take() -> (lines: [LogLine], reported: Int)? {
        var lines: [LogLine] = []
        swap(&lines, &self.waiting)
        // Only with other lines: if the output fails, a report alone would be retried without end.
        if self.unreported > 0, !lines.isEmpty {
            let message = "log lines were dropped: they were not read, or could not be written"
            let fields = [(name: "count", value: LogLine.Value.number(self.unreported))]
            lines.append(
                LogLine(moment: EventLoop.now, level: .warning, logger: "toastd", message: message, fields: fields)
            )
            return (lines, self.unreported)
        }
        if lines.isEmpty {
            if self.isClosing { return nil }
            self.isAsleep = true
        }
        return (lines, 0)
    }
}
