import Glibc
import Logging
import Testing
import ToastCore

@testable import ToastServer

@Suite struct LogTests {
    private func line(_ format: LogFormat, _ value: String) -> String {
        var writer = LogWriter(format)
        writer.begin(Instant(nanoseconds: 0), .info, "access", "request")
        writer.field("path", value)
        writer.field("duration", nanoseconds: 1_002_003_999)
        writer.field("status", 200)
        writer.end()
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
}

@Suite struct RequestNameTests {
    @Test func `names do not come twice`() {
        let names = RequestNames()
        #expect(Set((0..<10_000).map { _ in names.next() }).count == 10_000)
        #expect(RequestNames.isName(names.next()))
    }
}

@Suite struct WatchTests {
    @Test func `a loop that does not come back is told of once`() {
        var watch = StallWatch()
        let second: Int64 = 1_000_000_000
        #expect(watch.look(at: second, answered: 0) == .send)
        #expect(watch.look(at: 2 * second, answered: 0) == .wait)
        #expect(watch.look(at: 2 * second + 1, answered: 0) == .tellStall)
        #expect(watch.look(at: 9 * second, answered: 0) == .wait)
        #expect(watch.look(at: 10 * second, answered: second) == .send)
        #expect(watch.look(at: 12 * second, answered: second) == .tellStall)
    }

    @Test func `who was stopped altogether gets that time on top`() {
        var watch = StallWatch()
        let second: Int64 = 1_000_000_000
        _ = watch.look(at: second, answered: 0)
        watch.forgive(60 * second)
        #expect(watch.look(at: 61 * second, answered: 0) == .wait)
        #expect(watch.look(at: 63 * second, answered: 0) == .tellStall)
    }

    @Test func `a clock that is set has jumped, a clock that is slewed has not`() {
        var watch = ClockWatch(wall: 1_000_000_000_000, monotonic: 0)
        #expect(watch.jump(wall: 1_000_500_500_000, monotonic: 500_000_000) == nil)
        #expect(watch.jump(wall: 4_600_500_500_000, monotonic: 500_000_000) == 3_600_000_000_000)
        #expect(watch.jump(wall: 4_601_000_500_000, monotonic: 1_000_000_000) == nil)
        #expect(watch.jump(wall: 1_000_000_500_000, monotonic: 1_500_000_000) == -3_601_500_000_000)
    }
}
