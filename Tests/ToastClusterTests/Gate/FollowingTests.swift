import MicroHTTP
import Synchronization
import Testing
import ToastCore

@testable import ToastCluster
@testable import ToastHub

/// Listeners at nodes that do not own their channel.
@Suite(.serialized) struct FollowingTests {
    private func with(_ cluster: TestCluster, _ body: (TestCluster) async throws -> Void) async throws {
        await cluster.start()
        do { try await body(cluster) } catch {
            await cluster.stop()
            throw error
        }
        await cluster.stop()
    }

    @Test func anAudienceAtAnotherNodeStartsTheClockAndLapses() async throws {
        try await self.with(TestCluster()) { cluster in
            let owner = try #require(cluster.owner(of: "ops"))
            let follower = try #require(cluster.others(than: "ops").first)
            try await follower.publish("waits for an audience")
            #expect(try await owner.summary().presented == 0)
            let listener = try await follower.listen()
            #expect(await listener.next(2).map(\.type) == ["snapshot", "presented"])
            #expect(try await owner.summary().audience == [.sse: 1])
            cluster.kill(follower)
            let start = cluster.time.now
            try await cluster.wait { try await owner.summary().audience.isEmpty }
            #expect(try await owner.summary().audience.isEmpty)
            #expect((Interval(seconds: 3.4)...Interval(seconds: 5.1)).contains(cluster.time.now - start))
        }
    }

    @Test func anAudienceCountsFromTheTimeWhenItsMessageWasSent() async throws {
        try await self.with(TestCluster(2)) { cluster in
            let owner = try #require(cluster.owner(of: "ops"))
            let other = try #require(cluster.others(than: "ops").first)
            try await owner.publish("waits")
            var counts = ListenerCounts()
            counts.transports[Transport.sse.ordinal] = 1
            let entry = AudienceMessage.Entry(channel: TestNode.name("ops"), counts: counts, last: nil)
            func renew(late seconds: Double) async {
                let sent = Instant(nanoseconds: owner.hub.now.nanoseconds - Interval(seconds: seconds).nanoseconds)
                _ = await owner.cluster.renew(AudienceMessage(node: other.id, sent: sent, entries: [entry]))
            }
            await renew(late: 6)
            #expect(try await owner.summary().audience.isEmpty)
            let start = cluster.time.now
            await renew(late: 4)
            #expect(try await owner.summary().audience == [.sse: 1])
            try await cluster.wait { try await owner.summary().audience.isEmpty }
            #expect(cluster.time.now - start < Interval(seconds: 3))
        }
    }

    @Test func aNodeThatStoodStillTellsItsListenersAMomentLater() async throws {
        try await self.with(TestCluster()) { cluster in
            let owner = try #require(cluster.owner(of: "ops"))
            let follower = try #require(cluster.others(than: "ops").first)
            let listener = try await follower.listen()
            _ = await listener.next(1)
            follower.pause()
            try await cluster.wait { try await owner.summary().audience.isEmpty }
            let start = cluster.time.now
            follower.pause(false)
            try await cluster.wait { try await !owner.summary().audience.isEmpty }
            #expect((Membership.period...Interval(seconds: 3)).contains(cluster.time.now - start))
            withExtendedLifetime(listener) {}
        }
    }

    @Test func aNodeThatStoodStillTellsWhoHasLeftMeanwhile() async throws {
        try await self.with(TestCluster()) { cluster in
            let owner = try #require(cluster.owner(of: "ops"))
            let follower = try #require(cluster.others(than: "ops").first)
            let listener = try await follower.listen()
            _ = await listener.next(1)
            follower.pause()
            await cluster.time.pause(Interval(seconds: 1.5))
            listener.hangUp()
            follower.pause(false)
            let start = cluster.time.now
            try await cluster.wait { try await owner.summary().audience.isEmpty }
            #expect(cluster.time.now - start < Interval(seconds: 1))
        }
    }

