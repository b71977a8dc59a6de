import MicroHTTP
import Synchronization
import TestSupport
import Testing
import ToastCore

@testable import ToastCluster
@testable import ToastHub
@testable import ToastStore

/// Listeners at nodes that do not own their channel.
@Suite(.serialized) struct FollowingTests {
    @Test func aLostTailIsFoundByTheNextRenewal() async throws {
        try await withCluster(TestCluster()) { cluster in
            let follower = try #require(cluster.others(than: "ops").first)
            let owner = try #require(cluster.owner(of: "ops"))
            let listener = try await follower.listen()
            _ = await listener.next(1)
            cluster.network.drop { envelope in
                guard !envelope.isReply, envelope.receiver == follower.id else { return false }
                switch try? ClusterMessage.decode(envelope.body) {
                case .events, .bundle: return true
                default: return false
                }
            }
            let start = cluster.time.now
            try await owner.publish("lost on its way")
            #expect(await listener.next(2).map(\.type) == ["enqueued", "presented"])
            #expect(cluster.time.now - start < Interval(seconds: 3))
        }
    }

    @Test func aDeletedChannelRestartsAtAllNodes() async throws {
        try await withCluster(TestCluster()) { cluster in
            let listeners = try await cluster.nodes.asyncMap { try await $0.listen() }
            try await cluster.nodes[0].publish("old")
            for listener in listeners { _ = await listener.next { $0.type == "presented" } }
            try await cluster.nodes[1].perform(.delete)
            for listener in listeners {
                let snapshot = await listener.next { $0.type == "snapshot" }.last
                #expect(snapshot?.data.object?["reset"]?.bool == true)
            }
            try await cluster.nodes[2].publish("new")
            for listener in listeners {
                #expect(await listener.next { $0.type == "enqueued" }.last?.message == "new")
            }
        }
    }

    @Test(arguments: [false, true])
    func listenersBeginAnewWhenTheLogHasLostItsEnd(isOwnerNew: Bool) async throws {
        let store = MemoryStore()
        try await withCluster(TestCluster(2, store: store)) { cluster in
            let (name, saved) = (TestNode.name("ops"), TestNode.name("saved"))
            let owner = try #require(cluster.owner(of: "ops"))
            let follower = try #require(cluster.others(than: "ops").first)
            let listener = try await follower.listen()
            try await owner.publish("kept")
            _ = await listener.next { $0.type == "presented" }
            store.replace(saved, by: name)
            for message in ["lost", "lost too"] { try await owner.publish(message) }
            _ = await listener.next { $0.message == "lost too" }
            store.replace(name, by: saved)
            if isOwnerNew {
                // A new owner has never known the lost events.
                #expect(await owner.hub.release(where: { $0 == name }) == 0)
            } else {
                // Its append fails, so the owner loads the channel again.
                try await owner.publish("new")
            }
            let snapshot = await listener.next { $0.type == "snapshot" }.last
            #expect(snapshot?.data.object?["reset"]?.bool == true)
            try await owner.publish("next")
            #expect(await listener.next { $0.message == "next" }.last?.type == "enqueued")
        }
    }

    @Test func aPublisherThatWaitsAtAnotherNodeIsAnswered() async throws {
        try await withCluster(TestCluster()) { cluster in
            let asker = try #require(cluster.others(than: "ops").first)
            let toast = try #require(try await asker.publish("question").toasts.first)
            let pending = try await asker.fanouts[1].openOutcome(
                of: toast.id,
                in: TestNode.name("ops"),
                wait: Interval(seconds: 600),
                requestID: ""
            ) { toast, _ in
                guard case .known(let toast) = toast else { return Frame(Array("unknown".utf8)) }
                return Frame(Array((toast.dismissReason?.rawValue ?? "lives").utf8))
            }
            let peer = try await asker.connect(pending)
            for node in cluster.nodes where node !== asker {
                try await node.perform(.dismiss(toast.id, .api))
            }
            #expect(await peer.all() == "api")
        }
    }

