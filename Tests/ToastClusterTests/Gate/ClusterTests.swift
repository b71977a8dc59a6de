import Metrics
import Synchronization
import TestSupport
import Testing
import ToastCore
import ToastStore

@testable import ToastCluster
@testable import ToastHub

/// Several nodes with real hubs on one log.
@Suite(.serialized) struct ClusterTests {
    /// Checks that a listener got every event once and in order.
    private func checkOrder(_ events: [Listener.Received]) {
        let offsets = events.map(\.offset)
        #expect(offsets == (0..<Int64(offsets.count)).map { (offsets.first ?? 0) + $0 })
    }

    @Test func eachPartitionHasOneOwner() async throws {
        try await withCluster(TestCluster()) { cluster in
            let owned = cluster.nodes.map { $0.cluster.routes.owned }
            #expect(owned.reduce(0) { $0 + $1.count } == Partition.count)
            #expect(owned.allSatisfy { $0.count > 40 })
        }
    }

    @Test func nodesJoinAlthoughManyOthersHaveDied() async throws {
        let cluster = try TestCluster(2)
        var random = SplitMix64(seed: 9)
        for _ in 0...Membership.maximumPeers {
            let dead = NodeID(using: &random)
            _ = try await cluster.pulses[0].log(of: dead).open(dead)
        }
        try await withCluster(cluster) { cluster in
            #expect(cluster.nodes.reduce(0) { $0 + $1.cluster.routes.owned.count } == Partition.count)
        }
    }

