import Testing
import ToastCore

@testable import ToastHub

@Suite struct DeliverySchedulerTests {
    private var scheduler = DeliveryScheduler()

    /// All deliveries that may be sent now.
    private mutating func send() -> [DueDelivery] {
        var sent: [DueDelivery] = []
        while let delivery = self.scheduler.next() { sent.append(delivery) }
        return sent
    }

    @Test mutating func `a host that answers gets several deliveries at once`() throws {
        let due = try (0..<20).map { try Self.due($0, host: "slow") }
        self.scheduler.note(due[0], isAnswering: true)
        self.scheduler.take(due)
        let sent = self.send()
        #expect(sent.map(\.id.rawValue) == [0, 1, 2, 3])
        self.scheduler.end(sent[0])
        #expect(self.scheduler.next()?.id.rawValue == 4)
        #expect(self.scheduler.next() == nil)
        // Deliveries of another owner to the same host do not wait for these.
        self.scheduler.take([try Self.due(99, host: "slow", of: "bob")])
        #expect(self.scheduler.next()?.id.rawValue == 99)
    }

    @Test mutating func `a doubtful receiver gets one delivery at a time`() throws {
        let due = try (0..<9).map { try Self.due($0, host: "new") }
        self.scheduler.take(due)
        #expect(self.send().count == 1)
        self.scheduler.note(due[0], isAnswering: true)
        #expect(self.send().count == 3)
        self.scheduler.note(due[0], isAnswering: false)
        self.scheduler.end(due[0])
        self.scheduler.end(due[1])
        #expect(self.send().map(\.id.rawValue) == [4])
        self.scheduler.end(due[2])
        self.scheduler.end(due[3])
        #expect(self.send().isEmpty)
    }

    @Test mutating func `an owner's dead receivers leave room for its live ones and for other owners`() throws {
        let alive = try [Self.due(900, host: "alive"), Self.due(901, host: "bob", of: "bob")]
        for delivery in alive { self.scheduler.note(delivery, isAnswering: true) }
        let dead = try (0..<200).map { try Self.due($0, host: "dead\($0)") }
        self.scheduler.take(dead + alive + [try Self.due(902, host: "new", of: "eve")])
        let sent = self.send().map(\.id.rawValue)
        #expect(sent.filter { $0 < 200 } == Array(0..<8))
        #expect(Set(sent).isSuperset(of: [900, 901, 902]))
    }

    @Test mutating func `half of the slots are for receivers that answer, however many owners there are`() throws {
        let dead = try (0..<100).map { try Self.due($0, host: "dead\($0)", of: "owner\($0)") }
        let alive = try (100..<200).map { try Self.due($0, host: "alive\($0)", of: "owner\($0)") }
        for delivery in alive { self.scheduler.note(delivery, isAnswering: true) }
        self.scheduler.take(dead + alive)
        let sent = self.send()
        #expect(sent.count == DeliveryScheduler.inAll.all)
        #expect(sent.count { $0.id.rawValue < 100 } == DeliveryScheduler.inAll.doubtful)
    }

    @Test mutating func `the owner with the fewest deliveries in flight comes first`() throws {
        let first = try (0..<3).map { try Self.due($0, host: "a\($0)", of: "alice") }
        self.scheduler.take(first + [try Self.due(9, host: "b", of: "bob")])
        #expect(self.send().map(\.id.rawValue) == [0, 9, 1, 2])
    }

    @Test mutating func `a delivery that is in flight, or ended during the query, is not taken again`() throws {
        let due = try (0..<3).map { try Self.due($0, host: "a\($0)") }
        self.scheduler.take(Array(due[..<2]))
        #expect(self.send().count == 2)
        self.scheduler.beginRefill()
        self.scheduler.end(due[0])
        self.scheduler.take(due)
        #expect(self.send().map(\.id.rawValue) == [2])
    }

    private static func due(_ number: Int64, host: String, of owner: String = "alice") throws -> DueDelivery {
        let url = try #require(WebhookURL(rawValue: "https://\(host)/"))
        return DueDelivery(id: DeliveryID(rawValue: number), channel: TestHub.name("ops"), url: url, owner: owner)
    }
}
