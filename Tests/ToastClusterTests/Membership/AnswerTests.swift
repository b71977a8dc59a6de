import Testing
import ToastCore

@testable import ToastCluster

/// Only one node answers reads: at no time do two nodes answer for a partition.
@Suite struct AnswerTests {
    @Test(arguments: 0..<UInt64(100))
    func `two nodes never answer for one partition, and when all is well each has an owner`(seed: UInt64) {
        var cluster = SimulatedCluster(seed: seed)
        cluster.run()
        #expect(cluster.overlaps.first == nil)
        #expect(cluster.answered == (cluster.alive == 0 ? 0 : Partition.count))
        #expect(cluster.moves > 1)
    }

    @Test func `silence alone is no proof, so without the log two nodes answer`() {
        #expect(Self.twoNodesAnswer(SimulatedCluster.Rules(asksLog: false)))
    }

    @Test func `without concessions a node that starts answers beside the previous owner`() {
        #expect(Self.twoNodesAnswer(SimulatedCluster.Rules(waitsForConcessions: false)))
    }

    @Test func `with clocks of very different rates two nodes answer`() {
        #expect(Self.twoNodesAnswer(SimulatedCluster.Rules(rates: 0.1...3), seeds: 60))
    }

    /// Whether, under one of some seeds, two nodes answer at the same time.
    private static func twoNodesAnswer(_ rules: SimulatedCluster.Rules, seeds: UInt64 = 20) -> Bool {
        (0..<seeds).contains { seed in
            var cluster = SimulatedCluster(seed: seed, rules: rules)
            cluster.run()
            return !cluster.overlaps.isEmpty
        }
    }
}
