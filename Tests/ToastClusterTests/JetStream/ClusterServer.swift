import EventLoop
import Foundation
import NATSTestServer
import Sealing
import ToastCore

@testable import ToastCluster
@testable import ToastStore

/// Stores of several nodes on a real NATS server that the tests of this target share.
enum ClusterServer {
    private static let shared = Result { try SharedServer() }

    /// Runs a test with stores that share streams of their own, and a loop for answers.
    static func run(
        stores count: Int = 2,
        _ test: ([JetStreamStore], EventLoop) async throws -> Void
    ) async throws {
        let url = try self.shared.get().url
        var options = JetStreamOptions(key: try ClusterKey(fileContent: Array(0..<32)))
        (options.prefix, options.replicas) = ("t" + UUID().uuidString.lowercased(), 1)
        let loop = try EventLoop(name: "cluster-tests")
        var stores: [JetStreamStore] = []
        for _ in 0..<count { stores.append(try await JetStreamStore.open([url], options)) }
        let result: Result<Void, any Error>
        do {
            try await test(stores, loop)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        for store in stores { await store.close() }
        loop.stop()
        try result.get()
    }
}

/// A server that runs until the process exits.
private struct SharedServer: Sendable {
    let url: String

    /// The server that the exit has to end; only the first test and the exit use this.
    private nonisolated(unsafe) static var server: NATSServer?

    init() throws {
        let server = try NATSServer.start()
        Self.server = server
        self.url = server.url
        atexit { SharedServer.server?.end() }
    }
}
