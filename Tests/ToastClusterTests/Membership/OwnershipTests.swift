import TestSupport
import Testing
import ToastCore

@testable import ToastCluster

@Suite struct OwnershipTests {
    private static func nodes(_ count: Int, seed: UInt64) -> [NodeID] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in NodeID(using: &random) }
    }

    @Test(arguments: 2...16)
    func `each node gets a fair share`(count: Int) {
        let mean = Double(Partition.count) / Double(count)
        for seed in 0..<UInt64(50) {
            let nodes = Self.nodes(count, seed: seed)
            let ownership = Ownership(among: nodes)
            let shares = nodes.map { ownership.partitions(of: $0).count }
            #expect(shares.reduce(0, +) == Partition.count)
            // Four and a half standard deviations of a fair draw.
            let bound = 4.5 * (mean * (1 - 1 / Double(count))).squareRoot()
            #expect(shares.allSatisfy { abs(Double($0) - mean) < bound }, "\(seed): \(shares)")
        }
    }

    @Test(arguments: 1...16)
    func `a node that joins takes its share and moves nothing else; when it leaves all is as before`(count: Int) {
        let nodes = Self.nodes(count + 1, seed: 7)
        let (before, after) = (Ownership(among: nodes.dropLast()), Ownership(among: nodes))
        let moved = Partition.all.filter { before.owner(of: $0) != after.owner(of: $0) }
        #expect(PartitionSet(moved) == after.partitions(of: nodes[count]))
        #expect(Double(moved.count) < 1.6 * Double(Partition.count) / Double(count + 1))
        #expect(!moved.isEmpty)
    }

    @Test func `the order of the nodes does not matter, and without a node there is no owner`() {
        let nodes = Self.nodes(5, seed: 1)
        #expect(Ownership(among: nodes) == Ownership(among: nodes.reversed()))
        #expect(Ownership(among: []).owner(of: Partition(0)) == nil)
        #expect(Ownership(among: []).partitions(of: nodes[0]).isEmpty)
    }

    @Test func `owners are the same on every machine`() throws {
        let names = ["aaaaaaaaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbbbbbbbb", "cccccccccccccccccccccccccc"]
        let ownership = Ownership(among: try names.map { try #require(NodeID(rawValue: $0)) })
        let owners = Partition.all.prefix(32).compactMap { ownership.owner(of: $0)?.rawValue.first }
        #expect(String(owners) == "ababbccaaccacbbcbccaaacabcacacba")
    }
}

@Suite struct PartitionSetTests {
    @Test func `a set holds what was put into it`() {
        let partitions = [0, 63, 64, 127, 128, 255].map { Partition($0) }
        let set = PartitionSet(partitions)
        #expect(set.partitions == partitions)
        #expect(set.count == 6)
        #expect(!set.contains(Partition(1)))
        #expect(set.subtracting(PartitionSet(partitions.prefix(5))).partitions == [Partition(255)])
        #expect(set.intersection(PartitionSet([Partition(1), Partition(64)])).partitions == [Partition(64)])
        #expect(PartitionSet().isEmpty)
    }
}

@Suite struct NodeIDTests {
    @Test func `a name is 26 letters and digits, and reads back`() {
        var random = SplitMix64(seed: 3)
        let nodes = (0..<1000).map { _ in NodeID(using: &random) }
        #expect(Set(nodes).count == 1000)
        #expect(nodes.allSatisfy { NodeID(rawValue: $0.rawValue) == $0 })
    }

    @Test(arguments: [
        "", "a", "aaaaaaaaaaaaaaaaaaaaaaaaa.", "AAAAAAAAAAAAAAAAAAAAAAAAAA", "aaaaaaaaaaaaaaaaaaaaaaaaaaa",
    ])
    func `anything else is no name`(text: String) {
        #expect(NodeID(rawValue: text) == nil)
    }
}
