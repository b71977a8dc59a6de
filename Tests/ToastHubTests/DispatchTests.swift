import Courier
import Measures
import Testing
import ToastCore

@testable import ToastHub

@Suite(.timeLimit(.minutes(2))) struct DispatchTests {
    @Test func `what a webhook asked for is sent once and leaves the outbox`() async throws {
        let desk = try await WebhookTestBench(
            webhooks: #"[{"url": "https://a/"}, {"url": "https://b/", "events": ["enqueued"]}]"#
        )
        let run = desk.start()
        _ = try await desk.lab.publish("hello")
        #expect(await desk.poster.next().url == "https://b/")
        try await desk.clear()
        let letter = await desk.poster.next()
        #expect(letter.url == "https://a/")
        let headers = Dictionary(letter.headers.map { ($0.name, $0.value) }) { first, _ in first }
        #expect(headers["Content-Type"] == "application/cloudevents+json")
        #expect(headers["webhook-timestamp"] == "1800000000")
        #expect(headers["webhook-id"]?.hasPrefix("ops/") == true)
        #expect(String(decoding: letter.body, as: UTF8.self).contains(#""type":"toastd.dismissed""#))
        await desk.stop(run)
        #expect(desk.lab.store.outbox.waiting == 0)
        #expect(desk.counters.delivered == 2)
        #expect(desk.reports.count == 0)
    }

    @Test func `what failed goes out again behind its pause, under the same name`() async throws {
        let desk = try await WebhookTestBench()
        desk.poster.answer(.answered(status: 500, retryAfter: nil), .failed("no route"))
        let run = desk.start()
        try await desk.dismissOne()
        let first = await desk.poster.next()
        await desk.clock.advance(toAlarmAfter: 5)
        let second = await desk.poster.next()
        await desk.clock.advance(toAlarmAfter: 30)
        let third = await desk.poster.next()
        #expect(Set([first, second, third].map(\.id)).count == 1)
        await desk.stop(run)
        #expect(desk.counters.delivered == 1)
        #expect(desk.counters.failedTries == 2)
        #expect(desk.reports.count == 2)
        #expect(desk.lab.store.outbox.waiting == 0)
    }

    @Test func `while a webhook rests nothing else goes to it`() async throws {
        let desk = try await WebhookTestBench()
        desk.poster.answer(.answered(status: 503, retryAfter: nil))
        let run = desk.start()
        try await desk.dismissOne()
        let first = await desk.poster.next()
        // The alarm is set, so the failure is known.
        await desk.clock.alarm(after: 5)
        try await desk.dismissOne()
        await desk.clock.advance(toAlarmAfter: 5)
        let rest = [await desk.poster.next().id, await desk.poster.next().id]
        #expect(rest.contains(first.id))
        #expect(Set(rest).count == 2)
        await desk.stop(run)
        #expect(desk.poster.count == 3)
    }

    @Test func `one that keeps a try waiting for long rests for longer`() async throws {
        let desk = try await WebhookTestBench()
        desk.poster.answer(.failed("timeout")) { desk.clock.skip(seconds: 15) }
        try await desk.dismissOne()
        let run = desk.start()
        let first = await desk.poster.next()
        // Its own pause is over, but not the webhook's rest.
        await desk.clock.advance(toAlarmAfter: 5)
        await desk.clock.advance(toAlarmAfter: 25)
        #expect(await desk.poster.next().id == first.id)
        await desk.stop(run)
        #expect(desk.poster.count == 2)
        #expect(desk.counters.delivered == 1)
    }

    @Test func `what has no turn at an address waits, and that is no try`() async throws {
        let desk = try await WebhookTestBench()
        desk.poster.answer(.crowded(address: "192.0.2.1"))
        try await desk.dismissOne()
        let run = desk.start()
        let first = await desk.poster.next()
        #expect(first.sharing == ConnectionSharing(group: "channel:ops", limit: DeliveryScheduler.perAddress))
        #expect(
            await desk.reports.next() == .crowded(TestHub.name("ops"), origin: "https://a", address: "192.0.2.1")
        )
        await desk.clock.advance(toAlarmAfter: 2)
        #expect(await desk.poster.next().id == first.id)
        // One that has answered shares with nobody.
        try await desk.dismissOne()
        #expect(await desk.poster.next().sharing == nil)
        await desk.stop(run)
        #expect(desk.counters.failedTries == 0)
    }

    @Test func `a webhook that is gone is switched off`() async throws {
        let desk = try await WebhookTestBench()
        desk.poster.answer(.answered(status: 410, retryAfter: nil))
        let run = desk.start()
        try await desk.dismissOne()
        _ = await desk.poster.next()
        let report = await desk.reports.next()
        #expect(report == .gone(TestHub.name("ops"), origin: "https://a", deliveries: 1))
        try await desk.dismissOne()
        await desk.stop(run)
        #expect(desk.poster.count == 1)
        #expect(desk.lab.store.outbox.waiting == 0)
        #expect(desk.counters.givenUp == 1)
        #expect(try await desk.webhooks().map(\.isEnabled) == [false])
    }

    @Test func `a webhook that is gone is left alone while there is no room to switch it off`() async throws {
        let desk = try await WebhookTestBench()
        try await desk.dismissOne()
        let hub = desk.lab.hub
        while hub.counters.channels.contains(where: { $0.loaded.value > 0 }) {
            hub.tell(isShortOfMemory: true)
            await Task.yield()
        }
        desk.poster.answer(.answered(status: 410, retryAfter: nil))
        let run = desk.start()
        _ = await desk.poster.next()
        let report = await desk.reports.next()
        try #require(report == .failed(TestHub.name("ops"), origin: "https://a", reason: "status 410"))
        await desk.clock.alarm(after: 5)
        #expect(desk.poster.count == 1)
        hub.tell(isShortOfMemory: false)
        desk.poster.answer(.answered(status: 410, retryAfter: nil))
        await desk.clock.advance(toAlarmAfter: 5)
        _ = await desk.poster.next()
        await desk.stop(run)
        #expect(try await desk.webhooks().map(\.isEnabled) == [false])
    }

    @Test func `what is old is tried once and given up`() async throws {
        let desk = try await WebhookTestBench()
        desk.poster.answer(.answered(status: 400, retryAfter: nil))
        try await desk.dismissOne()
        desk.clock.skip(seconds: 4 * 86_400)
        let run = desk.start()
        let id = await desk.poster.next().id
        let expected = WebhookReport.gaveUp(
            TestHub.name("ops"),
            origin: "https://a",
            message: id,
            tries: 1,
            reason: "status 400"
        )
        #expect(await desk.reports.next() == expected)
        await desk.stop(run)
        #expect(desk.lab.store.outbox.waiting == 0)
    }

    @Test func `while what becomes of letters cannot be written, no more go out`() async throws {
        let desk = try await WebhookTestBench()
        for _ in 0..<8 { try await desk.dismissOne() }
        desk.lab.store.failSettling(with: .unavailable("full"))
        let run = desk.start()
        let atOnce = DeliveryScheduler.perHost.doubtful
        for _ in 0..<atOnce { #expect(await desk.reports.next() == .storeFailed(.unavailable("full"))) }
        // Each rings, so that the dispatcher looks what else there is.
        for _ in 0..<4 { try await desk.dismissOne() }
        #expect(desk.poster.count == atOnce)
        desk.lab.store.failSettling(with: nil)
        await desk.clock.advance(toAlarmAfter: 5)
        for _ in 0..<atOnce + 12 { _ = await desk.poster.next() }
        await desk.stop(run)
        #expect(desk.poster.count == atOnce + 12)
        #expect(desk.lab.store.outbox.waiting == 0)
    }

    @Test func `what was stored before the start is sent, and what is on its way is waited for`() async throws {
        let desk = try await WebhookTestBench()
        try await desk.dismissOne()
        let run = desk.start()
        _ = await desk.poster.next()
        await desk.stop(run)
        #expect(desk.counters.delivered == 1)
    }

    @Test func `a channel whose time runs ahead is told of at once`() async throws {
        let desk = try await WebhookTestBench(ahead: 7200)
        let run = desk.start()
        try await desk.clear()
        _ = await desk.poster.next()
        await desk.stop(run)
        #expect(desk.counters.delivered == 1)
    }

    @Test func `what was to be sent by a clock that was set back since is sent now`() async throws {
        let desk = try await WebhookTestBench()
        try await desk.dismissOne()
        let store = desk.lab.store
        let claim = DeliveryClaim(by: DeliveryClaimer(rawValue: "test"), at: desk.clock.now, for: .zero)
        let share = DeliveryShare(webhook: 1)
        let waiting = try await store.claimDeliveries(claim, dueAt: desk.clock.now, limit: 1, share: share)
        let id = try #require(waiting.first?.id)
        try await store.settle(id, .postponed(until: desk.clock.now + Interval(seconds: 400 * 86_400)))
        let run = desk.start()
        _ = await desk.poster.next()
        await desk.stop(run)
        #expect(desk.counters.delivered == 1)
    }

    @Test func `what was cut off stays in the outbox`() async throws {
        let desk = try await WebhookTestBench()
        desk.poster.answer(.closed)
        try await desk.dismissOne()
        let run = desk.start()
        _ = await desk.poster.next()
        await desk.stop(run)
        #expect(desk.lab.store.outbox.waiting == 1)
        #expect(desk.counters.failedTries == 0)
    }
}

extension OutgoingRequest {
    fileprivate var id: String { self.headers.first { $0.name == "webhook-id" }?.value ?? "" }
}
