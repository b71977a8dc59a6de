import Testing

@testable import ToastCluster
@testable import ToastCore

@Suite struct NamesMessageTests {
    @Test(arguments: 0..<20 as Range<UInt64>) func namesArriveAsTheyWere(seed: UInt64) throws {
        var generator = Generator(seed: seed)
        let names = try (0..<generator.number(0...50)).map { _ in try generator.channel() }
        let partitions = PartitionSet(Partition.all.filter { _ in generator.chance(50) })
        let reply = NamesReply(partitions: partitions, names: names)
        guard case .namesReply(let again) = try ClusterMessage.decode(reply.encoded()) else {
            Issue.record("This is another message.")
            return
        }
        #expect(again == reply)
        for name in [nil, names.first] {
            let message = NamesMessage(after: name, limit: generator.number(0...2000))
            #expect(message.limit <= NamesMessage.maximumLimit)
            guard case .names(let again) = try ClusterMessage.decode(message.encoded()) else {
                Issue.record("This is another message.")
                return
            }
            #expect(again == message)
        }
    }

    @Test func aPartitionThatDoesNotExistIsRefused() throws {
        for index in ["256", "-1", "\"1\"", "0.5"] {
            let bytes = MessageParts.bytes(.namesReply) { writer in
                writer.member("partitions", (try? JSON(parsing: Array("[\(index)]".utf8))) ?? .null)
            }
            #expect(throws: MessageError.self) { try ClusterMessage.decode(bytes) }
        }
    }
}
