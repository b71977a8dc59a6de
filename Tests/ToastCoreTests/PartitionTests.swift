import Testing
import ToastCore

@Suite struct PartitionTests {
    @Test(arguments: [("ops", 155), ("a", 140), ("toasts-of-the-day", 0), ("A_b-9", 55)])
    func `a channel is in the same partition on every machine`(name: String, index: Int) throws {
        #expect(Partition(of: try #require(ChannelName(rawValue: name))).index == index)
    }

    @Test func `channels with similar names spread over the partitions`() throws {
        var counts = [Int](repeating: 0, count: Partition.count)
        for number in 0..<25_600 {
            counts[Partition(of: try #require(ChannelName(rawValue: "user-\(number)"))).index] += 1
        }
        #expect(counts.allSatisfy { (50...150).contains($0) }, "\(counts)")
    }
}