    @Test func aDrainedNodeHandsItsPartitionsOver() async throws {
        try await withCluster(TestCluster()) { cluster in
            let owner = try #require(cluster.owner(of: "ops"))
            let others = cluster.others(than: "ops")
            let listener = try await owner.listen()
            _ = await listener.next(1)
            try await others[0].publish("before")
            let start = cluster.time.now
            await owner.cluster.drain()
            #expect(owner.cluster.routes.owned.isEmpty)
            try await owner.publish("after")
            #expect(cluster.time.now - start < Interval(seconds: 1))
            #expect(cluster.others(than: "ops").count == 2)
            let events = await listener.next { $0.type == "enqueued" && $0.message == "after" }
            #expect(events.filter { $0.type == "enqueued" }.compactMap(\.message) == ["before", "after"])
        }
    }

    @Test func aNodeWithoutTheLogRefusesAndItsStreamsGoOnLater() async throws {
        try await withCluster(TestCluster()) { cluster in
            let lost = try #require(cluster.owner(of: "ops"))
            let others = cluster.others(than: "ops")
            let listener = try await lost.listen()
            _ = await listener.next(1)
            let start = cluster.time.now
            for other in others { cluster.network.cut(lost.id, other.id) }
            cluster.pulses[0].cut(lost.id)
            await cluster.wait { (try? await lost.summary()) == nil }
            #expect(cluster.time.now - start < Interval(seconds: 3.1))
            try await others[0].publish("while it was away")
            for other in others { cluster.network.cut(lost.id, other.id, false) }
            cluster.pulses[0].cut(lost.id, false)
            let events = await listener.next { $0.type == "enqueued" }
            #expect(events.last?.message == "while it was away")
            #expect(try await lost.messages() == ["while it was away"])
        }
    }

    @Test func aPausedOwnerDecidesNothingAndCatchesUp() async throws {
        try await withCluster(TestCluster(seed: 5)) { cluster in
            let paused = try #require(cluster.owner(of: "ops"))
            let others = cluster.others(than: "ops")
            let listener = try await paused.listen()
            _ = await listener.next(1)
            paused.pause()
            for other in others { cluster.network.cut(paused.id, other.id) }
            try await others[0].publish("meanwhile")
            // The node still believes that it is the owner, but its fence has shut.
            #expect(paused.cluster.owns(TestNode.name("ops")))
            await #expect(throws: ChannelError.self) { try await paused.summary() }
            for other in others { cluster.network.cut(paused.id, other.id, false) }
            paused.pause(false)
            #expect(await listener.next { $0.type == "enqueued" }.last?.message == "meanwhile")
            try await paused.publish("later")
            #expect(await listener.next { $0.type == "enqueued" }.last?.message == "later")
            #expect(try await others[1].messages() == ["meanwhile", "later"])
        }
    }

    @Test func aHoldAtOneNodeIsSeenAtAllAndEndsAtAnyOther() async throws {
        try await withCluster(TestCluster()) { cluster in
            let listeners = try await cluster.nodes.asyncMap { try await $0.listen() }
            let toast = try #require(try await cluster.nodes[0].publish("held").toasts.first)
            for listener in listeners { _ = await listener.next { $0.type == "presented" } }
            let lease = Interval(seconds: 30)
            try await cluster.nodes[1].perform(.hold(toast.id, holder: "reader", lease: lease))
            try await cluster.nodes[2].perform(.release(toast.id, holder: "reader"))
            for listener in listeners { #expect(await listener.next(2).map(\.type) == ["held", "released"]) }
        }
    }

    @Test func aListenerResumesByItsCursorAtAnotherNode() async throws {
        try await withCluster(TestCluster()) { cluster in
            let first = try await cluster.nodes[0].listen()
            try await cluster.nodes[1].publish("one")
            let last = await first.next { $0.type == "presented" }.last
            first.hangUp()
            try await cluster.nodes[1].publish("two")
            let second = try await cluster.nodes[2].listen(since: last?.id)
            #expect(await second.next(2).map(\.type) == ["resumed", "enqueued"])
        }
    }
}

extension MemoryStore {
    /// Replaces a channel's stored data by that of another channel.
    fileprivate func replace(_ name: ChannelName, by other: ChannelName) {
        self.state.withLock { $0.channels[name] = $0.channels[other] }
    }
}
