import EventLoop
import Foundation
import Synchronization
import TestSupport
import Testing
import ToastCore

@testable import ToastHub

/// A wall clock that was set back or ahead while the server was down.
@Suite struct ClockTests {
    /// Half an hour, which is longer than the duration of any toast in these tests.
    private static let halfHour: Int64 = 1800 * 1_000_000_000

    private static func wallClock(_ offset: Int64) -> Int64 {
        Int64(Date().timeIntervalSince1970 * 1_000_000_000) + offset
    }

    /// Presents a toast for ten minutes, and starts another hub with a clock that differs by `offset`.
    private func remainingAfterRestart(_ offset: Int64) async throws -> (remaining: Double?, late: Bool) {
        let lab = try await TestHub()
        let listener = try await lab.listen()
        let draft = try ToastDraft(json: ["message": "here", "duration": 600])
        _ = try await lab.hub.perform(on: TestHub.name("ops")) { channel throws(ChannelError) in
            try await channel.publish([draft])
        }
        _ = await listener.next(3)
        let clock = HubClock(wallClock: Self.wallClock(offset))
        let hub = Hub(loops: lab.loops, store: lab.store, clock: clock)
        return try await hub.perform(on: TestHub.name("ops")) { channel throws(ChannelError) in
            try await channel.state()
        }
    }

    @Test func aClockSetBackDoesNotProlongAToast() async throws {
        let (remaining, isLate) = try await self.remainingAfterRestart(-Self.halfHour)
        let seconds = try #require(remaining)
        #expect(seconds > 540 && seconds <= 600)
        #expect(!isLate, "its end would come with the wall clock")
    }

    @Test func aClockThatIsRightChangesNothing() async throws {
        let seconds = try #require(try await self.remainingAfterRestart(0).remaining)
        #expect(seconds > 540 && seconds <= 600)
    }

    @Test func aToastEndsWhenItsTimePassedDuringTheRestart() async throws {
        #expect(try await self.remainingAfterRestart(Self.halfHour).remaining == nil)
    }

    @Test func aToastWhoseTimeHasJustPassedIsReadAsEnded() async throws {
        let lab = try await TestHub()
        let lead = Mutex<Int64>(0)
        let hub = Hub(loops: lab.loops, store: lab.store, clock: HubClock { lead.withLock { $0 } })
        let (name, draft) = (TestHub.name("ops"), try ToastDraft(json: ["message": "waits", "expiresAfter": 600]))
        let publication = try await hub.perform(.publish(PublishRequest([draft])), on: name).publication
        let toast = try #require(publication?.toasts.first)
        // The timer of the channel does not see the jump, so the request comes before it.
        lead.withLock { $0 += 700_000_000_000 }
        guard case .found(let found) = try await hub.perform(.read(.toast(toast.id)), on: name) else {
            Issue.record("The answer is not a toast.")
            return
        }
        #expect(found?.dismissReason == .expired)
    }

    @Test func theTimeOfAClusterMovesTheClockAndItsDeadlines() {
        let lead = Mutex<Int64>(1_000_000_000)
        let clock = HubClock { lead.withLock { $0 } }
        let (before, deadline) = (clock.now, clock.deadline(of: Instant(nanoseconds: 0)))
        lead.withLock { $0 += 3_000_000_000 }
        #expect(clock.now - before >= Interval(seconds: 3))
        #expect(clock.deadline(of: Instant(nanoseconds: 0)) == deadline - 3_000_000_000)
        let ahead = clock.notBefore(clock.now + Interval(seconds: 60))
        lead.withLock { $0 += 3_000_000_000 }
        #expect(ahead.now - clock.now >= Interval(seconds: 59), "it stays ahead of the common time")
    }

    @Test func aChannelsClockOnlyRunsAhead() {
        let clock = HubClock(wallClock: Self.wallClock(0))
        let past = clock.now
        let future = past + Interval(seconds: 60)
        #expect(clock.notBefore(past).now < future)
        #expect(clock.notBefore(future).now >= future)
        #expect(clock.notBefore(Instant(nanoseconds: .max)).now < future)
        #expect(clock.notBefore(Instant(nanoseconds: .min)).now < future)
    }
}

extension Channel {
    /// The remaining time of the presented toast, and whether the timer is set later than that.
    fileprivate func state() async throws(ChannelError) -> (remaining: Double?, late: Bool) {
        try await self.load()
        self.runOverdue()
        guard let toast = self.engine.presented.first else { return (nil, false) }
        let remaining = self.engine.remaining(of: toast.id, at: self.now)?.seconds
        let wait = (self.timer.deadline ?? .max) - EventLoop.now
        return (remaining, Double(wait) / 1_000_000_000 > (remaining ?? 0) + 1)
    }
}
