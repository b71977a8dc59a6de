import EventLoop
import Testing
import ToastCore
import ToastHub

@testable import ToastCluster

/// What a node makes of an owner that answers nonsense, or not at all.
@Suite struct OwnerReplyTests {
    private static func message(_ request: ChannelRequest) -> OwnerMessage {
        .request(RequestMessage(channel: TestNode.name("ops"), request: request))
    }

    /// Runs a test with a node that owns nothing, and has not lost the log.
    private func withNode(
        _ bus: StubBus,
        _ time: ClusterTime,
        _ test: (ClusterNode) async throws -> Void
    ) async throws {
        let loop = try EventLoop(name: "node")
        defer { loop.stop() }
        let id = NodeID.random()
        let node = ClusterNode(
            id: id,
            loop: loop,
            bus: bus,
            seal: try .make(),
            pulses: MemoryPulses().log(of: id),
            timedChannels: { _ in [] },
            time: time
        )
        node.routes.confirm(stream: 0, sentAt: time.now())
        try await test(node)
    }

    @Test func aChangeWhoseReplyCannotBeReadIsUndecided() async throws {
        try await self.withNode(StubBus(reply: [1, 255]), SimulatedTime().time) { node in
            do {
                _ = try await node.carryOut(Self.message(.delete))
                Issue.record("The request has an answer.")
            } catch ChannelError.store(.undecided) {}
            do {
                _ = try await node.carryOut(Self.message(.read(.summary)))
                Issue.record("The question has an answer.")
            } catch ChannelError.store(.unavailable) {}
        }
    }

    @Test func aCancelledRequestIsNotRepeated() async throws {
        let time = SimulatedTime()
        try await self.withNode(StubBus(reply: nil), time.countingTime) { node in
            let request = Task {
                while !Task.isCancelled { await Task.yield() }
                return try await node.carryOut(Self.message(.delete))
            }
            request.cancel()
            do {
                _ = try await request.value
                Issue.record("The request has an answer.")
            } catch ChannelError.store(.unavailable) {}
        }
        #expect(time.pauseCount == 0)
    }
}

/// A bus on which every request gets the same reply; nil when no node is there.
private struct StubBus: Bus {
    let reply: [UInt8]?
    let limit = MessageLimit.standard

    func publish(_ body: [UInt8], to address: BusAddress) {}

    func request(_ body: [UInt8], to address: BusAddress, timeout: Interval) async throws(BusError) -> [UInt8] {
        guard let reply = self.reply else { throw .noResponders }
        return reply
    }

    func expireRequests(to addresses: [BusAddress], after time: Interval) {}

    func subscribe(
        _ address: BusAddress,
        _ handler: @escaping @Sendable ([UInt8], BusReply?) -> Void
    ) -> BusCancellation {
        {}
    }
}
