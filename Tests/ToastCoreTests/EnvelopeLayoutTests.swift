import Testing

@testable import ToastCore

@Suite struct EnvelopeLayoutTests {
    private static let head = #""channel":"ops","cursor":"k3f9a2zz-7","at":"2027-01-15T08:00:00.000Z""#

    private func layout(_ text: String) -> EnvelopeLayout? { EnvelopeLayout(Array(text.utf8)) }

    private func part(_ text: String, _ range: Range<Int>?) -> String? {
        range.map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) }
    }

    @Test func theHeadTellsTypeAndCursor() throws {
        let text = #"{"type":"held",\#(Self.head),"id":"x","remaining":4}"#
        let layout = try #require(self.layout(text))
        #expect(self.part(text, layout.type) == "held")
        #expect(self.part(text, layout.cursor) == "k3f9a2zz-7")
        #expect(layout.remaining(in: Array(text.utf8)) == nil)
        #expect(layout.lastToast(in: Array(text.utf8)) == nil)
    }

    @Test(arguments: [",", "}"])
    func aRemainingAfterTheHeadCountsDown(end: String) throws {
        let rest = end == "," ? #","toast":{"remaining":9}}"# : "}"
        let text = #"{"type":"presented",\#(Self.head),"remaining":2.5\#(rest)"#
        let layout = try #require(self.layout(text))
        #expect(self.part(text, layout.remaining(in: Array(text.utf8))) == "2.5")
    }

    @Test func anEnqueuedToastIsTheRest() throws {
        let toast = #"{"id":"x","message":"{\"cursor\":\"\"}"}"#
        let text = #"{"type":"enqueued",\#(Self.head),"toast":\#(toast)}"#
        #expect(self.part(text, try #require(self.layout(text)).lastToast(in: Array(text.utf8))) == toast)
    }

    @Test(arguments: [
        "", "{", #"{"type":"#, #"{"type":"held"#, #"{ "type":"held",\#(head)}"#,
        #"{"type":"held","cursor":"k-7"}"#, #"{"type":"held","channel":"ops","cursor":"k-7","at":""#,
    ])
    func whatIsNoEnvelopeHasNoLayout(text: String) {
        #expect(self.layout(text) == nil)
    }
}
