import EventLoop
import Testing
import ToastCore

@testable import ToastCluster
@testable import ToastStore

@Suite struct NATSBusTests {
    private let node = NodeID.random()

    private func withTwo(_ test: (NATSBus, NATSBus) async throws -> Void) async throws {
        try await ClusterServer.run { stores, loop in
            let buses = stores.map { NATSBus($0.connection, prefix: $0.subjects.bus, on: loop) }
            try await test(buses[0], buses[1])
        }
    }

    @Test func `a request gets the reply of the node that it is for`() async throws {
        try await self.withTwo { one, other in
            let cancel = other.subscribe(.node(self.node)) { body, reply in reply?(body.reversed()) }
            // The connection sends later messages after its subscription.
            _ = try? await other.request([], to: .all, timeout: Interval(seconds: 5))
            let reply = try await one.request([1, 2, 3], to: .node(self.node), timeout: Interval(seconds: 5))
            #expect(reply == [3, 2, 1])
            cancel()
        }
    }

    @Test func `a request without a subscriber fails at once`() async throws {
        try await self.withTwo { one, _ in
            await #expect(throws: BusError.noResponders) {
                try await one.request([1], to: .partition(Partition(7)), timeout: Interval(seconds: 60))
            }
        }
    }

    @Test func `a request without a reply ends when its time is over`() async throws {
        try await self.withTwo { one, _ in
            let cancel = one.subscribe(.partition(Partition(7))) { _, _ in }
            await #expect(throws: BusError.timeout) {
                try await one.request([1], to: .partition(Partition(7)), timeout: Interval(seconds: 0.05))
            }
            cancel()
        }
    }

    @Test func `a request under way can be made to end sooner, and others go on`() async throws {
        try await self.withTwo { one, _ in
            let (arrivals, continuation) = AsyncStream.makeStream(of: BusReply?.self)
            let cancelSilent = one.subscribe(.partition(Partition(7))) { _, reply in continuation.yield(reply) }
            let cancelSlow = one.subscribe(.partition(Partition(8))) { _, reply in continuation.yield(reply) }
            let patience = Interval(seconds: 600)
            let late = Task { try await one.request([1], to: .partition(Partition(7)), timeout: patience) }
            async let answered = one.request([2], to: .partition(Partition(8)), timeout: patience)
            var replies: [BusReply?] = []
            for await reply in arrivals.prefix(2) { replies.append(reply) }
            one.expireRequests(to: [.partition(Partition(7))], after: Interval(seconds: 0.05))
            await #expect(throws: BusError.timeout) { try await late.value }
            for reply in replies { reply?([3]) }
            let answer = try await answered
            #expect(answer == [3])
            cancelSilent()
            cancelSlow()
        }
    }

    @Test func `messages to all reach their sender too, in order`() async throws {
        try await self.withTwo { one, other in
            let (arrivals, continuation) = AsyncStream.makeStream(of: [UInt8].self)
            let cancel = one.subscribe(.all) { body, _ in continuation.yield(body) }
            for number in 0..<100 { one.publish([UInt8(number)], to: .all) }
            var received: [UInt8] = []
            for await body in arrivals.prefix(100) { received += body }
            #expect(received == Array(0..<100))
            cancel()
        }
    }

    @Test func `a message of the longest length arrives`() async throws {
        try await self.withTwo { one, _ in
            let cancel = one.subscribe(.node(self.node)) { body, reply in reply?(body) }
            let long = [UInt8](repeating: 7, count: one.limit.bytes)
            let reply = try await one.request(long, to: .node(self.node), timeout: Interval(seconds: 10))
            #expect(reply == long)
            cancel()
        }
    }
}
