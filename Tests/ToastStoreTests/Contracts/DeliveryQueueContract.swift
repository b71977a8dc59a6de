import Testing
import ToastCore

@testable import ToastStore

/// The contract of ``DeliveryQueue``: webhooks, and the deliveries that wait for them.
@Suite struct DeliveryQueueContract {
    private let ops = ChannelName.make()

    @Test(arguments: Adapter.allCases)
    func `webhooks are loaded with their channel, in order and with their secrets`(adapter: Adapter) async throws {
        try await adapter.run { store in
            let webhooks: [Webhook] = [
                .make("b", events: [.acted], secret: 1), .make("a", secret: 2), .make("c", isEnabled: false),
            ]
            #expect(try await store.setWebhooks(webhooks, of: self.ops) == 0)
            #expect(try await store.load(self.ops).webhooks == webhooks)
            #expect(try await store.load(self.ops).last == .origin)
            #expect(try await store.channels(after: nil, limit: 9) == [self.ops])

            try await store.append(.make(count: 2, snapshot: true))
            let fewer: [Webhook] = [.make("c", secret: 3), .make("b", secret: 4)]
            try await store.setWebhooks(fewer, of: self.ops)
            #expect(try await store.load(self.ops).webhooks == fewer)
            #expect(try await store.load(self.ops).last == Offset(rawValue: 2))
            try await store.setWebhooks([], of: self.ops)
            #expect(try await store.load(self.ops).webhooks == [])
        }
    }

