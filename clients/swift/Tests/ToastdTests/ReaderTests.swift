import Foundation
import Testing

@testable import Toastd

@Suite struct ReaderTests {
    @Test(arguments: [1, 2, 3, 1000]) func bytesBecomeEventsHoweverTheyAreCut(size: Int) throws {
        let event = #"{"type":"acted","channel":"ops","cursor":"a-1","at":"2026-01-01T00:00:00.000Z","#
        let text =
            "retry: 3000\n\n: comment\nid: a-1\r\nevent: acted\r\ndata: \(event)\r\n"
            + "data: \"id\":\"\u{2028}ü\",\"action\":\"undo\"}\r\n\r\n"
        let bytes = Data(text.utf8)
        var reader = EventReader()
        var events: [ToastEvent] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            events += reader.feed(bytes[start..<min(start + size, bytes.count)])
        }
        #expect(events.map(\.kind) == [.acted(id: "\u{2028}ü", action: "undo", data: nil)])
        #expect(reader.retry == 3)
    }

    @Test func anEventThatCannotBeReadIsLeftOut() {
        var reader = EventReader()
        let text = "data: {bad\n\ndata: {\"type\":\"held\"}\n\ndata: {\"type\":\"resumed\",\"at\":\"\"}\n\n"
        #expect(reader.feed(Data(text.utf8)).map(\.kind) == [.resumed])
    }

    @Test func aPositionIsReachedWithoutAnEvent() {
        let event = "id: a-1\ndata: {\"type\":\"resumed\",\"at\":\"\"}\n\n"
        let positions = ["", ":\n\nid: a-8\n\nid: a-9\n\n:\n\n", event, "id: a-9\n\n\(event)", "id: a-9"].map { text in
            var reader = EventReader()
            _ = reader.feed(Data((event + text).utf8))
            return reader.position
        }
        #expect(positions == [nil, "a-9", nil, nil, nil])
    }

    @Test(arguments: ["nan", "inf", "-1", "1e300", "0x1", ""]) func aPauseIsANumberOfDigits(text: String) {
        #expect(AnswerHead.number(text) == nil)
        var reader = EventReader()
        _ = reader.feed(Data("retry: \(text)\n".utf8))
        #expect(reader.retry == 0)
    }

    @Test func aPauseIsNeitherTooShortNorTooLong() {
        #expect(ToastServer.delay(0, asked: AnswerHead.number("0")) == 0.25)
        #expect(ToastServer.delay(0, asked: AnswerHead.number(String(repeating: "9", count: 400))) == 3600)
        #expect((7...8.5).contains(ToastServer.delay(0, asked: AnswerHead.number("7"))))
    }

    @Test func anEventOfANewerServerIsKept() {
        var reader = EventReader()
        let events = reader.feed(Data("data: {\"type\":\"sung\",\"at\":\"\",\"cursor\":\"a-2\"}\n\n".utf8))
        #expect(events.map(\.kind) == [.other(type: "sung")])
    }

    @Test func aPathIsEncoded() throws {
        let call = Call(method: "GET", path: ["v1", "a/b ü"], query: [("since", "a-1&b=c")])
        let server = try #require(URL(string: "https://toasts.example/below"))
        #expect(
            try call.url(on: server).absoluteString
                == "https://toasts.example/below/v1/a%2Fb%20%C3%BC?since=a-1%26b%3Dc"
        )
    }
}
