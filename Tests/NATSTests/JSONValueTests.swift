import Testing

@testable import NATS

/// What the reader of JetStream's answers takes for a text.
@Suite struct JSONValueTests {
    private func read(_ text: String) -> JSONValue? { JSONValue(Array(text.utf8)) }

    @Test func `an escaped character has four hexadecimal digits`() {
        #expect(self.read(#""\u0041\u00e9\u00C9""#) == .string("A\u{e9}\u{c9}"))
        for digits in ["+041", "+000", "004", "004g", " 041", "00é"] {
            #expect(self.read("\"\\u\(digits)\"") == nil, "\(digits)")
        }
    }

    @Test func `an escape stands between other characters`() {
        #expect(self.read(#""é\n😀\"x""#) == .string("é\n😀\"x"))
        // What is no UTF-8 becomes the replacement character, also next to an escape.
        let bytes = Array("\"".utf8) + [0xE2, 0x82] + Array("\\u0041\"".utf8)
        #expect(JSONValue(bytes) == .string("\u{FFFD}A"))
    }

    @Test func `a character beyond the first 65,536 is escaped as a pair`() {
        #expect(self.read(#""\ud83d\ude00""#) == .string("\u{1F600}"))
        #expect(self.read(#""\ud83d""#) == nil)
    }
}