    @Test(arguments: [0.0, 0.1])
    func whatIsPublishedOnOneNodeIsSeenOnAllInOrder(loss: Double) async throws {
        var timing = ClusterTiming()
        // Lost messages are sent again for so long that the test does not depend on luck.
        timing.repetition = Interval(seconds: 600)
        try await withCluster(TestCluster(seed: 7, timing: timing)) { cluster in
            let listeners = try await cluster.nodes.asyncMap { try await $0.listen() }
            for listener in listeners { #expect(await listener.next(1).map(\.type) == ["snapshot"]) }
            cluster.network.change(SimulatedNetwork.Weather(loss: loss))
            let messages = (1...20).map(String.init)
            for (index, message) in messages.enumerated() {
                try await cluster.nodes[index % 3].publish(message)
            }
            for listener in listeners {
                let events = await listener.next { $0.message == "20" && $0.type == "enqueued" }
                #expect(events.filter { $0.type == "enqueued" }.compactMap(\.message) == messages)
                self.checkOrder(events)
            }
        }
    }

    @Test func theOwnerLearnsOfALateChangeAlthoughMessagesAreLost() async throws {
        let store = MemoryStore()
        try await withCluster(TestCluster(2, store: store)) { cluster in
            let owner = try #require(cluster.owner(of: "ops"))
            let former = try #require(cluster.others(than: "ops").first)
            try await owner.publish("known")
            // As the former owner does whose append ends late.
            let late = Hub(loops: former.loops, store: store, clock: former.hub.clock)
            _ = try await late.perform(.publish(try TestNode.request("late")), on: TestNode.name("ops"))
            let lost = Mutex(0)
            cluster.network.drop { envelope in
                guard case .lateChange = try? ClusterMessage.decode(envelope.body) else { return false }
                return lost.withLock { count in
                    count += 1
                    return count <= 2
                }
            }
            await former.cluster.announceLateChange(of: TestNode.name("ops"))
            #expect(lost.withLock(\.self) == 3)
            await cluster.wait { (try? await owner.messages()) == ["known", "late"] }
            #expect(try await owner.messages() == ["known", "late"])
        }
    }

    @Test(arguments: [nil, "key"])
    func aRepeatedRequestIsCarriedOutOnce(key: String?) async throws {
        try await withCluster(TestCluster(2)) { cluster in
            let entry = try #require(cluster.others(than: "ops").first)
            let dropped = Mutex(0)
            // The owner publishes the toast, and its first two replies are lost.
            cluster.network.drop { envelope in
                guard envelope.isReply, envelope.receiver == entry.id,
                    case .reply(.answer(let answer)) = try? ClusterMessage.decode(envelope.body)
                else { return false }
                switch answer {
                case .published, .repeated: break
                default: return false
                }
                return dropped.withLock { dropped in
                    dropped += 1
                    return dropped <= 2
                }
            }
            switch try await entry.perform(.publish(TestNode.request("once", key: key))) {
            case .published(let publication): #expect(key == nil && publication.isNew && publication.known.isEmpty)
            case .repeated(let repetition): #expect(key != nil && repetition.answer == Array("once".utf8))
            default: Issue.record("The toast was not published.")
            }
            #expect(dropped.withLock { $0 } == 3)
            #expect(try await entry.messages() == ["once"])
        }
    }

    @Test func aRequestThatMayHaveBeenCarriedOutIsUndecided() async throws {
        try await withCluster(TestCluster(2)) { cluster in
            let entry = try #require(cluster.others(than: "ops").first)
            cluster.network.drop { envelope in
                guard envelope.isReply, envelope.receiver == entry.id else { return false }
                guard case .reply = try? ClusterMessage.decode(envelope.body) else { return false }
                return true
            }
            do {
                try await entry.publish("perhaps")
                Issue.record("The request has an answer.")
            } catch ChannelError.store(.undecided) {}
            do {
                _ = try await entry.summary()
                Issue.record("The question has an answer.")
            } catch ChannelError.store(.unavailable) {}
        }
    }

    @Test func aRepetitionThatIsRefusedMayHaveBeenCarriedOutBefore() async throws {
        try await withCluster(TestCluster(2)) { cluster in
            let owner = try #require(cluster.owner(of: "ops"))
            let entry = try #require(cluster.others(than: "ops").first)
            let toast = try #require(try await owner.publish("before").toasts.first)
            // The owner updates the toast and its replies are lost, until another client dismisses the toast.
            let lost = Mutex(0)
            let isOver = Atomic(false)
            cluster.network.drop { envelope in
                guard envelope.isReply, envelope.receiver == entry.id, !isOver.load(ordering: .relaxed),
                    case .reply(.answer(.toast)) = try? ClusterMessage.decode(envelope.body)
                else { return false }
                lost.withLock { $0 += 1 }
                return true
            }
            let patch = try ToastPatch(json: ["message": "after"])
            async let answer = entry.perform(.update(toast.id, patch))
            await cluster.wait { lost.withLock { $0 } > 0 }
            _ = try await owner.perform(.dismiss(toast.id, .api))
            isOver.store(true, ordering: .relaxed)
            do {
                _ = try await answer
                Issue.record("The request has an answer.")
            } catch ChannelError.store(.undecided) {}
        }
    }

    @Test func aNodeWithTooManyRequestsSaysSo() async throws {
        var timing = ClusterTiming()
        timing.requests = 0
        try await withCluster(TestCluster(2, timing: timing)) { cluster in
            let entry = try #require(cluster.others(than: "ops").first)
            await #expect(throws: ChannelError.self) { try await entry.publish("one too many") }
            let owner = try #require(cluster.owner(of: "ops"))
            #expect(owner.cluster.counters.overloads.value == 1)
            #expect(try await owner.messages() == [])
        }
    }

    @Test func streamsGoOnWhenTheOwnerIsKilled() async throws {
        try await withCluster(TestCluster(seed: 3)) { cluster in
            let owner = try #require(cluster.owner(of: "ops"))
            let others = cluster.others(than: "ops")
            let listeners = try await others.asyncMap { try await $0.listen() }
            for listener in listeners { _ = await listener.next(1) }
            try await others[0].publish("before")
            let start = cluster.time.now
            cluster.kill(owner)
            try await others[1].publish("after")
            #expect(cluster.time.now - start < Interval(seconds: 10))
            for listener in listeners {
                let events = await listener.next { $0.type == "enqueued" && $0.message == "after" }
                #expect(events.filter { $0.type == "enqueued" }.compactMap(\.message) == ["before", "after"])
                self.checkOrder(events)
            }
        }
    }

    @Test func aNewOwnerForgetsWhatItKnewBefore() async throws {
        try await withCluster(TestCluster(seed: 6)) { cluster in
            let owner = try #require(cluster.owner(of: "ops"))
            let others = cluster.others(than: "ops")
            try await owner.publish("one")
            // A request that was under way when its node lost the channel.
            for other in others {
                await #expect(throws: ChannelError.self) {
                    try await other.hub.performHere(.read(.summary), on: TestNode.name("ops"))
                }
            }
            try await owner.publish("two")
            cluster.kill(owner)
            for other in others { #expect(try await other.messages() == ["one", "two"]) }
        }
    }

    @Test func aNewOwnerIsToldWhatTheFormerOneStoresLate() async throws {
        let store = GatedStore(MemoryStore(), isImmediate: false)
        try await withCluster(TestCluster(2, seed: 3, store: store)) { cluster in
            let former = try #require(cluster.owner(of: "ops"))
            let new = try #require(cluster.others(than: "ops").first)
            try await former.publish("early")
            store.shut()
            async let late = former.publish("late")
            await store.arrival()
            // Its append goes on, but its beats stop, so the other node takes over and loads the channel.
            former.pause()
            await cluster.wait { new.cluster.serves(TestNode.name("ops")) }
            #expect(try await new.messages() == ["early"])
            store.open()
            _ = try await late
            try await cluster.wait { try await new.messages() == ["early", "late"] }
            #expect(try await new.messages() == ["early", "late"])
        }
    }

    @Test func aNewOwnerLoadsAChannelThatGetsADeadlineLate() async throws {
        let store = GatedStore(MemoryStore(), isImmediate: false)
        try await withCluster(TestCluster(2, seed: 3, store: store)) { cluster in
            let former = try #require(cluster.owner(of: "ops"))
            let new = try #require(cluster.others(than: "ops").first)
            let draft = try ToastDraft(json: ["message": "late", "expiresAfter": 600])
            store.shut()
            async let late = former.perform(.publish(PublishRequest([draft])))
            await store.arrival()
            former.pause()
            await cluster.wait { new.cluster.serves(TestNode.name("ops")) }
            // By then it has looked for channels with deadlines.
            await cluster.time.pause(Membership.period)
            #expect(new.loaded == 0)
            store.open()
            _ = try await late
            await cluster.wait { new.loaded == 1 }
            #expect(new.loaded == 1)
        }
    }

    @Test func aNodeThatIsGoneIsCountedNoLonger() async throws {
        try await withCluster(TestCluster(2)) { cluster in
            let peers = cluster.nodes[0].cluster.counters.peers
            await cluster.wait { peers.value == 1 }
            #expect(peers.value == 1)
            cluster.kill(cluster.nodes[1])
            await cluster.wait { peers.value == 0 }
            #expect(peers.value == 0)
        }
    }

    @Test func aPublishFindsOutThatTheOwnerIsGone() async throws {
        try await withCluster(TestCluster(seed: 5)) { cluster in
            let owner = try #require(cluster.owner(of: "ops"))
            let other = try #require(cluster.others(than: "ops").first)
            let start = cluster.time.now
            cluster.kill(owner)
            try await other.publish("after")
            #expect(cluster.time.now - start < Interval(seconds: 4.5))
        }
    }

    @Test func aRequestThatTheFormerOwnerLosesIsSentToTheNewOneSoon() async throws {
        try await withCluster(TestCluster()) { cluster in
            let owner = try #require(cluster.owner(of: "ops"))
            let entry = try #require(cluster.others(than: "ops").first)
            let lost = Atomic(false)
            cluster.network.drop { envelope in
                guard envelope.sender == entry.id, envelope.receiver == owner.id,
                    case .request = try? ClusterMessage.decode(envelope.body)
                else { return false }
                return !lost.exchange(true, ordering: .relaxed)
            }
            let start = cluster.time.now
            async let publication = entry.publish("once")
            await cluster.wait { lost.load(ordering: .relaxed) }
            await owner.cluster.drain()
            _ = try await publication
            #expect(cluster.time.now - start < Interval(seconds: 1))
            #expect(try await entry.messages() == ["once"])
        }
    }

    @Test func twoNodesThatBothBelieveToOwnAChannelKeepOneOrder() async throws {
        try await withCluster(TestCluster(2, isSplit: true)) { cluster in
            let (one, other) = (cluster.nodes[0], cluster.nodes[1])
            #expect(one.cluster.owns(TestNode.name("ops")) && other.cluster.owns(TestNode.name("ops")))
            let listeners = try await cluster.nodes.asyncMap { try await $0.listen() }
            for listener in listeners { _ = await listener.next(1) }
            for number in 1...10 {
                async let first = one.publish("one-\(number)")
                async let second = other.publish("other-\(number)")
                _ = try await (first, second)
            }
            // A node learns of the other's events when it appends next.
            try await one.publish("last")
            try await other.publish("last")
            try await one.publish("end")
            let seen = await listeners.asyncMap { listener in
                await listener.next { $0.type == "enqueued" && $0.message == "last" && $0.offset > 22 }
            }
            let messages = seen.map { $0.filter { $0.type == "enqueued" }.compactMap(\.message) }
            let expected = (1...10).flatMap { ["one-\($0)", "other-\($0)"] }
            for list in messages {
                #expect(Set(list).isSuperset(of: expected))
                #expect(list.count { expected.contains($0) } == expected.count)
            }
            let shared = min(messages[0].count, messages[1].count)
            #expect(messages[0].prefix(shared) == messages[1].prefix(shared))
            for events in seen {
                self.checkOrder(events)
            }
        }
    }
}

extension TestNode {
    /// The number of channels in memory.
    fileprivate var loaded: Int { self.hub.channelMeters.reduce(0) { $0 + $1.loaded.value } }
}

extension Sequence {
    /// Maps one element after the other.
    func asyncMap<Result>(_ transform: (Element) async throws -> Result) async rethrows -> [Result] {
        var results: [Result] = []
        for element in self { results.append(try await transform(element)) }
        return results
    }
}
