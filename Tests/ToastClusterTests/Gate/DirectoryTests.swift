import TestSupport
import Testing
import ToastCore

@testable import ToastCluster
@testable import ToastHub

/// The channels of all nodes, as every node lists them.
@Suite(.serialized) struct DirectoryTests {
    @Test func everyNodeNamesTheChannelsOfAllNodesAtOnce() async throws {
        try await withCluster(TestCluster()) { cluster in
            var names: [String] = []
            for number in 0..<30 {
                names.append("channel-\(number + 10)")
                try await cluster.nodes[number % 3].publish("new", to: names[number])
                let found = try await cluster.nodes[(number + 1) % 3].hub.channels(after: nil, limit: 100)
                #expect(found.map(\.rawValue) == names)
            }
            #expect(Set(names.compactMap { cluster.owner(of: $0)?.id }).count == 3)
            try await cluster.nodes[0].perform(.delete, on: names.removeFirst())
            for node in cluster.nodes {
                var (pages, place): ([String], ChannelName?) = ([], nil)
                repeat {
                    let page = try await node.hub.channels(after: place, limit: 7)
                    #expect(page.count <= 7)
                    pages += page.map(\.rawValue)
                    place = page.last
                } while place != nil
                #expect(pages == names)
            }
        }
    }

    @Test func theNamesAreCompleteAfterANodeWasLost() async throws {
        try await withCluster(TestCluster()) { cluster in
            let names = (10..<40).map { "channel-\($0)" }
            for name in names { try await cluster.nodes[0].publish("new", to: name) }
            cluster.kill(cluster.nodes[2])
            let start = cluster.time.now
            let found = try await cluster.nodes[0].hub.channels(after: nil, limit: 100)
            #expect(found.map(\.rawValue) == names)
            // Its partitions have no owner until the others have taken them over.
            #expect(cluster.time.now - start >= Interval(seconds: 3))
        }
    }

    @Test func aNodeThatIsCutOffNamesNothing() async throws {
        try await withCluster(TestCluster()) { cluster in
            let node = cluster.nodes[0]
            try await node.publish("new")
            for other in cluster.nodes.dropFirst() { cluster.network.cut(node.id, other.id) }
            cluster.pulses[0].cut(node.id)
            await #expect(throws: StoreError.self) { try await node.hub.channels(after: nil, limit: 100) }
        }
    }

    @Test func theAudienceIsThatOfAllNodes() async throws {
        try await withCluster(TestCluster()) { cluster in
            var listeners: [Listener] = []
            for (index, node) in cluster.nodes.enumerated() {
                for _ in 0...index { listeners.append(try await node.listen()) }
            }
            for listener in listeners { _ = await listener.next(1) }
            for node in cluster.nodes { #expect(try await node.summary().audience == [.sse: 6]) }
            listeners.last?.hangUp()
            try await cluster.wait { try await cluster.nodes[0].summary().audience == [.sse: 5] }
            for node in cluster.nodes { #expect(try await node.summary().audience == [.sse: 5]) }
        }
    }
}
