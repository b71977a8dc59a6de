import Synchronization
import TestSupport
import Testing
import ToastCore

@testable import ToastCluster
@testable import ToastHub

/// The audience of channels with listeners at nodes that do not own them.
@Suite(.serialized) struct ClusterAudienceTests {
    @Test func anAudienceAtAnotherNodeStartsTheClockAndLapses() async throws {
        try await withCluster(TestCluster()) { cluster in
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
        try await withCluster(TestCluster(2)) { cluster in
            let owner = try #require(cluster.owner(of: "ops"))
            let other = try #require(cluster.others(than: "ops").first)
            try await owner.publish("waits")
            var counts = ListenerCounts()
            counts.transports[Transport.sse.ordinal] = 1
            let entry = AudienceMessage.Entry(channel: TestNode.name("ops"), counts: counts, last: nil)
            func renew(late seconds: Double) async {
                let sent = Instant(nanoseconds: owner.hub.now.nanoseconds - Interval(seconds: seconds).nanoseconds)
                _ = await owner.cluster.renewAudience(AudienceMessage(node: other.id, sent: sent, entries: [entry]))
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

    @Test func theAudienceOfANodeWithAWrongClockCounts() async throws {
        try await withCluster(TestCluster(2, lag: Interval(seconds: 10))) { cluster in
            let (owner, follower) = (cluster.nodes[0], cluster.nodes[1])
            await follower.cluster.note(isClockRight: false)
            await cluster.wait { owner.cluster.serves(TestNode.name("ops")) }
            let listener = try await follower.listen()
            #expect(await listener.next(1).map(\.type) == ["snapshot"])
            // By then the attendance would have lapsed without its renewals.
            await cluster.time.pause(Interval(seconds: 6))
            #expect(try await owner.summary().audience == [.sse: 1])
            try await owner.publish("new")
            #expect(await listener.next(2).map(\.type) == ["enqueued", "presented"])
        }
    }

    @Test func aNodeThatStoodStillTellsItsListenersAMomentLater() async throws {
        try await withCluster(TestCluster()) { cluster in
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
        try await withCluster(TestCluster()) { cluster in
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
        try await withCluster(TestCluster()) { cluster in
            let owner = try #require(cluster.owner(of: "ops"))
            owner.pause()
            await cluster.time.pause(RouteTable.standstill + Interval(seconds: 0.1))
            #expect(owner.cluster.owns(TestNode.name("ops")))
            #expect(!owner.cluster.serves(TestNode.name("ops")))
            owner.pause(false)
            await cluster.wait { owner.cluster.serves(TestNode.name("ops")) }
            #expect(owner.cluster.serves(TestNode.name("ops")))
        }
    }

    @Test func anAudienceThatLeavesIsGoneAtOnce() async throws {
        try await withCluster(TestCluster()) { cluster in
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
        try await withCluster(TestCluster(2)) { cluster in
            let owner = try #require(cluster.owner(of: "ops"))
            let other = try #require(cluster.others(than: "ops").first)
            var counts = ListenerCounts()
            counts.transports[Transport.sse.ordinal] = 1
            let channel = TestNode.name("ops")
            let attend = AttendMessage(node: other.id, channel: channel, counts: counts, cursor: nil, language: nil)
            _ = try await owner.cluster.attend(attend)
            #expect(try await owner.summary().audience == [.sse: 1])
            try await owner.cluster.attendAndLoseAudience(attend)
            #expect(try await owner.summary().audience.isEmpty)
        }
    }

    @Test func aListenerIsNoAudienceWhileItsOwnerDoesNotAnswer() async throws {
        try await withCluster(TestCluster(2)) { cluster in
            let owner = try #require(cluster.owner(of: "ops"))
            let follower = try #require(cluster.others(than: "ops").first)
            let openings = LostOpenings(of: follower, in: cluster, .max)
            async let listener = follower.listen()
            await cluster.wait { openings.count > 0 }
            #expect(try await owner.summary().audience == [.sse: 1])
            try await cluster.wait { try await owner.summary().audience.isEmpty }
            await cluster.wait { openings.count > 1 }
            #expect(try await owner.summary().audience.isEmpty)
            openings.end()
            #expect(try await listener.next(1).map(\.type) == ["snapshot"])
            try await cluster.wait { try await !owner.summary().audience.isEmpty }
            #expect(try await owner.summary().audience == [.sse: 1])
        }
    }

    @Test func aListenerThatLeftBeforeItsOwnerAnsweredIsNoAudience() async throws {
        try await withCluster(TestCluster(2)) { cluster in
            let owner = try #require(cluster.owner(of: "ops"))
            let follower = try #require(cluster.others(than: "ops").first)
            try await owner.publish("waits for an audience")
            let openings = LostOpenings(of: follower, in: cluster, 1)
            // The listener counts as gone only when the owner answers.
            let request = StreamRequest(
                channels: [TestNode.name("ops")],
                isComposite: false,
                hasLeft: { openings.count > 0 }
            )
            await #expect(throws: StreamError.channel(.listenerLeft)) {
                _ = try await follower.fanouts[1].openEventStream(request)
            }
            try await cluster.wait { try await owner.summary().audience.isEmpty }
            #expect(try await owner.summary().audience.isEmpty)
        }
    }

    @Test func aListenerThatLeftWhileItsNodeStoodStillIsNeverAudience() async throws {
        try await withCluster(TestCluster(2)) { cluster in
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
        let node = audience.node(id) { FollowingNode(id: id) { _ in } }
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
}

/// Openings that get lost on their way to the listener's node.
private final class LostOpenings: Sendable {
    private let lost = Atomic(0)
    private let limit: Atomic<Int>

    /// Loses openings until their number is the limit.
    init(of node: TestNode, in cluster: TestCluster, _ limit: Int) {
        self.limit = Atomic(limit)
        cluster.network.drop { envelope in
            guard envelope.isReply, envelope.receiver == node.id, self.count < self.limit.load(ordering: .relaxed),
                case .reply(.answer(.opening)) = try? ClusterMessage.decode(envelope.body)
            else { return false }
            self.lost.add(1, ordering: .relaxed)
            return true
        }
    }

    /// The number of lost openings.
    var count: Int { self.lost.load(ordering: .relaxed) }

    /// Loses no more openings.
    func end() { self.limit.store(0, ordering: .relaxed) }
}

extension ClusterNode {
    /// Attends for a node that ends its audience at the same time.
    ///
    /// The channel is still being loaded, so there is no audience to remove yet.
    fileprivate func attendAndLoseAudience(_ message: AttendMessage) async throws {
        let attending = Task.immediate { try await self.attend(message) }
        self.audience.end(message.channel, of: message.node)
        _ = try await attending.value
    }
}
