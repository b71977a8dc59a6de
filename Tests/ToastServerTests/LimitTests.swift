import Testing
import ToastCore

@testable import ToastServer

@Suite struct RateLimitTests {
    @Test(
        arguments: [
            ("50/s", 50, 0.02), ("50/s:200", 200, 0.02), ("12/min:60", 60, 5), ("12/m", 12, 5), ("1/h", 1, 3600),
        ] as [(String, Int, Double)]
    )
    func aRateIsSoManyInATimeAndSoManyAtOnce(text: String, burst: Int, seconds: Double) {
        #expect(RateLimit.parse(text) == .some(RateLimit(burst: burst, interval: Interval(seconds: seconds))))
    }

    @Test(arguments: ["none", "0"])
    func noneIsNoLimit(text: String) {
        #expect(RateLimit.parse(text) == .some(nil))
    }

    @Test(
        arguments: [
            "", "50", "50/", "/s", "0/s", "-1/s", "50/d", "50/s:", "50/s:0", "50/s:1:2", "1/h:1000000", "1.5/s",
        ]
    )
    func whatIsNoRateIsRefused(text: String) {
        #expect(RateLimit.parse(text) == nil)
    }

    @Test func theWindowIsTheTimeThatAnEmptyBucketTakesToFill() {
        #expect(RateLimit.parse("50/s:200")??.window == 4)
        #expect(RateLimit.parse("3/s:10")??.window == 4)
    }
}

@Suite struct OriginTests {
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
            "https://a:b", "https://u@a", "file://a", "https://a b", "https://[::1",
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
