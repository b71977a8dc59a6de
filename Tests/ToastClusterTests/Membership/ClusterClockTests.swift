import TestSupport
import Testing
import ToastCore

@testable import ToastCluster

@Suite struct ClusterClockTests {
    private static func at(_ seconds: Double) -> Instant { Instant(nanoseconds: 0) + Interval(seconds: seconds) }

    /// A question at a local time, when the server is ahead by `offset`.
    private static func sample(
        _ time: Double,
        offset: Double,
        out: Double = 0.001,
        back: Double = 0.001
    ) throws -> ClockSample {
        try #require(
            ClockSample(
                sent: Self.at(time),
                received: Self.at(time + out + back),
                server: Self.at(time + out + offset)
            )
        )
    }

    private static func clock(offset: Double) throws -> ClusterClock {
        ClusterClock(try Self.sample(0, offset: offset), at: Self.at(1))
    }

    @Test func `the clock starts at the server's time, in the middle of the round trip`() throws {
        let clock = try Self.clock(offset: 1000)
        #expect(clock.now(at: Self.at(1)) == Self.at(1001))
        #expect(clock.now(at: Self.at(61)) == Self.at(1061))
        #expect(clock.error(at: Self.at(61)) == .zero)
        #expect(clock.mayOwn(at: Self.at(61)))
    }

    @Test(arguments: [0.010, -0.010])
    func `the clock follows a change by a millisecond a second`(change: Double) throws {
        var clock = try Self.clock(offset: 1000)
        clock.add(try Self.sample(2, offset: 1000 + change, out: 0.0005, back: 0.0005), at: Self.at(10))
        #expect(clock.now(at: Self.at(10)) == Self.at(1010))
        #expect(clock.now(at: Self.at(14)) == Self.at(1014 + change * 0.4))
        #expect(clock.error(at: Self.at(14)) == Interval(seconds: change * 0.6))
        #expect(clock.now(at: Self.at(60)) == Self.at(1060 + change))
        #expect(clock.error(at: Self.at(60)) == .zero)
    }

    @Test func `of the last eight samples the shortest round trip counts`() throws {
        var clock = try Self.clock(offset: 100)
        for time in 1...7 {
            clock.add(try Self.sample(Double(time), offset: 100, out: 0.4, back: 0.2), at: Self.at(Double(time) + 1))
        }
        #expect(clock.error(at: Self.at(8)) == .zero)
        clock.add(try Self.sample(9, offset: 100, out: 0.3, back: 0.1), at: Self.at(10))
        #expect(clock.error(at: Self.at(10)) == Interval(seconds: 0.1))
    }

    @Test(arguments: [(0.99, true), (1.01, false), (-0.99, true), (-1.01, false)])
    func `a clock that is more than a second off owns nothing`(change: Double, mayOwn: Bool) throws {
        var clock = try Self.clock(offset: 100)
        clock.add(try Self.sample(2, offset: 100 + change, out: 0.0005, back: 0.0005), at: Self.at(3))
        #expect(clock.mayOwn(at: Self.at(3)) == mayOwn)
        #expect(clock.mayOwn(at: Self.at(100)))
    }

    @Test func `samples that a later one contradicts do not count`() throws {
        var clock = try Self.clock(offset: 100)
        clock.add(try Self.sample(2, offset: 130, out: 0.002, back: 0.002), at: Self.at(3))
        #expect(clock.error(at: Self.at(3)) == Interval(seconds: 30))
        #expect(!clock.mayOwn(at: Self.at(3)))
    }

    @Test func `a sample that proves nothing does not allow owning`() throws {
        let clock = ClusterClock(try Self.sample(0, offset: 0, out: 0, back: 2.1), at: Self.at(3))
        #expect(!clock.mayOwn(at: Self.at(3)))
    }

    @Test func `an answer before its question is no sample`() {
        #expect(ClockSample(sent: Self.at(2), received: Self.at(1), server: Self.at(1)) == nil)
    }

    @Test(arguments: 0..<UInt64(20))
    func `the clock never runs backwards, nor more than a millisecond a second wrong`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var clock = try Self.clock(offset: 0)
        var (local, shown) = (1.0, clock.now(at: Self.at(1)))
        for _ in 0..<2000 {
            let step = Double.random(in: 0...0.3, using: &random)
            local += step
            let now = clock.now(at: Self.at(local))
            let shownStep = (now - shown).seconds
            #expect(shownStep >= 0 && abs(shownStep - step) <= step / 1000 + 0.000_002)
            shown = now
            guard Bool.random(using: &random) else { continue }
            let delays = (0..<2).map { _ in Double.random(in: 0...0.4, using: &random) }
            let sample = try Self.sample(
                local - delays[0] - delays[1],
                offset: .random(in: -3...3, using: &random),
                out: delays[0],
                back: delays[1]
            )
            clock.add(sample, at: Self.at(local))
            #expect(clock.now(at: Self.at(local)) >= shown)
            // A loop may have read the clock a moment before.
            #expect(clock.now(at: Self.at(local - 0.2)) >= shown)
        }
    }

    @Test func `times at the ends of what fits do not trap`() throws {
        let ends = [Instant(nanoseconds: .min), Instant(nanoseconds: .max)]
        for server in ends {
            var clock = ClusterClock(
                try #require(ClockSample(sent: ends[0], received: ends[1], server: server)),
                at: ends[0]
            )
            clock.add(try #require(ClockSample(sent: ends[0], received: ends[0], server: ends[1])), at: ends[1])
            _ = (clock.now(at: ends[0]), clock.now(at: ends[1]), clock.error(at: ends[0]), clock.mayOwn(at: ends[1]))
        }
    }
}
