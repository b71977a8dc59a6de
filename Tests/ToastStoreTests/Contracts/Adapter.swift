import ToastCore

@testable import ToastStore

/// The adapters that the contracts are checked with.
enum Adapter: CaseIterable, Sendable {
    case memory
    case sqlite
    case sqliteForPowerCuts

    /// Runs a test on a fresh store, which is closed afterwards.
    func run(
        _ retention: Retention = .standard,
        _ test: (any Store) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let store: any Store =
            switch self {
            case .memory: MemoryStore(retention: retention)
            case .sqlite: try SQLiteStore(path: directory.file("toast.db"), retention: retention)
            case .sqliteForPowerCuts:
                try SQLiteStore(path: directory.file("toast.db"), retention: retention, durability: .power)
            }
        try await test(store)
        await store.close()
    }
}
