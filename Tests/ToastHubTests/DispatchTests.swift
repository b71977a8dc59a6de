import HTTPClient
import Metrics
import TestSupport
import Testing
import ToastCore

@testable import ToastHub

@Suite(.timeLimit(.minutes(15))) struct DispatchTests {
    @Test func `an event that a webhook subscribes to is sent once and leaves the queue`() async throws {
        let bench = try await WebhookTestBench(
            webhooks: #"[{"url": "https://a/"}, {"url": "https://b/", "events": ["enqueued"]}]"#
        )
        let run = bench.start()
        _ = try await bench.lab.publish("hello")
        #expect(await bench.sender.next().url == "https://b/")
        try await bench.clear()
        let request = await bench.sender.next()
        #expect(request.url == "https://a/")
        let headers = Dictionary(request.headers.map { ($0.name, $0.value) }) { first, _ in first }
        #expect(headers["Content-Type"] == "application/cloudevents+json")
        #expect(headers["webhook-timestamp"] == "1800000000")
        #expect(headers["webhook-id"]?.hasPrefix("ops/") == true)
        #expect(String(decoding: request.body ?? [], as: UTF8.self).contains(#""type":"toastd.dismissed""#))
        await bench.stop(run)
        #expect(bench.lab.store.deliveryCounts.waiting == 0)
        #expect(bench.counters.delivered.value == 2)
        #expect(bench.reports.count == 0)
    }

    @Test func `a failed delivery is retried after its pause, with the same identifier`() async throws {
        let bench = try await WebhookTestBench()
        bench.sender.answer(.answered(status: 500, retryAfter: nil), .failed("no route"))
        let run = bench.start()
        try await bench.dismissOne()
        let first = await bench.sender.next()
        await bench.clock.advance(toAlarmAfter: 5)
        let second = await bench.sender.next()
        await bench.clock.advance(toAlarmAfter: 30)
        let third = await bench.sender.next()
        #expect(Set([first, second, third].map(\.id)).count == 1)
        await bench.stop(run)
        #expect(bench.counters.delivered.value == 1)
        #expect(bench.counters.failedTries.value == 2)
        #expect(bench.reports.count == 2)
        #expect(bench.lab.store.deliveryCounts.waiting == 0)
    }

    @Test(arguments: [(503, nil as Int?, 5.0), (429, 90, 90)])
    func `nothing is sent to a webhook while it rests`(status: Int, retryAfter: Int?, rest seconds: Double) async throws
    {
        let bench = try await WebhookTestBench()
        bench.sender.answer(.answered(status: status, retryAfter: retryAfter))
        let run = bench.start()
        try await bench.dismissOne()
        let first = await bench.sender.next()
        // The alarm is set, so the failure has been handled.
        await bench.clock.alarm(after: seconds)
        try await bench.dismissOne()
        await bench.clock.advance(toAlarmAfter: seconds)
        let rest = [await bench.sender.next().id, await bench.sender.next().id]
        #expect(rest.contains(first.id))
        #expect(Set(rest).count == 2)
        await bench.stop(run)
        #expect(bench.sender.count == 3)
    }

    @Test func `a webhook that fails slowly rests for longer`() async throws {
        let bench = try await WebhookTestBench()
        bench.sender.answer(.failed("timeout")) { bench.clock.skip(seconds: 15) }
        try await bench.dismissOne()
        let run = bench.start()
        let first = await bench.sender.next()
        // The pause of the delivery is over, but not the rest of the webhook.
        await bench.clock.advance(toAlarmAfter: 5)
        await bench.clock.advance(toAlarmAfter: 25)
        #expect(await bench.sender.next().id == first.id)
        await bench.stop(run)
        #expect(bench.sender.count == 2)
        #expect(bench.counters.delivered.value == 1)
    }

    @Test func `a webhook that is set anew does not rest for its former failures`() async throws {
        let bench = try await WebhookTestBench()
        bench.sender.answer(.answered(status: 503, retryAfter: nil))
        let run = bench.start()
        try await bench.dismissOne()
        let first = await bench.sender.next()
        await bench.clock.alarm(after: 5)
        try await bench.configure(webhooks: "[]")
        try await bench.configure(webhooks: #"[{"url": "https://a/"}]"#)
        try await bench.dismissOne()
        #expect(await bench.sender.next().id != first.id)
        await bench.stop(run)
        #expect(bench.sender.count == 2)
    }

    @Test func `waiting for a connection to an address is not an attempt`() async throws {
        let bench = try await WebhookTestBench()
        bench.sender.answer(.crowded(address: "192.0.2.1"))
        try await bench.dismissOne()
        let run = bench.start()
        let first = await bench.sender.next()
        #expect(first.sharing == ConnectionSharing(group: "channel:ops", limit: DeliveryScheduler.perAddress))
        #expect(
            await bench.reports.next() == .crowded(TestHub.name("ops"), origin: "https://a", address: "192.0.2.1")
        )
        await bench.clock.advance(toAlarmAfter: 2)
        #expect(await bench.sender.next().id == first.id)
        // A receiver that has answered has no limit of connections.
        try await bench.dismissOne()
        #expect(await bench.sender.next().sharing == nil)
        await bench.stop(run)
        #expect(bench.counters.failedTries.value == 0)
    }

    @Test func `a webhook that answers 410 is disabled`() async throws {
        let bench = try await WebhookTestBench()
        bench.sender.answer(.answered(status: 410, retryAfter: nil))
        let run = bench.start()
        try await bench.dismissOne()
        _ = await bench.sender.next()
        let report = await bench.reports.next()
        #expect(report == .gone(TestHub.name("ops"), origin: "https://a", deliveries: 1))
        try await bench.dismissOne()
        await bench.stop(run)
        #expect(bench.sender.count == 1)
        #expect(bench.lab.store.deliveryCounts.waiting == 0)
        #expect(bench.counters.givenUp.value == 1)
        #expect(try await bench.webhooks().map(\.isEnabled) == [false])
    }

    @Test func `a webhook that answers 410 rests while there is no room to disable it`() async throws {
        let bench = try await WebhookTestBench()
        try await bench.dismissOne()
        let hub = bench.lab.hub
        while hub.channelMeters.contains(where: { $0.loaded.value > 0 }) {
            hub.note(isShortOfMemory: true)
            await Task.yield()
        }
        bench.sender.answer(.answered(status: 410, retryAfter: nil))
        let run = bench.start()
        _ = await bench.sender.next()
        let report = await bench.reports.next()
        try #require(report == .failed(TestHub.name("ops"), origin: "https://a", reason: "status 410"))
        await bench.clock.alarm(after: 5)
        #expect(bench.sender.count == 1)
        hub.note(isShortOfMemory: false)
        bench.sender.answer(.answered(status: 410, retryAfter: nil))
        await bench.clock.advance(toAlarmAfter: 5)
        _ = await bench.sender.next()
        await bench.stop(run)
        #expect(try await bench.webhooks().map(\.isEnabled) == [false])
    }

    @Test func `an old event is tried once and given up`() async throws {
        let bench = try await WebhookTestBench()
        bench.sender.answer(.answered(status: 400, retryAfter: nil))
        try await bench.dismissOne()
        bench.clock.skip(seconds: 4 * 86_400)
        let run = bench.start()
        let id = await bench.sender.next().id
        let expected = WebhookReport.gaveUp(
            TestHub.name("ops"),
            origin: "https://a",
            message: id,
            tries: 1,
            reason: "status 400"
        )
        #expect(await bench.reports.next() == expected)
        await bench.stop(run)
        #expect(bench.lab.store.deliveryCounts.waiting == 0)
    }

    @Test func `no delivery is sent while outcomes cannot be stored`() async throws {
        let bench = try await WebhookTestBench()
        for _ in 0..<8 { try await bench.dismissOne() }
        bench.lab.store.failSettling(with: .unavailable("full"))
        let run = bench.start()
        let atOnce = DeliveryScheduler.perHost.doubtful
        for _ in 0..<atOnce { #expect(await bench.reports.next() == .storeFailed(.unavailable("full"))) }
        // Each of them signals, so that the dispatcher queries for more deliveries.
        for _ in 0..<4 { try await bench.dismissOne() }
        #expect(bench.sender.count == atOnce)
        bench.lab.store.failSettling(with: nil)
        await bench.clock.advance(toAlarmAfter: 5)
        for _ in 0..<atOnce + 12 { _ = await bench.sender.next() }
        await bench.stop(run)
        #expect(bench.sender.count == atOnce + 12)
        #expect(bench.lab.store.deliveryCounts.waiting == 0)
    }

    @Test func `earlier deliveries are sent at the start, and stopping waits for those in flight`() async throws {
        let bench = try await WebhookTestBench()
        try await bench.dismissOne()
        let run = bench.start()
        _ = await bench.sender.next()
        await bench.stop(run)
        #expect(bench.counters.delivered.value == 1)
    }

    @Test func `an event of a channel whose clock runs ahead is sent at once`() async throws {
        let bench = try await WebhookTestBench(ahead: 7200)
        let run = bench.start()
        try await bench.clear()
        _ = await bench.sender.next()
        await bench.stop(run)
        #expect(bench.counters.delivered.value == 1)
    }

    @Test func `a delivery scheduled before the clock was set back is sent now`() async throws {
        let bench = try await WebhookTestBench()
        try await bench.dismissOne()
        let store = bench.lab.store
        let waiting = try await store.dueDeliveries(at: bench.clock.now, limit: 1, share: DeliveryShare(webhook: 1))
        let id = try #require(waiting.first?.id)
        try await store.settle(id, .postponed(until: bench.clock.now + Interval(seconds: 400 * 86_400)))
        let run = bench.start()
        _ = await bench.sender.next()
        await bench.stop(run)
        #expect(bench.counters.delivered.value == 1)
    }

    @Test func `an interrupted delivery stays in the queue`() async throws {
        let bench = try await WebhookTestBench()
        bench.sender.answerAlways(.closed)
        try await bench.dismissOne()
        let run = bench.start()
        _ = await bench.sender.next()
        await bench.stop(run)
        #expect(bench.lab.store.deliveryCounts.waiting == 1)
        #expect(bench.counters.failedTries.value == 0)
    }
}

extension OutgoingRequest {
    fileprivate var id: String { self.headers.first { $0.name == "webhook-id" }?.value ?? "" }
}
