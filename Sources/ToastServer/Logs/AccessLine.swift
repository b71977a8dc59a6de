import InternetAddresses
import Logging
import MicroHTTP
import ToastCore
import ToastHub

/// A request and its answer.
struct AccessLine: LogLine {
    /// What was asked for.
    enum Path: Sendable {
        /// Decoded segments.
        case segments([String])
        /// What came, of a request that was refused.
        case raw([UInt8])
    }

    /// What happened, as the beginning of the line says it.
    enum Message: Sendable {
        case request
        case streamOpened
        case streamClosed
    }

    let moment: Int64
    let message: Message
    let method: String
    let route: String
    let path: Path
    let status: Int
    let bytes: Int
    /// In nanoseconds.
    let duration: Int64
    let source: IPAddress?
    let caller: String?
    let request: String
    /// As it was sent.
    let traceparent: String?

    func write(to writer: inout LogWriter, at clock: LogClock) {
        writer.begin(clock.instant(of: self.moment), self.message)
        writer.field("request", self.request)
        writer.field("source", self.source)
        writer.field("caller", self.caller)
        writer.field("method", self.method)
        switch self.path {
        case .segments(let segments): writer.field("path", path: segments)
        // Without its query: tickets stand there.
        case .raw(let bytes):
            writer.field("path", String(decoding: bytes.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self))
        }
        writer.field("route", self.route)
        writer.field("status", self.status)
        writer.field("bytes", self.bytes)
        writer.field("duration", nanoseconds: self.duration)
        writer.field(self.traceparent.flatMap { TraceContext($0) })
        writer.end()
    }
}

extension LogWriter {
    /// Begins a line of the access log: most lines are, so what they all begin with is written in one move.
    mutating func begin(_ time: Instant, _ message: AccessLine.Message) {
        switch message {
        case .request:
            self.begin(
                time,
                text: " level=info logger=access message=request",
                json: #","level":"info","logger":"access","message":"request""#
            )
        case .streamOpened:
            self.begin(
                time,
                text: #" level=info logger=access message="stream opened""#,
                json: #","level":"info","logger":"access","message":"stream opened""#
            )
        case .streamClosed:
            self.begin(
                time,
                text: #" level=info logger=access message="stream closed""#,
                json: #","level":"info","logger":"access","message":"stream closed""#
            )
        }
    }

    /// Adds the names of a trace.
    mutating func field(_ trace: TraceContext?) {
        guard let trace else { return }
        self.field("trace", trace.trace)
        self.field("span", trace.parent)
    }
}

/// A stream that ended.
struct StreamLine: LogLine {
    let moment: Int64
    let record: StreamRecord

    func write(to writer: inout LogWriter, at clock: LogClock) {
        writer.begin(clock.instant(of: self.moment), AccessLine.Message.streamClosed)
        writer.field("request", self.record.request)
        writer.field("caller", self.record.caller)
        writer.field("transport", self.record.transport?.rawValue ?? "wait")
        writer.field("reason", self.record.end.label)
        writer.field("frames", self.record.frames)
        writer.field("bytes", self.record.bytes)
        writer.field("duration", nanoseconds: self.record.duration)
        writer.end()
    }
}