    @Test func anOwnerThatStoodStillDecidesNothingBeforeItHasLookedAtItsAudience() async throws {
        try await self.with(TestCluster()) { cluster in
            let owner = try #require(cluster.owner(of: "ops"))
            owner.pause()
            await cluster.time.pause(Standstill.limit + Interval(seconds: 0.1))
            #expect(owner.cluster.owns(TestNode.name("ops")))
            #expect(!owner.cluster.serves(TestNode.name("ops")))
            owner.pause(false)
            await cluster.wait { owner.cluster.serves(TestNode.name("ops")) }
            #expect(owner.cluster.serves(TestNode.name("ops")))
        }
    }

    @Test func anAudienceThatLeavesIsGoneAtOnce() async throws {
        try await self.with(TestCluster()) { cluster in
            let owner = try #require(cluster.owner(of: "ops"))
            let follower = try #require(cluster.others(than: "ops").first)
            let listener = try await follower.listen()
            _ = await listener.next(1)
            #expect(try await owner.summary().audience == [.sse: 1])
            listener.hangUp()
            try await cluster.wait { try await owner.summary().audience.isEmpty }
            #expect(try await owner.summary().audience.isEmpty)
        }
    }

    @Test func anAudienceThatLeavesWhileItsChannelIsLoadedIsNotCounted() async throws {
        try await self.with(TestCluster(2)) { cluster in
            let owner = try #require(cluster.owner(of: "ops"))
            let other = try #require(cluster.others(than: "ops").first)
            var counts = ListenerCounts()
            counts.transports[Transport.sse.ordinal] = 1
            let channel = TestNode.name("ops")
            let attend = AttendMessage(node: other.id, channel: channel, counts: counts, cursor: nil, language: nil)
            _ = try await owner.cluster.join(attend)
            #expect(try await owner.summary().audience == [.sse: 1])
            try await owner.cluster.joinAndLoseAudience(attend)
            #expect(try await owner.summary().audience.isEmpty)
        }
    }

    @Test func aListenerIsNoAudienceWhileItsOwnerDoesNotAnswer() async throws {
        try await self.with(TestCluster(2)) { cluster in
            let owner = try #require(cluster.owner(of: "ops"))
            let follower = try #require(cluster.others(than: "ops").first)
            let lost = Atomic(0)
            let isOver = Atomic(false)
            cluster.network.drop { envelope in
                guard envelope.isReply, envelope.receiver == follower.id, !isOver.load(ordering: .relaxed),
                    case .reply(.answer(.opening)) = try? ClusterMessage.decode(envelope.body)
                else { return false }
                lost.add(1, ordering: .relaxed)
                return true
            }
            async let listener = follower.listen()
            await cluster.wait { lost.load(ordering: .relaxed) > 0 }
            #expect(try await owner.summary().audience == [.sse: 1])
            try await cluster.wait { try await owner.summary().audience.isEmpty }
            await cluster.wait { lost.load(ordering: .relaxed) > 1 }
            #expect(try await owner.summary().audience.isEmpty)
            isOver.store(true, ordering: .relaxed)
            #expect(try await listener.next(1).map(\.type) == ["snapshot"])
            try await cluster.wait { try await !owner.summary().audience.isEmpty }
            #expect(try await owner.summary().audience == [.sse: 1])
        }
    }

