import Testing

@testable import ToastServer

@Suite struct WatchdogTests {
    @Test func `a stuck loop is reported once`() {
        var watch = StallWatch()
        let second: Int64 = 1_000_000_000
        #expect(watch.look(at: second, answered: 0) == .send)
        #expect(watch.look(at: 2 * second, answered: 0) == .wait)
        #expect(watch.look(at: 2 * second + 1, answered: 0) == .reportStall)
        #expect(watch.look(at: 9 * second, answered: 0) == .wait)
        #expect(watch.look(at: 10 * second, answered: second) == .send)
        #expect(watch.look(at: 12 * second, answered: second) == .reportStall)
    }

    @Test(arguments: [600_000_000, 60_000_000_000] as [Int64])
    func `a loop gets the time for which the whole process was stopped`(pause: Int64) {
        var watch = StallWatch()
        var now: Int64 = 1_000_000_000
        #expect(watch.look(at: now, answered: 0) == .send)
        now += Watchdog.interval + pause
        watch.allow(forOversleeping: pause)
        #expect(watch.look(at: now, answered: 0) == .wait)
        now += Watchdog.interval
        #expect(watch.look(at: now, answered: 0) == .wait)
        now += Watchdog.interval
        #expect(watch.look(at: now, answered: 0) == .reportStall)
    }

    @Test func `a loop gets no time for the usual delays of the watchdog`() {
        var watch = StallWatch()
        #expect(watch.look(at: 0, answered: -1) == .send)
        for _ in 0..<2 { watch.allow(forOversleeping: 1_000_000) }
        #expect(watch.look(at: 2 * (Watchdog.interval + 1_000_000), answered: -1) == .reportStall)
    }

    @Test func `a clock that is set has jumped, a clock that is slewed has not`() {
        var watch = ClockWatch(wall: 1_000_000_000_000, monotonic: 0)
        #expect(watch.jump(wall: 1_000_500_500_000, monotonic: 500_000_000) == nil)
        #expect(watch.jump(wall: 4_600_500_500_000, monotonic: 500_000_000) == 3_600_000_000_000)
        #expect(watch.jump(wall: 4_601_000_500_000, monotonic: 1_000_000_000) == nil)
        #expect(watch.jump(wall: 1_000_000_500_000, monotonic: 1_500_000_000) == -3_601_500_000_000)
    }
}
