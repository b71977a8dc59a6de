import EventLoop
import Foundation
import Logging
import MicroHTTP
import ServiceLifecycle
import ToastAccess
import ToastCore
import ToastHub
import ToastServer
import ToastStore

/// The service put together: store, loops, hub, and a server for each loop.
struct ToastService: Service {
    private let settings: ServerSettings
    private let logger: Logger
    private let store: any EventStore
    private let clock: HubClock
    private let pages: Pages

    /// Descriptors that are not for connections: the store, the loops, the listening sockets.
    private static let reservedDescriptors = 256

    /// How often old events are forgotten.
    private static let pruneInterval = Duration.seconds(60)

    init(_ settings: ServerSettings, _ logger: Logger) async throws {
        self.settings = settings
        self.logger = logger
        self.clock = HubClock(wallClock: Int64(Date().timeIntervalSince1970 * 1_000_000_000))
        self.pages = try Pages(directory: settings.publicDirectory)
        switch settings.store {
        case .memory: self.store = MemoryStore()
        case .sqlite(let path): self.store = try SQLiteStore(path: path)
        }
    }

    func run() async throws {
        let loops = try (0..<self.settings.loops).map { try EventLoop(name: "loop-\($0)") }
        let access = try await self.access()
        let hub = Hub(loops: loops, store: self.store, clock: self.clock)
        let room = max(64, (SystemLimits.descriptors - Self.reservedDescriptors) / loops.count)
        // Detached streams take most of the room; requests come and go.
        let fanouts = loops.map { Fanout(loop: $0, hub: hub, streamLimit: room * 3 / 4) }
        await hub.start()

        var servers: [Server] = []
        var address = self.settings.address
        for (index, loop) in loops.enumerated() {
            let api = API(hub: hub, fanouts: fanouts, index: index, pages: self.pages, access: access)
            let router = api.router
            var configuration = Server.Configuration(handler: { await router.handle($0) }, describe: API.describe)
            configuration.allowed = { router.methods(at: $0) }
            configuration.connectionLimit = room / 4
            let server = Server(loop: loop, configuration: configuration)
            let listener = try Listener(on: address, isFirst: index == 0)
            // The first loop's port is the port of all, when the system picks it.
            address = listener.address
            try await server.start(on: listener)
            await fanouts[index].start()
            await fanouts[index].answerCommands { await api.answer($0, $1) }
            servers.append(server)
        }
        self.announce(address, loops: loops.count)
        await self.prune()

        // Draining: streams first, then requests under way, then the store.
        self.logger.info("stopping")
        for fanout in fanouts { await fanout.drain() }
        for server in servers { await server.stop() }
        await self.store.close()
        for loop in loops { loop.stop() }
        self.logger.info("stopped")
    }

    private func access() async throws -> Access {
        let gatekeeper = Gatekeeper(anonymous: self.settings.access.anonymous)
        if let path = self.settings.access.path { try await gatekeeper.adopt(try AccessFile(contentsOf: path)) }
        return Access(gatekeeper: gatekeeper, proxies: self.settings.access.proxies)
    }

    private func announce(_ address: Address, loops: Int) {
        self.logger.info("serving at http://\(address)", metadata: ["loops": "\(loops)"])
    }

    /// Forgets old events now and then, until the service is told to stop.
    private func prune() async {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                do throws(StoreError) {
                    try await self.store.prune(at: self.clock.now)
                } catch {
                    self.logger.warning("old events could not be removed", metadata: ["error": "\(error)"])
                }
                // Being told to stop ends the sleep, which is all that a failure of it can mean.
                try? await Task.sleep(for: Self.pruneInterval)
            }
        }
    }
}