    @Test(arguments: Adapter.allCases)
    func `webhooks replace only those that the caller knows`(adapter: Adapter) async throws {
        try await adapter.run { store in
            try await store.setWebhooks([.make("a", secret: 1)], of: self.ops, replacing: [])
            try await store.append(.make(count: 2))
            let conflict = StoreError.conflict(current: Offset(rawValue: 2))
            for known in [[], [Webhook.make("a", secret: 2)]] {
                await #expect(throws: conflict) {
                    try await store.setWebhooks([.make("b")], of: self.ops, replacing: known)
                }
            }
            #expect(try await store.load(self.ops).webhooks == [.make("a", secret: 1)])
            try await store.setWebhooks([], of: self.ops, replacing: [.make("a", secret: 1)])
            #expect(try await store.load(self.ops).webhooks == [])
        }
    }

    @Test(arguments: Adapter.allCases)
    func `a delivery is queued with its event and waits until it is settled`(adapter: Adapter) async throws {
        try await adapter.run { store in
            try await store.setWebhooks([.make("a", secret: 7)], of: self.ops)
            try await store.append(.make(deliveries: [.make("a", "m1", at: 5)]))
            #expect(try await store.dueDeliveries(at: .at(4.9), limit: 9, share: .unlimited) == [])
            #expect(try await store.nextDelivery(after: .at(4.9)) == .at(5))
            let due = try #require(try await store.dueDeliveries(at: .at(5), limit: 9, share: .unlimited).first)
            #expect(due.channel == self.ops)
            #expect(due.url == .make("a"))
            #expect(try await store.nextDelivery(after: .at(5)) == nil)
            let stored = StoredDelivery(message: .make("a", "m1", at: 5), secret: .make(7), tries: 0)
            #expect(try await store.delivery(due.id) == stored)
            #expect(store.deliveryCounts == DeliveryQueueCounts(waiting: 1, displaced: 0))

            try await store.settle(due.id, .done)
            try await store.settle(due.id, .done)
            try await store.settle(due.id, .retry(at: .at(6), resting: nil))
            #expect(try await store.delivery(due.id) == nil)
            #expect(try await store.dueDeliveries(at: .at(99), limit: 9, share: .unlimited) == [])
            #expect(store.deliveryCounts.waiting == 0)
        }
    }

    @Test(arguments: Adapter.allCases)
    func `many deliveries of one webhook do not hide those of others`(adapter: Adapter) async throws {
        try await adapter.run { store in
            for channel in ["c1", "c2"] { try await store.setWebhooks([.make("a")], of: .make(channel)) }
            let many = [1.0, 2, 3].map { NewDelivery.make("a", "c1", at: $0) }
            try await store.append(.make("c1", deliveries: many))
            try await store.append(.make("c2", deliveries: [.make("a", "c2", at: 4)]))
            let due = try await store.dueDeliveries(at: .at(5), limit: 3, share: DeliveryShare(webhook: 2))
            #expect(due.map(\.channel.rawValue) == ["c1", "c1", "c2"])
        }
    }

    @Test(arguments: Adapter.allCases)
    func `many deliveries of one owner or webhook do not hide those of others`(
        adapter: Adapter
    ) async throws {
        try await adapter.run { store in
            let owners = ["c1": "mallory", "c2": "mallory", "c3": "alice", "c4": ""]
            for (channel, owner) in owners {
                try await store.setWebhooks([.make("a", owner: owner)], of: .make(channel))
            }
            let many = [1.0, 2, 3].map { NewDelivery.make("a", "c1", at: $0) }
            try await store.append(.make("c1", deliveries: many))
            for (channel, at) in [("c2", 4.0), ("c3", 5), ("c4", 6)] {
                try await store.append(.make(channel, deliveries: [.make("a", channel, at: at)]))
            }
            let share = DeliveryShare(webhook: 8, owner: 2)
            let due = try await store.dueDeliveries(at: .at(9), limit: 4, share: share)
            #expect(due.map(\.channel.rawValue) == ["c1", "c2", "c3", "c4"])
            #expect(due.map(\.owner) == ["mallory", "mallory", "alice", "channel:c4"])
        }
    }

    @Test(arguments: Adapter.allCases)
    func `a postponed delivery counts no attempt, and the others of its webhook wait`(adapter: Adapter) async throws {
        try await adapter.run { store in
            try await store.setWebhooks([.make("a"), .make("b")], of: self.ops)
            let deliveries = [("a", "1", 1.0), ("a", "2", 2), ("b", "3", 3)].map(NewDelivery.make)
            try await store.append(.make(deliveries: deliveries))
            let due = try await store.dueDeliveries(at: .at(1), limit: 1, share: .unlimited)
            let first = try #require(due.first)
            try await store.settle(first.id, .postponed(until: .at(30), resting: .at(30)))
            #expect(try await store.delivery(first.id)?.tries == 0)
            #expect(try await store.messages(due: 29) == ["3"])
            #expect(try await store.messages(due: 30) == ["3", "1", "2"])
        }
    }

    @Test(arguments: Adapter.allCases)
    func `the delivery that has been due longest comes first, whatever its channel`(adapter: Adapter) async throws {
        try await adapter.run { store in
            for (channel, at) in [("c1", 3.0), ("c2", 1), ("c3", 2), ("c4", 9)] {
                try await store.setWebhooks([.make("a")], of: .make(channel))
                try await store.append(.make(channel, deliveries: [.make("a", channel, at: at)]))
            }
            let due = try await store.dueDeliveries(at: .at(5), limit: 9, share: .unlimited)
            #expect(due.map(\.channel.rawValue) == ["c2", "c3", "c1"])
            #expect(try await store.dueDeliveries(at: .at(5), limit: 2, share: .unlimited) == Array(due[..<2]))
            #expect(try await store.dueDeliveries(at: .at(5), limit: -1, share: .unlimited) == [])
            #expect(try await store.nextDelivery(after: .at(5)) == .at(9))
        }
    }

    @Test(arguments: Adapter.allCases)
    func `a retry counts an attempt, and the others of its webhook wait`(adapter: Adapter) async throws {
        try await adapter.run { store in
            try await store.setWebhooks([.make("a"), .make("b")], of: self.ops)
            let deliveries = [("a", "1", 1.0), ("a", "2", 2), ("a", "3", 60), ("b", "4", 3)].map(NewDelivery.make)
            try await store.append(.make(deliveries: deliveries))
            let first = try #require(try await store.dueDeliveries(at: .at(1), limit: 1, share: .unlimited).first)
            try await store.settle(first.id, .retry(at: .at(5), resting: .at(30)))

            #expect(try await store.delivery(first.id)?.tries == 1)
            #expect(try await store.messages(due: 4) == ["4"])
            #expect(try await store.messages(due: 5) == ["4", "1"])
            #expect(try await store.messages(due: 30) == ["4", "1", "2"])
            #expect(try await store.messages(due: 60) == ["4", "1", "2", "3"])

            try await store.settle(first.id, .retry(at: .at(90), resting: nil))
            #expect(try await store.delivery(first.id)?.tries == 2)
            #expect(try await store.messages(due: 60) == ["4", "2", "3"])
            try await store.settle(first.id, .postponed(until: .at(2)))
            #expect(try await store.delivery(first.id)?.tries == 2)
            #expect(try await store.messages(due: 3) == ["1", "4"])
        }
    }

    @Test(arguments: Adapter.allCases)
    func `no delivery waits for an unknown or disabled webhook`(adapter: Adapter) async throws {
        try await adapter.run { store in
            try await store.setWebhooks([.make("a"), .make("off", isEnabled: false)], of: self.ops)
            try await store.setWebhooks([.make("other")], of: .make("other"))
            let deliveries = ["a", "off", "other", "none"].map { NewDelivery.make($0, $0, at: 1) }
            try await store.append(.make(deliveries: deliveries))
            #expect(try await store.messages(due: 9) == ["a"])
            #expect(store.deliveryCounts.waiting == 1)
        }
    }

    @Test(arguments: Adapter.allCases)
    func `waiting deliveries go with a removed webhook, and stay with a changed one`(adapter: Adapter) async throws {
        try await adapter.run { store in
            try await store.setWebhooks([.make("a"), .make("b"), .make("c")], of: self.ops)
            try await store.append(.make(deliveries: ["a", "b", "b", "c"].map { .make($0, $0, at: 1) }))
            let kept: [Webhook] = [.make("c", isEnabled: false), .make("a", events: [.held], secret: 9)]
            #expect(try await store.setWebhooks(kept, of: self.ops) == 3)
            #expect(try await store.messages(due: 9) == ["a"])
            let due = try #require(try await store.dueDeliveries(at: .at(9), limit: 1, share: .unlimited).first)
            #expect(try await store.delivery(due.id)?.secret == .make(9))
            #expect(store.deliveryCounts == DeliveryQueueCounts(waiting: 1, displaced: 0))
        }
    }

    @Test(arguments: Adapter.allCases)
    func `an append that is refused leaves no delivery`(adapter: Adapter) async throws {
        try await adapter.run { store in
            try await store.setWebhooks([.make("a")], of: self.ops)
            await #expect(throws: StoreError.conflict(current: .origin)) {
                try await store.append(.make(after: 4, deliveries: [.make("a", "m", at: 1)]))
            }
            #expect(try await store.messages(due: 9) == [])
            #expect(store.deliveryCounts.waiting == 0)
        }
    }

    @Test(arguments: [Adapter.memory, .sqlite, .jetStream])
    func `past the limit the oldest delivery is given up and counted`(adapter: Adapter) async throws {
        try await adapter.run { store in
            try await store.setWebhooks([.make("a"), .make("b")], of: self.ops)
            let many = (0..<Retention.standardDeliveries + 3).map { NewDelivery.make("a", "\($0)", at: Double($0)) }
            try await store.append(.make(deliveries: [.make("b", "b", at: 0)] + many))
            let messages = try await store.messages(due: 1e6)
            #expect(messages == ["b"] + (3..<Retention.standardDeliveries + 3).map(String.init))
            #expect(
                store.deliveryCounts == DeliveryQueueCounts(waiting: Retention.standardDeliveries + 1, displaced: 3)
            )
        }
    }

    @Test(arguments: [Adapter.memory, .sqlite, .jetStream])
    func `the limit of waiting deliveries is that of the retention`(adapter: Adapter) async throws {
        let age = Interval(seconds: 3600)
        try await adapter.run(Retention(events: 9, age: age, recordAge: age, deliveries: 2)) { store in
            try await store.setWebhooks([.make("a")], of: self.ops)
            let many = (0..<4).map { NewDelivery.make("a", "\($0)", at: Double($0)) }
            try await store.append(.make(deliveries: many))
            #expect(try await store.messages(due: 9) == ["2", "3"])
            #expect(store.deliveryCounts == DeliveryQueueCounts(waiting: 2, displaced: 2))
        }
    }

    @Test(arguments: Adapter.allCases)
    func `the deliveries that wait for a webhook are counted, the oldest listed`(adapter: Adapter) async throws {
        try await adapter.run { store in
            let nothing = WaitingDeliveries(count: 0, first: [])
            #expect(try await store.waitingDeliveries(for: .make("a"), of: self.ops, limit: 2) == nothing)
            try await store.setWebhooks([.make("a"), .make("b")], of: self.ops)
            #expect(try await store.waitingDeliveries(for: .make("a"), of: self.ops, limit: 2) == nothing)
            let deliveries = (1...3).map { NewDelivery.make("a", "m\($0)", at: Double($0)) }
            try await store.append(.make(deliveries: deliveries + [.make("b", "other", at: 1)]))
            let due = try await store.dueDeliveries(at: .at(1), limit: 9, share: .unlimited)
            let first = try #require(due.first { $0.url == .make("a") })
            try await store.settle(first.id, .retry(at: .at(7), resting: nil))
            let expected = [
                WaitingDelivery(message: "m1", at: .at(1), due: .at(7), tries: 1),
                WaitingDelivery(message: "m2", at: .at(2), due: .at(2), tries: 0),
            ]
            let waiting = try await store.waitingDeliveries(for: .make("a"), of: self.ops, limit: 2)
            #expect(waiting == WaitingDeliveries(count: 3, first: expected))
            #expect(try await store.waitingDeliveries(for: .make("b"), of: self.ops, limit: 0).count == 1)
            #expect(try await store.waitingDeliveries(for: .make("a"), of: .make("other"), limit: 2) == nothing)
        }
    }
}

