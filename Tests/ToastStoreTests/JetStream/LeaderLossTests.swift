import NATSTestServer
import Synchronization
import Testing
import ToastCore

@testable import ToastStore

/// A store on three servers, one of which is lost.
@Suite(.timeLimit(.minutes(15)), .serialized) struct JetStreamLeaderLossTests {
    /// Appends to a channel until the test ends the progress; returns the stored offsets.
    private func write(
        _ store: JetStreamStore,
        _ channel: ChannelName,
        _ progress: Progress
    ) async throws -> [Int64] {
        var (stored, last): ([Int64], Int64) = ([], 0)
        while !progress.isOver {
            let change = Append.make(
                channel.rawValue,
                after: last,
                snapshot: last % 5 == 0,
                records: [.make("k\(last)", at: Double(last))]
            )
            switch await store.outcomes(of: [change])[0] {
            case .stored:
                last += 1
                stored.append(last)
                progress.count(channel)
            case .failed(.conflict(let current)): last = current.rawValue
            case .failed: last = try await store.load(channel).last.rawValue
            }
        }
        return stored
    }

    @Test func `nothing that is acknowledged is lost when a server is killed`() async throws {
        let servers = try NATSServer.startCluster()
        defer { for server in servers { server.end() } }
        let store = try await JetStreamFixture.open("three", .make(events: 1_000_000), url: servers[0].url) {
            $0.replicas = 3
        }
        let reader = try await JetStreamFixture.open("three", .make(events: 1_000_000), url: servers[1].url) {
            $0.replicas = 3
        }
        let channels = (0..<8).map { ChannelName.make("c\($0)") }
        let progress = Progress(channels)
        let stored = try await withThrowingTaskGroup(of: (ChannelName, [Int64]).self) { group in
            for channel in channels {
                group.addTask { (channel, try await self.write(store, channel, progress)) }
            }
            try await progress.more(25)
            servers[2].kill()
            // Appends succeed also after the loss.
            try await progress.more(50)
            progress.end()
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        for channel in channels {
            let loaded = try await reader.load(channel)
            let history = try await reader.events(of: channel, after: .origin, limit: .max)
            #expect(history.events.offsets == Array(1...loaded.last.rawValue))
            let own = try #require(stored[channel])
            #expect(Set(own).isSubset(of: Set(history.events.offsets)))
        }
        await store.close()
        await reader.close()
    }

    @Test func `a store waits for servers that are still starting`() async throws {
        let servers = try NATSServer.startCluster()
        defer { for server in servers { server.end() } }
        let url = servers[0].url
        servers[2].kill()
        // The others take a while to notice it.
        var number = 0
        while let early = try? await self.open("early\(number)", url, patience: .zero) {
            await early.close()
            number += 1
        }
        async let late = self.open("late", url, patience: .seconds(60))
        try servers[2].restart()
        try await late.close()
    }

    private func open(_ prefix: String, _ url: String, patience: Duration) async throws -> JetStreamStore {
        try await JetStreamFixture.open(prefix, .make(events: 9), url: url) {
            ($0.replicas, $0.patience) = (3, patience)
        }
    }

    /// The number of stored appends of each channel.
    private final class Progress: Sendable {
        private let state: Mutex<(counts: [ChannelName: Int], isOver: Bool)>

        init(_ channels: [ChannelName]) {
            self.state = Mutex((Dictionary(uniqueKeysWithValues: channels.map { ($0, 0) }), false))
        }

        var isOver: Bool { self.state.withLock { $0.isOver } }

        private var counts: [ChannelName: Int] { self.state.withLock { $0.counts } }

        func count(_ channel: ChannelName) { self.state.withLock { $0.counts[channel, default: 0] += 1 } }

        func end() { self.state.withLock { $0.isOver = true } }

        /// Waits until each channel has stored this many more appends.
        func more(_ count: Int) async throws {
            let before = self.counts
            while self.counts.contains(where: { $0.value < before[$0.key, default: 0] + count }) {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }
}
