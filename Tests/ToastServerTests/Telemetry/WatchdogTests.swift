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

    @Test func `a loop gets more time when the whole process was stopped`() {
        var watch = StallWatch()
        let second: Int64 = 1_000_000_000
        _ = watch.look(at: second, answered: 0)
        watch.allow(60 * second)
        #expect(watch.look(at: 61 * second, answered: 0) == .wait)
        #expect(watch.look(at: 63 * second, answered: 0) == .reportStall)
    }

    @Test func `a clock that is set has jumped, a clock that is slewed has not`() {
        var watch = ClockWatch(wall: 1_000_000_000_000, monotonic: 0)
        #expect(watch.jump(wall: 1_000_500_500_000, monotonic: 500_000_000) == nil)
        #expect(watch.jump(wall: 4_600_500_500_000, monotonic: 500_000_000) == 3_600_000_000_000)
        #expect(watch.jump(wall: 4_601_000_500_000, monotonic: 1_000_000_000) == nil)
        #expect(watch.jump(wall: 1_000_000_500_000, monotonic: 1_500_000_000) == -3_601_500_000_000)
    }
}
