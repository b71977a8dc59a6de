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
        return String(decoding: writer.bytes, as: UTF8.self)
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
    func `a value cannot leave its place`(value: String, written: String) {
        #expect(self.line(.text, value).contains(" path=\(written) "))
        #expect(self.line(.json, value).contains(#""path":\#(written),"#))
    }

    @Test func `a name cannot leave its place`() {
        var writer = LogWriter(.text)
        let fields = [(name: LogWriter.fieldName("x y=\"\n"), value: LogLine.Value.path(["a", "b c"]))]
        let line = LogLine(moment: 0, level: .info, logger: "a b", message: "m", fields: fields)
        writer.write(line, clockOffset: .zero)
        #expect(
            String(decoding: writer.bytes, as: UTF8.self).hasSuffix(#" logger="a b" message=m x_y___="/a/b c""# + "\n")
        )
    }

    @Test func `a value has an end`() {
        #expect(self.line(.text, String(repeating: "x", count: 5000)).utf8.count < 1200)
        #expect(self.line(.json, String(repeating: "\u{1B}", count: 5000)).utf8.count < 1200)
    }

    @Test func `nobody waits for a pipe that nobody reads`() throws {
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        let sink = LogSink(format: .text, descriptor: ends[1])
        let handler = SinkLogHandler(label: "test", level: .info, sink: sink)
        let logger = Logger(label: "test") { _ in handler }
        for number in 0..<20_000 {
            logger.info("a line of some length, so that a pipe is full after a while \(number)")
        }
        // As many as may wait may be under way, too.
        #expect(sink.dropped > 20_000 - 2 * LogSink.capacity - 1000)
        sink.close()
        close(ends[0])
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
}
