import Testing

@testable import ToastFormats

@Suite struct PercentEncodingTests {
    @Test(arguments: [
        ("a%20b", "a b"), ("%C3%a4", "ä"), ("%25%32%30", "%20"), ("", ""), ("%", "%"), ("a%4", "a%4"), ("%zz", "%zz"),
        ("100%", "100%"), ("%+A", "%+A"), ("%-0", "%-0"),
    ])
    func escapesAreDecodedAndNothingElse(text: String, decoded: String) {
        #expect(String(decoding: text.utf8.percentDecoded, as: UTF8.self) == decoded)
    }
}
