import Foundation
import NATS
import NATSTestServer
import Sealing
import Synchronization
import ToastCore

@testable import ToastStore

/// Stores on one real server that all tests share; each test has streams of its own.
enum JetStreamFixture {
    /// The server, which ends with the process.
    private static let shared = Result { try SharedServer() }

    /// Where the server is.
    static var url: String { get throws { try self.shared.get().url } }

    /// Opens a store.
    static func open(
        _ prefix: String,
        _ retention: Retention = .standard,
        url: String? = nil,
        secret: UInt8 = 7,
        _ change: (inout JetStreamOptions) -> Void = { _ in }
    ) async throws -> JetStreamStore {
        var options = JetStreamOptions(key: try ClusterKey(fileContent: Array(secret..<secret + 32)))
        (options.prefix, options.replicas, options.retention) = (prefix, 1, retention)
        // Making the streams of a dozen tests at once, on a busy machine, may take long.
        options.patience = .seconds(60)
        // To show that the races test something: with the program of an older server, they must fail (CONTRIBUTING.md).
        if ProcessInfo.processInfo.environment["TOASTD_OLD_NATS_SERVER"] != nil {
            options.connection.minimumVersion = ServerVersion(major: 2, minor: 0, patch: 0)
        }
        change(&options)
        return try await JetStreamStore.open([try url ?? self.url], options)
    }

    /// A name that no other test uses.
    static func makePrefix() -> String { "t" + UUID().uuidString.lowercased() }

    /// Runs a test on a fresh store, which is closed afterwards, and whose streams are removed.
    static func run(_ retention: Retention = .standard, _ test: (JetStreamStore) async throws -> Void) async throws {
        let prefix = self.makePrefix()
        let store = try await self.open(prefix, retention)
        do {
            try await test(store)
        } catch {
            await store.close()
            try await self.removeStreams(prefix)
            throw error
        }
        await store.close()
        try await self.removeStreams(prefix)
    }

    /// Runs a test on two fresh stores of one cluster, as two nodes have them.
    static func runTwo(
        _ retention: Retention = .standard,
        _ test: (JetStreamStore, JetStreamStore) async throws -> Void
    ) async throws {
        try await self.run(retention) { first in
            let second = try await self.open(first.subjects.prefix, retention)
            do {
                try await test(first, second)
            } catch {
                await second.close()
                throw error
            }
            await second.close()
        }
    }

    /// Removes the streams of a store.
    static func removeStreams(_ prefix: String) async throws {
        let store = try await self.open(prefix)
        for name in (0..<Subjects.logs).map(store.subjects.stream) + [store.subjects.metaStream] {
            let request = NATSMessage(subject: "$JS.API.STREAM.DELETE.\(name)")
            // Deleting the streams of a dozen tests at once may take too long. The server's directory is removed at the
            // end, with all streams that are left.
            _ = try? await store.write.client.request(request, timeout: .seconds(60))
        }
        await store.close()
    }
}

/// A server that runs until the process exits.
private struct SharedServer: Sendable {
    let url: String

    /// The server that ``end`` has to end; only the first test and the exit use this.
    private nonisolated(unsafe) static var server: NATSServer?

    init() throws {
        let server = try NATSServer.start()
        Self.server = server
        self.url = server.url
        atexit { SharedServer.server?.end() }
    }
}
