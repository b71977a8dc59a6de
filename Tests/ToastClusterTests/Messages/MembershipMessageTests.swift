import Testing
import ToastCore
import ToastHub

@testable import ToastCluster

@Suite struct MembershipMessageTests {
    private func counts(_ generator: inout Generator) -> ListenerCounts {
        var counts = ListenerCounts()
        counts.transports = Transport.allCases.map { _ in generator.chance(50) ? generator.number(1...1_000_000) : 0 }
        counts.unseen = generator.chance(50) ? generator.number(1...1_000_000) : 0
        counts.isAssistive = generator.chance(50)
        counts.scale = generator.one(of: [1, 1.25, 10])
        counts.sequence = Int64(generator.number(0...1_000_000))
        return counts
    }

    private func entry(_ generator: inout Generator) throws -> AudienceMessage.Entry {
        AudienceMessage.Entry(
            channel: try generator.channel(),
            counts: self.counts(&generator),
            last: generator.maybe { $0.offset() }
        )
    }

    @Test(arguments: 0..<40 as Range<UInt64>) func whatNodesSayOfThemselvesArrivesAsItWas(seed: UInt64) throws {
        var generator = Generator(seed: seed)
        let node = NodeID(using: &generator.random)
        var attend = AttendMessage(
            node: node,
            channel: try generator.channel(),
            counts: self.counts(&generator),
            cursor: try generator.maybe { try $0.cursor() },
            language: try generator.maybe { try $0.language() }
        )
        attend.sent = generator.maybe { $0.instant() }
        let audience = AudienceMessage(
            node: node,
            sent: generator.instant(),
            entries: try generator.list(upTo: 4) { try self.entry(&$0) }
        )
        let reply = AudienceReply(
            entries: try generator.list(upTo: 4) { generator in
                AudienceReply.Entry(channel: try generator.channel(), last: generator.offset())
            }
        )
        let heartbeat = Heartbeat(
            node: node,
            version: generator.text(),
            instant: generator.instant(),
            claim: OwnershipClaim(
                beat: UInt64(generator.number(0...1_000_000)),
                candidacy: generator.maybe { UInt64($0.number(0...9)) },
                concessions: [NodeID(using: &generator.random): 7]
            )
        )
        let bundle = [attend.encoded(), heartbeat.encoded()]
        let messages: [(ClusterMessage, bytes: [UInt8])] = [
            (.attend(attend), attend.encoded()), (.audience(audience), audience.encoded()),
            (.audienceReply(reply), reply.encoded()), (.heartbeat(heartbeat), heartbeat.encoded()),
            (.bundle(bundle), MessageBundle.encode(bundle)),
        ]
        for (message, bytes) in messages {
            #expect(try exact(ClusterMessage.decode(bytes)) == exact(message))
        }
    }

    @Test func `a heartbeat without the version of its program is read`() throws {
        var generator = Generator(seed: 1)
        let node = NodeID(using: &generator.random)
        let bytes = MessageParts.bytes(.heartbeat) { writer in
            writer.member("node", node.rawValue)
            writer.member("instant", 7)
            writer.member("beat", 3)
        }
        let heartbeat = Heartbeat(
            node: node,
            version: "",
            instant: Instant(nanoseconds: 7),
            claim: OwnershipClaim(beat: 3, candidacy: nil, concessions: [:])
        )
        #expect(try exact(ClusterMessage.decode(bytes)) == exact(ClusterMessage.heartbeat(heartbeat)))
    }

    @Test func manyChannelsAreRenewedOneMessageAfterTheOther() throws {
        var generator = Generator(seed: 1)
        let entries = try (0..<1000).map { number in
            var counts = ListenerCounts()
            (counts.transports, counts.sequence) = ([number + 1, 0, 0], Int64(number))
            return AudienceMessage.Entry(
                channel: try #require(ChannelName(rawValue: "room-\(number)")),
                counts: counts,
                last: Offset(rawValue: Int64(number))
            )
        }
        let message = AudienceMessage(
            node: NodeID(using: &generator.random),
            sent: generator.maybe { $0.instant() },
            entries: entries
        )
        let parts = try message.encoded(within: MessageLimit(bytes: 16_384))
        #expect(parts.count > 3 && parts.allSatisfy { $0.count <= 16_384 })
        let again = try parts.flatMap { bytes -> [AudienceMessage.Entry] in
            guard case .audience(let part) = try ClusterMessage.decode(bytes) else { return [] }
            return part.entries
        }
        #expect(again == entries)
    }

    @Test func nodesHaveNamesOfTheirOwn() throws {
        var generator = Generator(seed: 1)
        let names = (0..<1000).map { _ in NodeID(using: &generator.random) }
        #expect(Set(names).count == 1000)
        #expect(names.allSatisfy { NodeID(rawValue: $0.rawValue) == $0 })
        #expect(names.sorted().map(\.rawValue) == names.map(\.rawValue).sorted())
        for text in ["", "a", String(repeating: "a", count: 27), String(repeating: "1", count: 26)] {
            #expect(NodeID(rawValue: text) == nil)
        }
    }

    /// Fixed for the life of a cluster: these numbers must never change.
    @Test func aChannelStaysInItsPartition() throws {
        let names = ["ops", "room-1", "room-2", "Z_-9"]
        let partitions = try names.map { Partition(of: try #require(ChannelName(rawValue: $0))).index }
        #expect(partitions == [155, 76, 101, 232])
        #expect(Partition.all.map(\.index) == Array(0..<256))
    }

    @Test func channelsAreSpreadOverAllPartitions() throws {
        var counts = [Int](repeating: 0, count: Partition.count)
        for number in 0..<10_000 {
            let channel = try #require(ChannelName(rawValue: "room-\(number)"))
            counts[Partition(of: channel).index] += 1
        }
        #expect(counts.allSatisfy { (15...70).contains($0) })
    }
}
