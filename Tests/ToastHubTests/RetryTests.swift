import HTTPClient
import Testing
import ToastCore

@testable import ToastHub

@Suite struct RetryTests {
    private let schedule = RetrySchedule()

    @Test func `pauses grow from five seconds to a day, with ten attempts in all`() {
        let pauses = (1...10).map { self.schedule.pause(after: $0, age: .zero, jitter: 0)?.seconds }
        #expect(pauses == [5, 30, 120, 600, 3600, 10_800, 21_600, 43_200, 86_400, nil])
        let total = pauses.compactMap { $0 }.reduce(0, +)
        #expect(total < 2 * 86_400)
    }

    @Test(arguments: [(-1.0, 4.0), (-0.5, 4.5), (0, 5), (1, 6)])
    func `the jitter of a pause is a fifth at most`(jitter: Double, seconds: Double) {
        #expect(self.schedule.pause(after: 1, age: .zero, jitter: jitter)?.seconds == seconds)
    }

    @Test func `an event older than three days is given up`() {
        let threeDays = Interval(seconds: 3 * 86_400)
        #expect(self.schedule.pause(after: 1, age: threeDays - Interval(seconds: 5), jitter: 0) != nil)
        #expect(self.schedule.pause(after: 1, age: threeDays - Interval(seconds: 4), jitter: 0) == nil)
    }

    @Test(arguments: [(1.0, 5.0), (7, 7), (86_400, 86_400), (1e9, 86_400)])
    func `a receiver may ask for more time, up to a day`(retryAfter: Double, seconds: Double) {
        let pause = self.schedule.pause(after: 1, age: .zero, retryAfter: Interval(seconds: retryAfter), jitter: 0)
        #expect(pause?.seconds == seconds)
    }

    @Test func `all pauses grow with the first`() {
        let slow = RetrySchedule(first: Interval(seconds: 10))
        #expect(slow.pause(after: 2, age: .zero, jitter: 0)?.seconds == 60)
        #expect(slow.pause(after: 9, age: .zero, jitter: 0)?.seconds == 172_800)
    }

    @Test func `a webhook in trouble rests longer and longer, ten minutes at most`() {
        let rests = [1, 2, 3, 4, 5, 99].map { self.schedule.rest(after: $0, jitter: 0).seconds }
        #expect(rests == [5, 30, 120, 600, 600, 600])
    }

    @Test func `a webhook rests for as long as its receiver asks, ten minutes at most`() {
        let asked = [nil, Interval(seconds: 90), Interval(seconds: 3600)]
        #expect(asked.map { self.schedule.rest(askedFor: $0).seconds } == [0, 90, 600])
    }

    @Test(arguments: [
        (TransferOutcome.answered(status: 200, retryAfter: nil), DeliveryOutcome.delivered),
        (.answered(status: 299, retryAfter: nil), .delivered),
        (.answered(status: 410, retryAfter: 9), .gone),
        (.answered(status: 302, retryAfter: nil), .failed(reason: "status 302", isTrouble: false, retryAfter: nil)),
        (.answered(status: 404, retryAfter: nil), .failed(reason: "status 404", isTrouble: false, retryAfter: nil)),
        (.answered(status: 500, retryAfter: nil), .failed(reason: "status 500", isTrouble: true, retryAfter: nil)),
        (
            .answered(status: 429, retryAfter: 9),
            .failed(reason: "status 429", isTrouble: true, retryAfter: Interval(seconds: 9))
        ),
        (.failed("no route"), .failed(reason: "no route", isTrouble: true, retryAfter: nil)),
        (.forbidden(address: "::1"), .failed(reason: "address ::1 is not allowed", isTrouble: true, retryAfter: nil)),
        (.closed, .unknown),
    ])
    func `a transfer has an outcome`(receipt: TransferOutcome, verdict: DeliveryOutcome) {
        #expect(DeliveryOutcome(receipt) == verdict)
    }

    // The example of the Standard Webhooks specification and its reference implementations.
    @Test func `a signature is that of Standard Webhooks`() throws {
        let signature = WebhookMessage.signature(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
            timestamp: 1_614_265_330,
            payload: Array(#"{"test": 2432232314}"#.utf8),
            secret: try #require(WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        )
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }
}
