import Testing
@testable import ToastClient

@Suite struct ServerURLTests {
    @Test(
        arguments: [
            ("127.0.0.1:8080", "http://127.0.0.1:8080"), ("localhost:1", "http://localhost:1"),
            ("[::1]:8080", "http://[::1]:8080"), ("https://toasts.example/", "https://toasts.example"),
            ("HTTPS://example.org/toasts//", "HTTPS://example.org/toasts"),
        ]
    )
    func aURLMayLeaveOutItsSchemeAndEndInSlashes(text: String, url: String) {
        #expect(ServerURL(text)?.description == url)
    }

    @Test(
        arguments: [
            "", "http://", "ftp://example.org", "http://user:secret@example.org", "http://example.org?x", "http://a b",
            "http://example.org#x", "http:///path", "http://\u{E4}.example", "http://:80",
        ]
    )
    func otherPartsAreRefused(text: String) {
        #expect(ServerURL(text) == nil)
    }

    @Test(arguments: [
        ("http://localhost:8080", true), ("http://127.0.0.2", true), ("https://[::1]:8080/x", true),
        ("http://127.example.org", false), ("http://toasts.example", false),
    ])
    func thisMachineIsReachedWithoutAProxy(_ text: String, isLocal: Bool) throws {
        #expect(try #require(ServerURL(text)).isLocal == isLocal)
    }

    @Test func aNameInAPathIsEscaped() {
        #expect("a b/../\u{E4}".percentEncoded == "a%20b%2F..%2F%C3%A4")
    }
}
