import TestSupport
import Testing
import ToastCore

@testable import ToastCluster

@Suite struct MembershipTests {
    private let ids: [NodeID]
    private var first: Membership
    private var second: Membership

    init() {
        var random = SplitMix64(seed: 11)
        self.ids = (0..<3).map { _ in NodeID(using: &random) }
        (self.first, self.second) = (Membership(node: self.ids[0]), Membership(node: self.ids[1]))
    }

    private static let mark: PulseMark = [1, 2, 3, 4]

    private static func at(_ seconds: Double) -> Instant { Instant(nanoseconds: 0) + Interval(seconds: seconds) }

    /// The first node owns everything from 1 s on; the second has begun, and is a candidate from 11 s on.
    private mutating func start() {
        #expect(self.first.begin(besides: [self.ids[0]], at: Self.at(0)) == true)
        _ = self.first.advance(at: Self.at(1))
        #expect(self.second.begin(besides: self.ids.prefix(2), at: Self.at(10)) == true)
        self.second.hear(self.ids[0], self.first.makeClaim(), at: Self.at(10.2))
        _ = self.second.advance(at: Self.at(11))
    }

    /// Both are candidates and have conceded.
    private mutating func settle() {
        self.start()
        self.first.hear(self.ids[1], self.second.makeClaim(), at: Self.at(11))
        self.second.hear(self.ids[0], self.first.makeClaim(), at: Self.at(11))
    }

    @Test mutating func `the first node listens for a heartbeat and a bit, and then owns everything`() {
        #expect(self.first.advance(at: Self.at(0)).isEmpty)
        #expect(self.first.begin(besides: [], at: Self.at(1)) == true)
        _ = self.first.advance(at: Self.at(1.7))
        #expect(self.first.owned.isEmpty && !self.first.hasNews)
        _ = self.first.advance(at: Self.at(1.75))
        #expect(self.first.owned.count == Partition.count)
        #expect(self.first.hasNews)
        #expect(self.first.makeClaim() == OwnershipClaim(beat: 1, candidacy: 1, concessions: [:]))
        #expect(!self.first.hasNews)
    }

    @Test mutating func `a node that joins owns its share when the others have conceded it`() {
        self.start()
        #expect(self.second.owned.isEmpty)
        self.first.hear(self.ids[1], self.second.makeClaim(), at: Self.at(11))
        #expect(self.first.hasNews)
        #expect((100...156).contains(self.first.owned.count))
        #expect(self.second.owned.isEmpty)
        self.second.hear(self.ids[0], self.first.makeClaim(), at: Self.at(11))
        #expect(self.second.owned == PartitionSet(Partition.all).subtracting(self.first.owned))
        #expect(self.second.ownership == self.first.ownership)
    }

    @Test mutating func `a node that starts waits for those in the log that it has not heard`() {
        #expect(self.first.begin(besides: [self.ids[2]], at: Self.at(0)) == true)
        #expect(self.first.advance(at: Self.at(1)).isEmpty)
        #expect(self.first.advance(at: Self.at(1.5)).map(\.question) == [.read])
        #expect(self.first.owned.isEmpty && self.first.makeClaim().candidacy == nil)
    }

    @Test mutating func `a concession to an earlier candidacy is worth nothing`() {
        self.settle()
        let old = self.first.makeClaim()
        self.second.allowOwning(false)
        #expect(self.second.owned.isEmpty && self.second.hasNews)
        self.second.allowOwning(true)
        _ = self.second.advance(at: Self.at(12))
        self.second.hear(self.ids[0], old, at: Self.at(12))
        #expect(self.second.owned.isEmpty)
        self.first.hear(self.ids[1], self.second.makeClaim(), at: Self.at(12))
        self.second.hear(self.ids[0], self.first.makeClaim(), at: Self.at(12))
        #expect(!self.second.owned.isEmpty)
    }

    @Test mutating func `a node that drains is replaced as soon as it is heard`() {
        self.settle()
        self.first.allowOwning(false)
        #expect(self.first.owned.isEmpty)
        self.second.hear(self.ids[0], self.first.makeClaim(), at: Self.at(11.1))
        #expect(self.second.owned.count == Partition.count)
    }

    @Test mutating func `a heartbeat that was overtaken is ignored`() {
        self.settle()
        let old = self.first.makeClaim()
        self.first.allowOwning(false)
        self.second.hear(self.ids[0], self.first.makeClaim(), at: Self.at(11.1))
        self.second.hear(self.ids[0], old, at: Self.at(11.2))
        #expect(self.second.owned.count == Partition.count)
    }

