import Testing
import ToastFormats

@Suite struct EncodedWordsTests {
    @Test(arguments: [
        ("=?UTF-8?B?w6Q=?= =?utf-8?q?=C3=B6_x?=", "äö x"), ("a =?utf-8?q?=c3=a4?= b", "a ä b"),
        ("=?iso-8859-1?q?=E4?=", "=?iso-8859-1?q?=E4?="), ("=?utf-8?q?=C3?=", "=?utf-8?q?=C3?="), ("a =? b", "a =? b"),
        ("why=? =?utf-8?q?b?=", "why=? b"), ("=?utf-8?q?a?= =? =?utf-8?q?b?=", "a =? b"),
    ])
    func `a word in UTF-8 is decoded, and others stay as they are`(text: String, decoded: String) {
        #expect(text.withoutEncodedWords == decoded)
    }

    @Test func `a word with too many combining marks stays as it is`() {
        let text = "=?utf-8?q?a\(String(repeating: "=CC=81", count: 65))?="
        #expect(text.withoutEncodedWords == text)
    }

    @Test func `words that have too many combining marks together stay as they are`() {
        let marks = String(repeating: "=CC=81", count: 60)
        let text = "=?utf-8?q?a\(marks)?= =?utf-8?q?\(marks)?="
        #expect(text.withoutEncodedWords == text)
    }

    @Test(arguments: ["=?utf-8?q?a=+5b?=", "=?utf-8?q?a=-0b?=", "=?utf-8?q?a=4?=", "=?utf-8?q?a=zz?="])
    func `a sign is no hexadecimal digit`(text: String) {
        #expect(text.withoutEncodedWords == text)
    }
}
