import ArgumentParser
import Foundation
import Glibc
import Sealing
import ToastCore
import ToastStore

extension StoreCommands {
    /// `toastd store copy`: from a file to a cluster, and back.
    struct Copy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Copy a store to an empty one: from a file to a NATS cluster, and back.",
            discussion: """
                Stores are sqlite:PATH or nats://HOST:PORT,HOST:PORT, with ?prefix=NAME if wanted. No server may use \
                either of them. The copy has everything: channels with their events, settings, webhooks, deliveries that \
                wait, idempotency keys, catalogs and default settings. Clients continue behind their last event where \
                the copy has it, and are told to start over otherwise. A copy that is not complete is never used: a file \
                is FILE.partial until then, and no node starts on a cluster. Exit status: 0 done, 1 failed, 2 the store to \
                copy cannot be used.
                """
        )

        @Argument(help: "The store to copy.")
        var from: String

        @Argument(help: "The store to write: a file that does not exist, or a cluster that is empty.")
        var to: String

        @OptionGroup(title: "Cluster")
        var cluster: SettingFlags<ClusterSettings>

        func run() async throws {
            guard let source = ServerSettings.Store(self.from), let target = ServerSettings.Store(self.to),
                source.isDurable, target.isDurable
            else {
                let expected = "expected sqlite:PATH or nats://HOST:PORT,…"
                throw Terminal.fail(["These are no two stores to copy: \(expected)"], ExitCode(64))
            }
            let opened = try await self.openSource(source)
            let copy: StoreCopy.Progress
            do throws(StoreError) {
                copy = try await self.copy(opened, to: target)
            } catch {
                await opened.close()
                throw Terminal.fail(["There is no copy. \(error)"], .failure)
            }
            await opened.close()
            try Terminal.print("\(self.to) is a complete copy of \(self.from): \(copy.contents).")
        }

        private func openSource(_ store: ServerSettings.Store) async throws(ExitCode) -> any CopyableStore {
            do throws(StoreError) {
                switch store {
                case .sqlite(let path):
                    guard FileManager.default.fileExists(atPath: path) else {
                        throw .unavailable("There is no file \(path).")
                    }
                    return try SQLiteStore(path: path, retention: Self.retention)
                case .nats(let servers, let prefix):
                    let store = try await JetStreamStore.open(servers, self.options(prefix))
                    do throws(StoreError) { try await store.checkNodes() } catch {
                        await store.close()
                        throw error
                    }
                    return store
                case .memory:
                    throw .unavailable("A store in memory ends with its process.")
                }
            } catch {
                throw Terminal.fail(["\(self.from) cannot be copied. \(error)"], ExitCode(2))
            }
        }

        private func copy(
            _ source: any CopyableStore,
            to target: ServerSettings.Store
        ) async throws(StoreError) -> StoreCopy.Progress {
            switch target {
            case .sqlite(let path):
                let file = try CopyFile(path: path)
                let interrupts = Interrupts { number in
                    file.remove()
                    _exit(128 + number)
                }
                defer {
                    interrupts.stop()
                    file.remove()
                }
                let store = try SQLiteStore(path: file.draft, retention: Self.retention, durability: .process)
                let progress = try await Self.closing(store) { (store) async throws(StoreError) in
                    try await Self.copy(source, to: store)
                }
                try file.finish()
                return progress
            case .nats(let servers, let prefix):
                var options = try self.options(prefix)
                options.isCopyTarget = true
                let store = try await JetStreamStore.open(servers, options)
                return try await Self.closing(store) { (store) async throws(StoreError) in
                    try await store.beginCopy()
                    try await StoreCopy.checkIsEmpty(store)
                    try await store.markCopy()
                    let progress = try await Self.copy(source, to: store)
                    try await store.finishCopy()
                    return progress
                }
            case .memory:
                throw .unavailable("A store in memory ends with this process.")
            }
        }

        /// How to use the cluster whose streams have a prefix.
        private func options(_ prefix: String) throws(StoreError) -> JetStreamOptions {
            do {
                let settings = try ServerSettings(ofCluster: self.cluster.values)
                guard let path = settings.clusterKeyFile else {
                    let needed = "--cluster-key-file: a file with the secret that all nodes have"
                    throw StoreError.unavailable("A cluster needs \(needed).")
                }
                return settings.jetStreamOptions(try ClusterKey(contentsOf: path), prefix: prefix, Self.retention)
            } catch {
                throw .unavailable("\(error)")
            }
        }

        /// Closes a store after a closure has used it, also when the closure throws.
        private static func closing<Target: CopyableStore>(
            _ store: Target,
            _ body: (Target) async throws(StoreError) -> StoreCopy.Progress
        ) async throws(StoreError) -> StoreCopy.Progress {
            do throws(StoreError) {
                let progress = try await body(store)
                await store.close()
                return progress
            } catch {
                await store.close()
                throw error
            }
        }

        /// Copies, tells how far it is, and makes sure that no node has used the source meanwhile.
        private static func copy(
            _ source: any CopyableStore,
            to target: some CopyableStore
        ) async throws(StoreError) -> StoreCopy.Progress {
            let cluster = source as? JetStreamStore
            let start = await cluster?.clusterTime()
            var told = ContinuousClock.now
            let progress = try await StoreCopy.copy(from: source, to: target) { progress in
                guard ContinuousClock.now - told > .seconds(1) else { return }
                told = .now
                Terminal.tell("\(progress.channels) of \(progress.channelCount) channels")
            }
            if let cluster, let start { try await cluster.checkNodes(since: start) }
            return progress
        }

        /// In effect unlimited, except for idempotency records: the server that opens the copy applies its own limits.
        private static let retention = Retention(
            events: 1_000_000_000,
            age: Interval(seconds: 1_000_000_000),
            recordAge: Retention.standard.recordAge,
            deliveries: 1_000_000_000
        )
    }
}

extension ServerSettings.Store {
    /// Whether it survives the process.
    fileprivate var isDurable: Bool { if case .memory = self { false } else { true } }
}

extension StoreCopy.Progress {
    /// A summary for people.
    fileprivate var contents: String {
        "\(self.channels) channels, \(self.events) events, \(self.records) idempotency keys, "
            + "\(self.deliveries) deliveries waiting, \(self.catalogs) catalogs"
    }
}