    @Test func aListenerThatLeftBeforeItsOwnerAnsweredIsNoAudience() async throws {
        try await self.with(TestCluster(2)) { cluster in
            let owner = try #require(cluster.owner(of: "ops"))
            let follower = try #require(cluster.others(than: "ops").first)
            try await owner.publish("waits for an audience")
            let lost = Atomic(0)
            cluster.network.drop { envelope in
                guard envelope.isReply, envelope.receiver == follower.id, lost.load(ordering: .relaxed) == 0,
                    case .reply(.answer(.opening)) = try? ClusterMessage.decode(envelope.body)
                else { return false }
                lost.add(1, ordering: .relaxed)
                return true
            }
            // It is seen to have left only when its owner answers.
            let request = StreamRequest(
                channels: [TestNode.name("ops")],
                isComposite: false,
                hasLeft: { lost.load(ordering: .relaxed) > 0 }
            )
            await #expect(throws: StreamError.channel(.listenerLeft)) {
                _ = try await follower.fanouts[1].openEventStream(request)
            }
            try await cluster.wait { try await owner.summary().audience.isEmpty }
            #expect(try await owner.summary().audience.isEmpty)
        }
    }

    @Test func aListenerThatLeftWhileItsNodeStoodStillIsNeverAudience() async throws {
        try await self.with(TestCluster(2)) { cluster in
            let owner = try #require(cluster.owner(of: "ops"))
            let follower = try #require(cluster.others(than: "ops").first)
            try await owner.publish("waits for an audience")
            let request = StreamRequest(channels: [TestNode.name("ops")], isComposite: false, hasLeft: { true })
            await #expect(throws: StreamError.channel(.listenerLeft)) {
                _ = try await follower.fanouts[1].openEventStream(request)
            }
            #expect(try await owner.summary().presented == 0)
        }
    }

    @Test func countsThatComeLateAreReplacedByLaterOnes() throws {
        var audience = RemoteAudience()
        var random = SplitMix64(seed: 1)
        let (id, name) = (NodeID(using: &random), TestNode.name("ops"))
        let node = audience.node(id) { RemoteNode(id: id) { _ in } }
        func counts(_ sequence: Int64, _ streams: Int) -> ListenerCounts {
            var counts = ListenerCounts()
            (counts.transports, counts.unseen, counts.sequence) = ([streams, 0, 0], 1, sequence)
            return counts
        }
        let early = counts(1, 3)
        #expect(node.current(early, in: name) == nil)
        for later in [counts(2, 0), early] { audience.renew(name, of: id, at: Instant(nanoseconds: 1), later) }
        #expect(node.current(early, in: name) == counts(2, 0))
        #expect(node.current(counts(3, 1), in: name) == counts(3, 1))
        audience.end(name, of: id)
        #expect(node.current(early, in: name) == nil)
    }

    @Test func aLostTailIsFoundByTheNextRenewal() async throws {
        try await self.with(TestCluster()) { cluster in
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
        try await self.with(TestCluster()) { cluster in
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

    @Test func aPublisherThatWaitsAtAnotherNodeIsAnswered() async throws {
        try await self.with(TestCluster()) { cluster in
            let asker = try #require(cluster.others(than: "ops").first)
            let toast = try #require(try await asker.publish("question").toasts.first)
            let pending = try await asker.fanouts[1].openOutcome(
                of: toast.id,
                in: TestNode.name("ops"),
                wait: Interval(seconds: 600),
                name: ""
            ) { toast, _ in MicroHTTP.Frame(Array((toast?.dismissReason?.rawValue ?? "unknown").utf8)) }
            let peer = try await asker.connect(pending)
            for node in cluster.nodes where node !== asker {
                try await node.perform(.dismiss(toast.id, .api))
            }
            #expect(await peer.all() == "api")
        }
    }

    @Test func aDrainedNodeHandsItsPartitionsOver() async throws {
        try await self.with(TestCluster()) { cluster in
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
        try await self.with(TestCluster()) { cluster in
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
        try await self.with(TestCluster(seed: 5)) { cluster in
            let paused = try #require(cluster.owner(of: "ops"))
            let others = cluster.others(than: "ops")
            let listener = try await paused.listen()
            _ = await listener.next(1)
            paused.pause()
            for other in others { cluster.network.cut(paused.id, other.id) }
            try await others[0].publish("meanwhile")
            // It does not know yet that its time is over, but its fence does.
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
        try await self.with(TestCluster()) { cluster in
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
        try await self.with(TestCluster()) { cluster in
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

extension ClusterNode {
    /// Serves a node that leaves meanwhile.
    ///
    /// Its message finds nobody to remove while the channel is loaded.
    fileprivate func joinAndLoseAudience(_ message: AttendMessage) async throws {
        let joining = Task.immediate { try await self.join(message) }
        self.audience.end(message.channel, of: message.node)
        _ = try await joining.value
    }
}
