@testable import MicroHTTP
import Testing

@Suite struct ResponseTests {
    @Test(arguments: [1, 2, 7, 8, 9, 15, 16, 17, 24, 100])
    func aCharacterThatEndsAFieldBecomesABlank(length: Int) {
        for byte in [0x00, 0x09, 0x0A, 0x0D] as [UInt8] {
            for position in 0..<length {
                var value = [UInt8](repeating: UInt8(ascii: "x"), count: length)
                value[position] = byte
                let response = Response(status: 200).adding("A", String(decoding: value, as: UTF8.self))
                value[position] = UInt8(ascii: " ")
                #expect(response.headers.map(\.value) == [String(decoding: value, as: UTF8.self)])
            }
        }
    }

    @Test func otherTextsStayAsTheyAre() {
        for value in ["a", "\u{1}\u{1F}2345678", "12345678\u{7F}", "ÄÖÜ ÿ €uro 🍞", "1234567 ÿ"] {
            #expect(Response(status: 200).adding("A", value).headers.map(\.value) == [value])
        }
    }

    /// The first is the example of RFC 9110 §5.6.7.
    @Test(arguments: [
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (1_709_164_799, "Wed, 28 Feb 2024 23:59:59 GMT"), (1_709_164_800, "Thu, 29 Feb 2024 00:00:00 GMT"),
    ])
    func aMomentIsWrittenAsHTTPDoes(seconds: Int, text: String) {
        #expect(HTTPDate.text(ofSecond: seconds) == text)
    }
}
