import ToastCore

@testable import ToastStore

/// The adapters that the contracts are checked with.
enum Adapter: CaseIterable, Sendable {
    case memory
    case sqlite
    case sqliteForPowerCuts
    case jetStream

    /// Runs a test on a fresh store, which is closed afterwards.
    func run(
        _ retention: Retention = .standard,
        _ test: (any Store) async throws -> Void
    ) async throws {
        if self == .jetStream { return try await JetStreamFixture.run(retention) { try await test($0) } }
        let directory = try TemporaryDirectory()
        let store: any Store =
            switch self {
            case .memory, .jetStream: MemoryStore(retention: retention)
            case .sqlite: try SQLiteStore(path: directory.file("toast.db"), retention: retention)
            case .sqliteForPowerCuts:
                try SQLiteStore(path: directory.file("toast.db"), retention: retention, durability: .power)
            }
        try await test(store)
        await store.close()
    }
}
