import Testing

@testable import ToastServer

@Suite struct AllowedOriginsTests {
    @Test(
        arguments: [
            ("https://app.example", "https://app.example"), ("HTTPS://App.Example:443", "https://app.example"),
            ("http://localhost:5173", "http://localhost:5173"), ("http://[::1]:80", "http://[::1]"),
        ]
    )
    func anOriginIsComparedAsBrowsersWriteIt(text: String, origin: String) {
        #expect(AllowedOrigins.origin(text) == origin)
        #expect(AllowedOrigins(text)?.contains(origin) == true)
    }

    @Test(
        arguments: [
            "*", "null", "app.example", "https://", "https://a/", "https://a/b", "https://*.example", "https://a:0",
            "https://a:b", "https://a:+80", "https://u@a", "file://a", "https://a b", "https://[::1",
        ]
    )
    func whatIsNoOriginIsRefused(text: String) {
        #expect(AllowedOrigins(text) == nil)
        #expect(FrameAncestors(text) == nil)
    }

    @Test func anOriginMatchesWhollyOrNotAtAll() throws {
        let origins = try #require(AllowedOrigins("https://app.example, https://b.example:8443"))
        #expect(origins.contains("https://b.example:8443"))
        for other in ["https://b.example", "http://app.example", "https://app.example.evil", "https://xapp.example"] {
            #expect(!origins.contains(other))
        }
    }

    @Test func framesAreNamedLikeOrigins() {
        #expect(FrameAncestors("none") == FrameAncestors.none)
        #expect(FrameAncestors("self, https://app.example")?.sources == "'self' https://app.example")
        #expect(FrameAncestors("none, self") == nil)
    }
}
