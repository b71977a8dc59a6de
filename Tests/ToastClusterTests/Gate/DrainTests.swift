import EventLoop
import Synchronization
import TestSupport
import Testing
import ToastCore
import ToastHub
import ToastStore

@testable import ToastCluster

@Suite struct DrainTests {
    @Test func whenAllNodesStopTogetherARequestFailsAtOnce() async throws {
        try await withCluster(TestCluster()) { cluster in
            for node in cluster.nodes {
                node.hub.announceDrain()
                await node.cluster.drain()
            }
            await cluster.wait { cluster.nodes.allSatisfy { $0.cluster.isLast(of: Partition(0)) } }
            let start = cluster.time.now
            await #expect(throws: ChannelError.self) { try await cluster.nodes[0].publish("late") }
            await #expect(throws: StoreError.self) { try await cluster.nodes[0].cluster.channels(after: nil, limit: 1) }
            #expect(cluster.time.now - start < Interval(seconds: 1))
        }
    }

    @Test func aRequestThatDoesNotEndDelaysADrainOnlyForAWhile() async throws {
        let store = GatedStore(MemoryStore(), isImmediate: false)
        try await withCluster(TestCluster(2, seed: 3, store: store)) { cluster in
            let owner = try #require(cluster.owner(of: "ops"))
            let entry = try #require(cluster.others(than: "ops").first)
            try await entry.publish("early")
            store.shut()
            async let late = entry.publish("late")
            await store.arrival()
            let start = cluster.time.now
            await owner.cluster.drain()
            #expect((Interval(seconds: 9)..<Interval(seconds: 11)).contains(cluster.time.now - start))
            store.open()
            _ = try? await late
        }
    }

    @Test(.timeLimit(.minutes(5))) func aNodeThatStopsWhileItsPulseIsBeingOpenedClosesIt() async throws {
        let time = SimulatedTime()
        let pulses = SlowPulses()
        let node = try self.node(pulses, time, time.time)
        await pulses.gate.lock()
        await node.cluster.start(node.hub)
        let hasStopped = Atomic(false)
        Task {
            await node.cluster.stop()
            hasStopped.store(true, ordering: .relaxed)
        }
        while node.cluster.hub != nil { try await Task.sleep(for: .milliseconds(1)) }
        // Time enough to close what is not open yet.
        for _ in 0..<10 { await node.loops[0].pass() }
        pulses.gate.unlock()
        while pulses.openings.load(ordering: .relaxed) == 0 { try await Task.sleep(for: .milliseconds(1)) }
        while !hasStopped.load(ordering: .relaxed) {
            try Task.checkCancellation()
            time.advance(by: Interval(seconds: 0.1))
            await node.loops[0].pass()
        }
        let isOpen = pulses.isOpen.load(ordering: .relaxed)
        #expect(!isOpen)
        for loop in node.loops { loop.stop() }
    }

    /// A pause in a cancelled task is none, so a loop of pauses would take the processor's time for seconds.
    @Test(.timeLimit(.minutes(5))) func aCancelledTaskPausesNeitherInADrainNorInAStop() async throws {
        let time = SimulatedTime()
        let pulses = SlowPulses()
        let node = try self.node(pulses, time, time.countingTime)
        await pulses.gate.lock()
        await node.cluster.start(node.hub)
        // A request of another node that never ends.
        #expect(await node.cluster.beginRequest())
        let stopping = Task {
            while !Task.isCancelled { await Task.yield() }
            await node.cluster.drain()
            await node.cluster.stop()
        }
        stopping.cancel()
        await stopping.value
        #expect(time.pauseCount == 0)
        pulses.gate.unlock()
        while pulses.openings.load(ordering: .relaxed) == 0 { try await Task.sleep(for: .milliseconds(1)) }
        for _ in 0..<10 { await node.loops[0].pass() }
        for loop in node.loops { loop.stop() }
    }

    /// A node that is alone on its network.
    private func node(_ pulses: SlowPulses, _ time: SimulatedTime, _ clock: ClusterTime) throws -> TestNode {
        let id = NodeID.random()
        return try TestNode(
            id: id,
            name: "node",
            bus: SimulatedBus(node: id, network: SimulatedNetwork(time: time, seed: 1)),
            pulses: pulses,
            time: clock,
            lag: .zero,
            timing: ClusterTiming(),
            store: MemoryStore()
        )
    }
}

/// The pulse of one node, which is open once a test frees a lock.
private final class SlowPulses: PulseLog {
    let streams = 4
    let gate = TaskLock()
    let isOpen = Atomic(false)
    let openings = Atomic(0)

    func open(_ node: NodeID) async throws(StoreError) -> [NodeID] {
        await self.gate.lock()
        self.isOpen.store(true, ordering: .relaxed)
        self.openings.add(1, ordering: .relaxed)
        self.gate.unlock()
        return []
    }

    func pulse(_ node: NodeID, stream: Int) async throws(StoreError) -> Bool { true }

    func close(_ node: NodeID) async throws(StoreError) { self.isOpen.store(false, ordering: .relaxed) }

    func answer(_ check: SilenceCheck) async throws(StoreError) -> SilenceCheck.Answer { .closed }
}