@Suite struct DeliveryRestartTests {
    @Test func `webhooks and waiting deliveries survive a restart`() async throws {
        let directory = try TemporaryDirectory()
        let store = try SQLiteStore(path: directory.file("toast.db"))
        try await store.setWebhooks([.make("a", secret: 5)], of: .make())
        try await store.append(.make(deliveries: [.make("a", "1", at: 1), .make("a", "2", at: 2)]))
        let first = try #require(try await store.dueDeliveries(at: .at(1), limit: 1, share: .unlimited).first)
        try await store.settle(first.id, .retry(at: .at(7), resting: nil))
        await store.close()

        let again = try SQLiteStore(path: directory.file("toast.db"))
        #expect(again.deliveryCounts == DeliveryQueueCounts(waiting: 2, displaced: 0))
        #expect(try await again.load(.make()).webhooks == [.make("a", secret: 5)])
        #expect(try await again.messages(due: 9) == ["2", "1"])
        #expect(try await again.delivery(first.id)?.tries == 1)
        try await again.settle(first.id, .done)
        try await again.append(.make(after: 1, deliveries: [.make("a", "3", at: 3)]))
        let ids = try await again.dueDeliveries(at: .at(9), limit: 9, share: .unlimited).map(\.id)
        #expect(!ids.contains(first.id))
        await again.close()
    }
}

extension Store {
    fileprivate func messages(due seconds: Double) async throws -> [String] {
        var messages: [String] = []
        for due in try await self.dueDeliveries(at: .at(seconds), limit: 5000, share: .unlimited) {
            guard let delivery = try await self.delivery(due.id) else { continue }
            messages.append(delivery.message.message)
        }
        return messages
    }
}
