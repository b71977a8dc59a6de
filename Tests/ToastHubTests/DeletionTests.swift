import EventLoop
import HTTPClient
import MicroHTTP
import TestSupport
import Testing
import ToastCore
import ToastStore

@testable import ToastHub

@Suite struct DeletionTests {
    private let ops = TestHub.name("ops")

    @Test(arguments: [false, true])
    func streamsGetEveryDismissalAndRestartWithTheNewChannel(isImmediate: Bool) async throws {
        let lab = try await TestHub(hasImmediateStore: isImmediate)
        let listeners = [try await lab.listen(on: 0), try await lab.listen(on: 1)]
        _ = try await lab.publish("one")
        _ = try await lab.publish("two")
        try await lab.hub.delete(self.ops, lab.fanouts)
        // A stream restarts on its own loop, perhaps after a later publish: that would be in its snapshot.
        for listener in listeners {
            let events = await listener.next(7)
            #expect(
                events.map(\.type) == [
                    "snapshot", "enqueued", "presented", "enqueued", "dismissed", "dismissed", "snapshot",
                ]
            )
            #expect(events.last?.data["reset"] == true)
            #expect(events.last?.data["presented"]?.array?.isEmpty == true)
        }
        _ = try await lab.publish("three")
        for listener in listeners {
            let events = await listener.next(2)
            #expect(events.map(\.type) == ["enqueued", "presented"])
            #expect(events.last?.data["toast"]?["message"] == "three")
        }
    }

    @Test(arguments: [false, true])
    func everyCursorOfTheOldChannelIsReset(isImmediate: Bool) async throws {
        let lab = try await TestHub(hasImmediateStore: isImmediate)
        _ = try await lab.publish("one")
        let last = try await lab.summary().cursor.description
        try await lab.hub.delete(self.ops, lab.fanouts)
        for _ in 0..<2 {
            let events = await (try await lab.listen(since: last)).next(1)
            #expect(events.first?.type == "snapshot")
            #expect(events.first?.data["reset"] == true)
            // In the second pass the channel is loaded again, as after a restart.
            lab.hub.forgetIdle()
        }
        #expect(try await lab.store.channelCount() == 0)
    }

    /// In a cluster another node may have been asked to delete the channel.
    @Test func `the owner forgets the last attempts of a deleted channel's webhooks`() async throws {
        let lab = try await TestHub()
        let url = try #require(WebhookURL(rawValue: "https://a/"))
        let attempt = try #require(DeliveryAttempt(.failed("no route"), at: lab.hub.now))
        for name in [self.ops, TestHub.name("other")] { lab.hub.deliveryAttempts.note(attempt, for: url, of: name) }
        _ = try await lab.hub.performHere(.delete, on: self.ops)
        #expect(lab.hub.deliveryAttempts.last(for: url, of: self.ops) == nil)
        #expect(lab.hub.deliveryAttempts.last(for: url, of: TestHub.name("other")) == attempt)
    }

    @Test(.timeLimit(.minutes(15)))
    func aPublishDuringADeletionGoesToTheNewChannel() async throws {
        let lab = try await TestHub()
        _ = try await lab.publish("old", key: "k")
        lab.store.shut()
        async let deletion: Void = lab.hub.delete(self.ops, lab.fanouts)
        await lab.store.arrival()
        async let plain = lab.publish("new")
        async let keyed = lab.publish("old", key: "k")
        lab.store.open()
        try await deletion
        _ = try await plain
        // A key that was looked up before the deletion may still be answered from the old channel.
        _ = try await keyed
        let messages = try await lab.hub.perform(on: self.ops) { channel throws(ChannelError) in
            try await channel.toasts(in: nil).toasts.compactMap(\.message)
        }
        #expect(messages.contains(.raw("new")))
        guard case .published = try await lab.publish("again", key: "other") else {
            Issue.record("A new channel takes new keys.")
            return
        }
    }

    @Test(arguments: [false, true])
    func aDeletionThatCannotBeStoredLeavesAWorkingChannel(isImmediate: Bool) async throws {
        let lab = try await TestHub(hasImmediateStore: isImmediate)
        _ = try await lab.publish("one")
        lab.store.fail(with: .unavailable("disk full"))
        await #expect(throws: ChannelError.store(.unavailable("disk full"))) {
            try await lab.hub.delete(self.ops, lab.fanouts)
        }
        lab.store.fail(with: nil)
        #expect(try await lab.summary().queued == 1)
        try await lab.hub.delete(self.ops, lab.fanouts)
        #expect(try await lab.summary().queued == 0)
        #expect(try await lab.store.channelCount() == 0)
    }

    @Test(.timeLimit(.minutes(15)))
    func aToastIsWithdrawnWhenTheLastOfItsConnectionsIsLost() async throws {
        let lab = try await TestHub()
        let toast = try await lab.publishedToast("Delete?")
        let first = try await lab.ask(toast.id, on: 0, withdraws: true)
        let second = try await lab.ask(toast.id, on: 1, withdraws: true)
        let careless = try await lab.ask(toast.id, on: 1, withdraws: false)
        careless.hangUp()
        first.hangUp()
        while await lab.fanouts[0].count > 0 { await Task.yield() }
        while await lab.fanouts[1].count > 1 { await Task.yield() }
        // This request runs after the effects of the ended streams.
        #expect(try await lab.toast(toast.id)?.state == .queued)
        second.hangUp()
        while try await lab.toast(toast.id)?.state != .dismissed { await Task.yield() }
        #expect(try await lab.toast(toast.id)?.dismissReason == .api)
    }

    /// The server releases a reply whose connection the peer has closed, so the stream never gets a socket.
    @Test(.timeLimit(.minutes(15)))
    func aToastIsWithdrawnWhenItsConnectionIsLostBeforeTheStreamHasIt() async throws {
        let lab = try await TestHub()
        let toast = try await lab.publishedToast("Delete?")
        for isReplied in [false, true] {
            do {
                let pending = try await lab.fanouts[0].openOutcome(
                    of: toast.id,
                    in: self.ops,
                    wait: Interval(seconds: 600),
                    withdraws: true,
                    requestID: "ask"
                ) { _, _ in .event("never", id: nil, data: []) }
                if isReplied { _ = pending.reply() }
            }
            while await lab.fanouts[0].count > 0 { await Task.yield() }
            // A stream without a reply dismisses nothing.
            if !isReplied { #expect(try await lab.toast(toast.id)?.state == .queued) }
        }
        while try await lab.toast(toast.id)?.state != .dismissed { await Task.yield() }
    }

    @Test func aWaitingPublisherGetsTheOutcomeOfAToastThatTheChannelHasForgotten() async throws {
        let lab = try await TestHub()
        let toast = try await lab.publishedToast("Delete?")
        let asker = try await lab.ask(toast.id, on: 1, withdraws: false)
        for number in 0..<300 { _ = try await lab.publish("other \(number)") }
        _ = try await lab.hub.perform(on: self.ops) { channel throws(ChannelError) in try await channel.clear() }
        #expect(try await lab.toast(toast.id) == nil)
        #expect(await asker.next(1).map(\.type) == ["dismissed"])
    }

    @Test(.timeLimit(.minutes(15)), arguments: [0, 1])
    func aWaitingPublisherGetsTheOutcomeAlthoughTheStoresAnswerWasLost(loop: Int) async throws {
        let store = LossyStore(MemoryStore())
        let lab = try await TestHub(wrapping: store)
        let toast = try await lab.publishedToast("Delete?")
        let asker = try await lab.ask(toast.id, on: loop, withdraws: false)
        store.meet([.lostAnswer])
        await #expect(throws: ChannelError.self) { try await lab.hub.perform(.clear(), on: self.ops) }
        // Loads the channel again.
        _ = try await lab.summary()
        #expect(await asker.next(1).map(\.type) == ["dismissed"])
    }

    @Test func aPublisherIsNotToldThatAToastLivesWhoseChannelWasDeletedBeforeItWaited() async throws {
        let lab = try await TestHub()
        let toast = try await lab.publishedToast("Delete?")
        try await lab.hub.delete(self.ops, lab.fanouts)
        let asker = try await lab.ask(toast.id, on: 1, withdraws: false)
        #expect(await asker.next(1).map(\.type) == ["forgotten"])
    }
}

extension TestHub {
    /// Waits for a toast's end; the answer is an event whose type is the toast's state.
    fileprivate func ask(_ id: ToastID, on loop: Int, withdraws: Bool) async throws -> Listener {
        let pendingStream = try await self.fanouts[loop].openOutcome(
            of: id,
            in: TestHub.name("ops"),
            wait: Interval(seconds: 600),
            withdraws: withdraws,
            requestID: "ask"
        ) { toast, _ in
            let name =
                switch toast {
                case .known(let toast): toast.state.rawValue
                case .forgotten: "forgotten"
                case .unavailable: "unavailable"
                }
            return .event(name, id: nil, data: Array("{}".utf8))
        }
        return try await self.connect(pendingStream, on: loop)
    }

    fileprivate func toast(_ id: ToastID) async throws -> Toast? {
        try await self.hub.perform(on: TestHub.name("ops")) { channel throws(ChannelError) in
            try await channel.toast(id)
        }
    }
}
