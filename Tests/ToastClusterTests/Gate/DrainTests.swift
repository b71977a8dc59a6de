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
}
