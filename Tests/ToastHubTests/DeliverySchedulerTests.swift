import Testing
import ToastCore

@testable import ToastHub

@Suite struct DeliverySchedulerTests {
    private var board = DeliveryScheduler()

    /// Everything that may go out now.
    private mutating func send() -> [DueDelivery] {
        var sent: [DueDelivery] = []
        while let delivery = self.board.next() { sent.append(delivery) }
        return sent
    }

    @Test mutating func `so many go out at once to one host that answers`() throws {
        let due = try (0..<20).map { try Self.due($0, host: "slow") }
        self.board.note(due[0], isAnswering: true)
        self.board.take(due)
        let sent = self.send()
        #expect(sent.map(\.id.rawValue) == [0, 1, 2, 3])
        self.board.end(sent[0])
        #expect(self.board.next()?.id.rawValue == 4)
        #expect(self.board.next() == nil)
        // Another owner's deliveries to the same host wait for none of these.
        self.board.take([try Self.due(99, host: "slow", of: "bob")])
        #expect(self.board.next()?.id.rawValue == 99)
    }

    @Test mutating func `one that has not answered yet, or not last time, gets one at a time`() throws {
        let due = try (0..<9).map { try Self.due($0, host: "new") }
        self.board.take(due)
        #expect(self.send().count == 1)
        self.board.note(due[0], isAnswering: true)
        #expect(self.send().count == 3)
        self.board.note(due[0], isAnswering: false)
        self.board.end(due[0])
        self.board.end(due[1])
        #expect(self.send().map(\.id.rawValue) == [4])
        self.board.end(due[2])
        self.board.end(due[3])
        #expect(self.send().isEmpty)
    }

    @Test mutating func `an owner of many that do not answer leaves room for their own that do, and for others`() throws
    {
        let alive = try [Self.due(900, host: "alive"), Self.due(901, host: "bob", of: "bob")]
        for delivery in alive { self.board.note(delivery, isAnswering: true) }
        let dead = try (0..<200).map { try Self.due($0, host: "dead\($0)") }
        self.board.take(dead + alive + [try Self.due(902, host: "new", of: "eve")])
        let sent = self.send().map(\.id.rawValue)
        #expect(sent.filter { $0 < 200 } == Array(0..<8))
        #expect(Set(sent).isSuperset(of: [900, 901, 902]))
    }

    @Test mutating func `however many owners there are, half of all is for those that answer`() throws {
        let dead = try (0..<100).map { try Self.due($0, host: "dead\($0)", of: "owner\($0)") }
        let alive = try (100..<200).map { try Self.due($0, host: "alive\($0)", of: "owner\($0)") }
        for delivery in alive { self.board.note(delivery, isAnswering: true) }
        self.board.take(dead + alive)
        let sent = self.send()
        #expect(sent.count == DeliveryScheduler.inAll.all)
        #expect(sent.count { $0.id.rawValue < 100 } == DeliveryScheduler.inAll.doubtful)
    }

    @Test mutating func `the owner for whom least is on its way comes first`() throws {
        let first = try (0..<3).map { try Self.due($0, host: "a\($0)", of: "alice") }
        self.board.take(first + [try Self.due(9, host: "b", of: "bob")])
        #expect(self.send().map(\.id.rawValue) == [0, 9, 1, 2])
    }

    @Test mutating func `what is on its way, or ended while the outbox was asked, is not taken again`() throws {
        let due = try (0..<3).map { try Self.due($0, host: "a\($0)") }
        self.board.take(Array(due[..<2]))
        #expect(self.send().count == 2)
        self.board.beginRefill()
        self.board.end(due[0])
        self.board.take(due)
        #expect(self.send().map(\.id.rawValue) == [2])
    }

    private static func due(_ number: Int64, host: String, of owner: String = "alice") throws -> DueDelivery {
        let url = try #require(WebhookURL(rawValue: "https://\(host)/"))
        return DueDelivery(id: DeliveryID(rawValue: number), channel: TestHub.name("ops"), url: url, owner: owner)
    }
}
