import Testing
import ToastCore

@testable import ToastAccess

@Suite struct BucketsTests {
    @Test func aBucketFillsAsTimePasses() {
        var buckets = Buckets<String>(capacity: 2, interval: Interval(seconds: 1), maximumCount: 4)
        func at(_ seconds: Double) -> Instant { Instant(nanoseconds: 0) + Interval(seconds: 100 + seconds) }
        #expect(buckets.take(from: "a", at: at(0)).remaining == 1)
        #expect(buckets.take(from: "a", at: at(0)).remaining == 0)
        let refused = buckets.take(from: "a", at: at(0.25))
        #expect(!refused.isGranted)
        #expect(refused.wait == Interval(seconds: 0.75))
        #expect(buckets.take(from: "a", at: at(1)).isGranted)
        #expect(buckets.level(of: "a", at: at(10)).remaining == 2)
    }

    @Test func moreThanABucketHoldsIsGivenByAFullOneAndOwed() {
        var buckets = Buckets<String>(capacity: 2, interval: Interval(seconds: 1), maximumDebt: 10)
        func at(_ seconds: Double) -> Instant { Instant(nanoseconds: 0) + Interval(seconds: 100 + seconds) }
        let large = buckets.take(5, from: "a", at: at(0))
        #expect(large.isGranted)
        #expect(large.remaining == 0)
        #expect(large.refill == Interval(seconds: 5))
        let refused = buckets.take(from: "a", at: at(1))
        #expect(!refused.isGranted)
        #expect(refused.wait == Interval(seconds: 3))
        #expect(buckets.take(from: "a", at: at(4)).isGranted)
        #expect(!buckets.take(5, from: "a", at: at(5)).isGranted)
        #expect(buckets.take(5, from: "a", at: at(6)).isGranted)
    }

    @Test func moreThanCanBeOwedIsOwedAsFarAsItCan() {
        var buckets = Buckets<String>(capacity: 2, interval: Interval(seconds: 1), maximumDebt: 1)
        #expect(buckets.take(9, from: "a", at: Instant(nanoseconds: 5)).refill == Interval(seconds: 3))
        #expect(buckets.take(from: "a", at: Instant(nanoseconds: 5)).wait == Interval(seconds: 2))
    }

    @Test func whatIsGivenBackCanBeTakenAgain() {
        var buckets = Buckets<String>(capacity: 1, interval: Interval(seconds: 1))
        let now = Instant(nanoseconds: 5_000_000_000)
        #expect(buckets.take(from: "a", at: now).isGranted)
        _ = buckets.take(-1, from: "a", at: now)
        #expect(buckets.take(from: "a", at: now).isGranted)
        #expect(!buckets.take(from: "a", at: now).isGranted)
    }

    @Test func theTableStaysSmall() {
        var buckets = Buckets<Int>(capacity: 4, interval: Interval(seconds: 60), maximumCount: 64)
        for number in 0..<10_000 {
            #expect(buckets.take(from: number, at: Instant(nanoseconds: Int64(number))).isGranted)
            #expect(buckets.fullAt.count <= 64)
        }
    }

    @Test func moreNamesThanRoomAreNoBurden() {
        var buckets = Buckets<String>(capacity: 1, interval: Interval(seconds: 1), maximumCount: 8)
        for number in 0..<100 {
            #expect(buckets.take(from: "\(number)", at: Instant(nanoseconds: 1)).isGranted)
        }
    }

    @Test func aClockThatGoesBackCausesNoEndlessWait() {
        var buckets = Buckets<String>(capacity: 1, interval: Interval(seconds: 1), maximumCount: 8)
        func at(_ seconds: Double) -> Instant { Instant(nanoseconds: 0) + Interval(seconds: seconds) }
        _ = buckets.take(from: "a", at: at(1000))
        #expect(!buckets.take(from: "a", at: at(1000)).isGranted)
        #expect(buckets.take(from: "a", at: at(0)).isGranted)
        #expect(buckets.take(from: "a", at: at(0)).wait == Interval(seconds: 1))
        #expect(buckets.take(from: "a", at: at(1)).isGranted)
    }

    @Test func theLargestDebtsAreKeptInAFlood() {
        var buckets = Buckets<Int>(capacity: 10, interval: Interval(seconds: 60), maximumCount: 1024)
        let now = Instant(nanoseconds: 1)
        for number in 0..<16 { #expect(buckets.take(10, from: -number, at: now).isGranted) }
        for number in 1..<10_000 { #expect(buckets.take(from: number, at: now).isGranted) }
        #expect(buckets.fullAt.count <= 1024)
        for number in 0..<16 { #expect(!buckets.take(from: -number, at: now).isGranted) }
    }
}