    @Test mutating func `a silent node's pulse is read, and closed after five seconds of silence`() throws {
        self.settle()
        #expect(self.second.advance(at: Self.at(12.4)).isEmpty)
        let read = try #require(self.second.advance(at: Self.at(12.5)).first)
        #expect(read.node == self.ids[0] && read.question == .read)
        self.second.note(.open(Self.mark), of: read, at: Self.at(12.5))
        #expect(self.second.advance(at: Self.at(15.9)).isEmpty)
        let close = try #require(self.second.advance(at: Self.at(16)).first)
        #expect(close.question == .close(Self.mark))
        #expect(self.second.owned.count < Partition.count)
        self.second.note(.closed, of: close, at: Self.at(16.1))
        #expect(self.second.owned.count == Partition.count)
        #expect(self.second.peers.isEmpty)
    }

    @Test mutating func `a node that cannot be heard but writes to the log stays the owner`() throws {
        self.settle()
        let read = try #require(self.second.advance(at: Self.at(12.5)).first)
        self.second.note(.open(Self.mark), of: read, at: Self.at(12.5))
        let close = try #require(self.second.advance(at: Self.at(16)).first)
        let next: PulseMark = [5, 6, 7, 8]
        self.second.note(.open(next), of: close, at: Self.at(16))
        #expect(self.second.owned.count < Partition.count)
        #expect(self.second.advance(at: Self.at(19.4)).isEmpty)
        #expect(self.second.advance(at: Self.at(19.5)).map(\.question) == [.close(next)])
    }

    @Test mutating func `an answer that is older than the last heartbeat says nothing`() throws {
        self.settle()
        let read = try #require(self.second.advance(at: Self.at(12.5)).first)
        self.second.hear(self.ids[0], self.first.makeClaim(), at: Self.at(12.6))
        self.second.note(.closed, of: read, at: Self.at(12.7))
        #expect(Array(self.second.peers.keys) == [self.ids[0]])
        #expect(self.second.owned.count < Partition.count)
    }

    @Test mutating func `a node whose address has no reader is checked at once, but keeps its time`() throws {
        self.settle()
        self.second.noteUnreachable(self.ids[0])
        let read = try #require(self.second.advance(at: Self.at(11.1)).first)
        self.second.note(.open(Self.mark), of: read, at: Self.at(11.1))
        #expect(self.second.advance(at: Self.at(14.5)).isEmpty)
        #expect(self.second.advance(at: Self.at(14.6)).map(\.question) == [.close(Self.mark)])
    }

    @Test mutating func `a node whose own pulse was closed owns nothing until it has begun again`() {
        self.settle()
        self.second.end()
        #expect(self.second.owned.isEmpty)
        #expect(self.second.advance(at: Self.at(20)).isEmpty)
        #expect(self.second.makeClaim().candidacy == nil)
        #expect(self.second.begin(besides: [self.ids[0]], at: Self.at(20)) == true)
        _ = self.second.advance(at: Self.at(21))
        #expect(self.second.makeClaim().candidacy == nil)
        self.second.hear(self.ids[0], self.first.makeClaim(), at: Self.at(21))
        _ = self.second.advance(at: Self.at(21))
        #expect(self.second.makeClaim().candidacy == 2)
        #expect(self.second.owned.isEmpty)
    }

    @Test mutating func `a node hears no more peers than it can remember, and concedes nothing to others`() {
        var random = SplitMix64(seed: 5)
        let many = (0...Membership.maximumPeers).map { _ in NodeID(using: &random) }
        #expect(self.second.begin(besides: many, at: Self.at(0)) == false)
        #expect(self.first.begin(besides: [], at: Self.at(0)) == true)
        for id in many {
            self.first.hear(id, OwnershipClaim(beat: 1, candidacy: 1, concessions: [:]), at: Self.at(0))
        }
        #expect(self.first.peers.count == Membership.maximumPeers)
        #expect(self.first.makeClaim().concessions[many[Membership.maximumPeers]] == nil)
    }

    @Test mutating func `a node that finds too many pulses has those of dead nodes closed, and then begins`() {
        var random = SplitMix64(seed: 5)
        let dead = (0...Membership.maximumPeers).map { _ in NodeID(using: &random) }
        for seconds in [0.0, 1.0] { #expect(self.first.begin(besides: dead, at: Self.at(seconds)) == false) }
        let reads = self.first.advance(at: Self.at(1.5))
        #expect(reads.count == Membership.maximumPeers && reads.allSatisfy { $0.question == .read })
        for read in reads { self.first.note(.open(Self.mark), of: read, at: Self.at(1.5)) }
        #expect(self.first.advance(at: Self.at(4.9)).isEmpty)
        let closings = self.first.advance(at: Self.at(5))
        #expect(closings.map(\.node) == reads.map(\.node))
        #expect(closings.allSatisfy { $0.question == .close(Self.mark) })
        for closing in closings { self.first.note(.closed, of: closing, at: Self.at(5)) }
        #expect(self.first.owned.isEmpty)
        let rest = Set(dead).subtracting(closings.map(\.node))
        #expect(self.first.begin(besides: rest, at: Self.at(5.5)) == true)
        #expect(Set(self.first.peers.keys) == rest)
    }
}
