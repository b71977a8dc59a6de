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
            "+5/s", "50/s:+200",
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
