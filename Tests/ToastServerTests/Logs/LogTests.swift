import Foundation
import Glibc
import Logging
import Testing
import ToastCore

@testable import ToastServer

@Suite struct LogTests {
    private func line(_ format: LogFormat, _ value: String) -> String {
        var writer = LogWriter(format)
        let fields: [(name: String, value: LogLine.Value)] = [
            ("path", .text(value)), ("duration", .nanoseconds(1_002_003_999)), ("status", .number(200)),
        ]
        let line = LogLine(moment: 0, level: .info, logger: "access", message: "request", fields: fields)
        writer.write(line, clockOffset: .zero)
        return String(decoding: writer.take(), as: UTF8.self)
    }

    @Test func `a line is pairs, or a JSON object`() {
        #expect(
            self.line(.text, "/livez")
                == "time=1970-01-01T00:00:00.000Z level=info logger=access message=request path=/livez "
                + "duration=1.002003 status=200\n"
        )
        #expect(
            self.line(.json, "/livez")
                == #"{"time":"1970-01-01T00:00:00.000Z","level":"info","logger":"access","message":"request","#
                + #""path":"/livez","duration":1.002003,"status":200}"# + "\n"
        )
    }

    @Test(arguments: [
        ("a\nb", #""a\nb""#), ("a b", #""a b""#), ("", #""""#), (#"a"b\c"#, #""a\"b\\c""#),
        ("\u{1B}[31m", #""\u001b[31m""#),
        ("\u{85}", #""\u0085""#), ("\u{2028}", #""\u2028""#), ("\u{202E}", #""\u202e""#), ("a=b", #""a=b""#),
        ("\u{E0001}", #""\udb40\udc01""#), ("ü🍞", #""ü🍞""#),
    ])
    func `a value cannot end its field or line`(value: String, written: String) {
        #expect(self.line(.text, value).contains(" path=\(written) "))
        #expect(self.line(.json, value).contains(#""path":\#(written),"#))
    }

    @Test func `a name cannot end its field or line`() {
        var writer = LogWriter(.text)
        let fields = [(name: LogWriter.fieldName("x y=\"\n"), value: LogLine.Value.path(["a", "b c"]))]
        let line = LogLine(moment: 0, level: .info, logger: "a b", message: "m", fields: fields)
        writer.write(line, clockOffset: .zero)
        let written = String(decoding: writer.take(), as: UTF8.self)
        #expect(written.hasSuffix(#" logger="a b" message=m x_y___="/a/b c""# + "\n"))
    }

    @Test func `a line has each name once, and the event's value wins`() throws {
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        let sink = LogSink(format: .text, descriptor: ends[1])
        var logger = Logger(label: "test") { _ in SinkLogHandler(label: "test", level: .info, sink: sink) }
        for key in ["a b", "same"] { logger[metadataKey: key] = "logger" }
        logger.info("m", metadata: ["a_b": "event", "same": "event", "message": "field"])
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = read(ends[0], &bytes, bytes.count)
        sink.close()
        for end in ends { close(end) }
        let line = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        #expect(line.hasSuffix(" logger=test message=m a_b=event message_=field same=event\n"))
    }

    @Test func `a long value is cut`() {
        #expect(self.line(.text, String(repeating: "x", count: 5000)).utf8.count < 1200)
        #expect(self.line(.json, String(repeating: "\u{1B}", count: 5000)).utf8.count < 1200)
    }

    @Test func `logging does not block when the pipe is not read`() throws {
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        let sink = LogSink(format: .text, descriptor: ends[1])
        let handler = SinkLogHandler(label: "test", level: .info, sink: sink)
        let logger = Logger(label: "test") { _ in handler }
        for number in 0..<20_000 {
            logger.info("a line of some length, so that a pipe is full after a while \(number)")
        }
        // At most `capacity` lines wait, and as many are being written.
        #expect(sink.dropped > 20_000 - 2 * LogSink.capacity - 1000)
        sink.close()
        close(ends[0])
    }

    @Test func `the log says how many lines were dropped`() throws {
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        let sink = LogSink(format: .text, descriptor: ends[1])
        let line = LogLine(level: .info, logger: "test", message: String(repeating: "x", count: 100), fields: [])
        for _ in 0..<3 * LogSink.capacity { sink.write(line) }
        #expect(sink.dropped > 0)
        var (text, reported) = ("", 0)
        var event = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
        while reported < sink.dropped, poll(&event, 1, 20_000) != 0 {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = read(ends[0], &bytes, bytes.count)
            text += String(decoding: bytes.prefix(count), as: UTF8.self)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            // The last line may go on.
            for report in lines.dropLast() where report.contains("log lines were dropped") {
                reported += report.split(separator: "count=").last.flatMap { Int($0) } ?? 0
            }
            text = String(lines[lines.count - 1])
        }
        #expect(reported == sink.dropped)
        // Before the sink, whose remaining lines then fail at once.
        close(ends[0])
        sink.close()
        close(ends[1])
    }

    @Test func `lines that cannot be written are counted`() throws {
        let full = open("/dev/full", O_WRONLY)
        try #require(full >= 0)
        let sink = LogSink(format: .text, descriptor: full)
        let line = LogLine(moment: 0, level: .info, logger: "test", message: "line", fields: [])
        for _ in 0..<3 { sink.write(line) }
        sink.close()
        close(full)
        #expect(sink.dropped == 3)
    }

    @Test func `a line that a failure interrupted ends before the next one`() throws {
        _ = signal(SIGPIPE, SIG_IGN)
        var (lost, found): ([CInt], [CInt]) = ([0, 0], [0, 0])
        try #require(pipe(&lost) == 0 && pipe(&found) == 0)
        var output = LogOutput(descriptor: lost[1])
        let reader = lost[0]
        Thread.detachNewThread {
            // The pipe has a part of the line.
            var request = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
            poll(&request, 1, -1)
            close(reader)
        }
        var written = [output.write(Array(repeating: UInt8(ascii: "x"), count: 1 << 20))]
        written.append(output.write(Array("lost\n".utf8)))
        // From here on, lines arrive.
        dup2(found[1], lost[1])
        written.append(output.write(Array("one\n".utf8)))
        written.append(output.write(Array("two\n".utf8)))
        #expect(written == [false, false, true, true])
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = read(found[0], &bytes, bytes.count)
        #expect(String(decoding: bytes.prefix(count), as: UTF8.self) == "\none\ntwo\n")
        for descriptor in [lost[1], found[0], found[1]] { close(descriptor) }
    }
}
