import MicroHTTP
import Testing

@Suite struct ResponseTests {
    /// Lengths around the eight bytes that are looked at in one go.
    @Test(arguments: [1, 2, 7, 8, 9, 15, 16, 17, 24, 100])
    func whatEndsAFieldBecomesABlankWhereverItStands(length: Int) {
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
}
