import ArgumentParser
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
import UnixSignals

/// The service put together: store, loops, hub, and a server for each loop.
struct ToastService: Service {
    private let settings: ServerSettings
    /// Reads the settings again, from where they came.
    private let reread: @Sendable () async throws -> ServerSettings
    /// What tells the service to; from its beginning, because a signal that nobody waits for ends the process.
    private let hangups: UnixSignalsSequence
    private let logger: Logger
    private let telemetry: Telemetry
    private let store: any EventStore
    private let catalogs: Catalogs
    private let clock: HubClock
    private let pages: Pages

    /// Descriptors that are not for connections: the store, the loops, the listening sockets.
    private static let reservedDescriptors = 256

    /// Connections of a loop that are no streams, unless somebody says how many: each may hold a head, and 4 KiB more.
    private static let connectionLimit = 4096

    /// How often old events are forgotten.
    private static let pruneInterval = Duration.seconds(60)

    init(
        _ settings: ServerSettings,
        _ logger: Logger,
        _ sink: LogSink,
        reread: @escaping @Sendable () async throws -> ServerSettings
    ) async throws {
        self.hangups = await UnixSignalsSequence(trapping: .sighup)
        self.settings = settings
        self.reread = reread
        self.logger = logger
        self.clock = HubClock(wallClock: Int64(Date().timeIntervalSince1970 * 1_000_000_000))
        self.pages = try Pages(
            directory: settings.publicDirectory,
            ownStyles: settings.styleDirectory,
            framedBy: settings.access.ancestors,
            isShared: !settings.access.origins.isEmpty
        )
        // Before the store is opened: a file that is wrong is no reason to touch it.
        let limits = settings.limits.service.catalogs
        let directory = settings.catalogDirectory
        let files = try directory.map { try CatalogFiles(directory: $0, limits: limits).catalogs } ?? [:]
        let store: any EventStore & CatalogStore =
            switch settings.store {
            case .memory: MemoryStore(retention: settings.limits.retention)
            case .sqlite(let path): try Self.open(path, settings.limits.retention, logger)
            }
        self.store = store
        self.telemetry = Telemetry(
            loops: settings.loops,
            version: Toastd.configuration.version,
            sink: sink,
            level: settings.logLevel,
            logsAccess: settings.logsAccess,
            commits: (store as? SQLiteStore)?.commits
        )
        self.catalogs = try await Catalogs(
            store: store,
            files: files,
            language: settings.language,
            limits: limits
        )
    }

    /// Opens the database, and logs from now on how it is.
    private static func open(
        _ path: String,
        _ retention: Retention,
        _ logger: Logger
    ) throws(StoreRefusal) -> SQLiteStore {
        do throws(StoreError) {
            return try SQLiteStore(path: path, retention: retention) { notice in
                switch notice {
                case .failing(let error):
                    logger.critical("nothing can be stored, not ready", metadata: ["reason": "\(error)"])
                case .recovered:
                    logger.notice("the store can write again, ready")
                case .fault(let error):
                    logger.error("something could not be stored or read", metadata: ["reason": "\(error)"])
                }
            }
        } catch {
            throw StoreRefusal(path: path, reason: error)
        }
    }

    func run() async throws {
        let loops = try (0..<self.settings.loops).map { try EventLoop(name: "loop-\($0)") }
        let access = try await self.access()
        let hub = Hub(loops: loops, store: self.store, clock: self.clock, catalogs: self.catalogs)
        let reserved = min(Self.reservedDescriptors, SystemLimits.descriptors / 4)
        let room = max(16, (SystemLimits.descriptors - reserved) / loops.count)
        // Detached streams take most of the room; requests come and go.
        let limits = self.streamLimits(count: room * 3 / 4)
        let fanouts = loops.map { Fanout(loop: $0, hub: hub, limits: limits) }
        let book = LimitBook(self.settings.limits.service, of: hub, access.gatekeeper)
        await hub.start()

        var servers: [Server] = []
        var address = self.settings.address
        for (index, loop) in loops.enumerated() {
            let api = API(
                hub: hub,
                fanouts: fanouts,
                index: index,
                pages: self.pages,
                access: access,
                origins: self.settings.access.origins,
                isOpen: self.settings.access.isOpen,
                book: book,
                limits: self.settings.limits.service.document,
                telemetry: self.telemetry
            )
            let router = api.router
            var configuration = Server.Configuration(handler: api.handler, describe: API.describe)
            configuration.meter = self.telemetry.loops[index].connections
            configuration.refused = { api.observe($0, $1) }
            configuration.bodyLimit = api.smallestBodyLimit
            configuration.bodyLimitOf = { api.bodyLimit(at: $0) }
            configuration.headLimit = self.settings.limits.connections.headBytes
            configuration.fieldLimit = self.settings.limits.connections.fields
            configuration.allowed = { router.methods(at: $0) }
            configuration.spareDescriptors = reserved / 2
            configuration.ranOut = { [logger] in logger.warning("out of descriptors: accepting pauses") }
            configuration.connectionLimit = self.connectionLimit(within: room / 4)
            configuration.requestTimeout = .seconds(self.settings.requestTimeout)
            configuration.idleTimeout = .seconds(self.settings.idleTimeout)
            let server = Server(loop: loop, configuration: configuration)
            let patience = Duration.seconds(self.settings.peerTimeout)
            let listener = try Self.listener(on: address, isFirst: index == 0, peerTimeout: patience)
            // The first loop's port is the port of all, when the system picks it.
            address = listener.address
            // Before anybody can come: a command that nobody answers yet would wait for the next one.
            await fanouts[index].answerCommands { await api.answer($0, $1) }
            await fanouts[index].tellEnds { self.telemetry.log($0) }
            try await server.start(on: listener)
            await fanouts[index].start()
            servers.append(server)
        }
        let watchdog = Watchdog(loops, hub, self.telemetry, self.logger)
        watchdog.start()
        defer { watchdog.stop() }
        let webhooks = try Webhooks(hub, self.clock, self.settings, self.logger)
        async let dispatching: Void = webhooks.run()
        let rereading = Rereading(
            access: self.settings.access.path,
            catalogs: self.settings.catalogDirectory,
            limits: self.settings.limits,
            settings: self.reread,
            telemetry: self.telemetry,
            logger: self.logger,
            signals: self.hangups
        )
        self.announce(address, loops: loops.count)
        ResidentCode.release()
        await rereading.run(access.gatekeeper, fanouts, book, self.catalogs) {
            async let waking: Void = self.wakeChannels(hub)
            await self.prune(hub)
            await waking
            await self.drain(hub, fanouts, servers, webhooks)
        }
        // Cancelled at the end of this function, when it was not needed.
        async let _ = webhooks.cutOff()
        await dispatching
        await self.store.close()
        for loop in loops { loop.stop() }
        self.logger.info("stopped")
    }

    private static func listener(
        on address: Address,
        isFirst: Bool,
        peerTimeout: Duration
    ) throws(ListenRefusal) -> Listener {
        do throws(SystemError) {
            return try Listener(on: address, isFirst: isFirst, peerTimeout: peerTimeout)
        } catch {
            throw ListenRefusal(address: address, reason: error)
        }
    }

    /// Says that requests should go elsewhere, and serves on for as long as it may take to be heard; then ends what
    /// waits and what streams, then what is under way.
    private func drain(_ hub: Hub, _ fanouts: [Fanout], _ servers: [Server], _ webhooks: Webhooks) async {
        self.logger.info("stopping")
        hub.announceDrain()
        await webhooks.stop()
        // The sleep is only cut short when all has to go at once.
        if self.settings.drainDelay > 0 { try? await Task.sleep(for: .seconds(self.settings.drainDelay)) }
        await withDiscardingTaskGroup { group in
            for fanout in fanouts { group.addTask { await fanout.drain() } }
        }
        await withDiscardingTaskGroup { group in
            for server in servers { group.addTask { await server.stop() } }
        }
    }

    /// How many connections a loop may have that are no streams; at least a few, or nothing would go on.
    private func connectionLimit(within room: Int) -> Int {
        guard let count = self.settings.limits.connections.count else { return min(room, Self.connectionLimit) }
        return min(room, max(4, (count + self.settings.loops - 1) / self.settings.loops))
    }

    private func streamLimits(count: Int) -> StreamLimits {
        var limits = StreamLimits(count: count)
        limits.stallTimeout = self.settings.stallTimeout
        limits.commentInterval = self.settings.commentInterval
        limits.pingInterval = self.settings.pingInterval
        limits.channels = self.settings.limits.streams.channels
        limits.backlog = self.settings.limits.streams.backlog
        limits.socket = self.settings.limits.streams.socket
        limits.commands = self.settings.limits.streams.commands
        limits.maximumAge = self.settings.streamAge > 0 ? self.settings.streamAge : nil
        return limits
    }

    private func access() async throws -> Access {
        let gatekeeper = Gatekeeper(
            anonymous: self.settings.access.anonymous,
            sessions: self.settings.limits.sessions,
            tickets: self.settings.limits.tickets
        )
        if let path = self.settings.access.path { try await gatekeeper.adopt(try AccessFile(contentsOf: path)) }
        return Access(gatekeeper: gatekeeper, proxies: self.settings.access.proxies)
    }

    private func announce(_ address: Address, loops: Int) {
        if let warning = self.settings.access.warning { self.logger.warning("\(warning)") }
        self.logger.info("serving at http://\(address)", metadata: ["loops": "\(loops)"])
    }

    /// Has time go on in all channels, also in those that nobody uses.
    private func wakeChannels(_ hub: Hub) async {
        await cancelWhenGracefulShutdown {
            do throws(StoreError) {
                try await hub.wakeChannels()
            } catch {
                self.logger.warning("time may stand still in some channels", metadata: ["error": "\(error)"])
            }
        }
    }

    /// Forgets old events, and channels of which nothing is left, now and then, until the service is told to stop.
    private func prune(_ hub: Hub) async {
        let age = self.settings.limits.retention.age
        await cancelWhenGracefulShutdown {
            var place: ChannelName?
            while !Task.isCancelled {
                do throws(StoreError) {
                    let now = self.clock.now
                    try await self.store.prune(at: now)
                    place = try await hub.forgetVacantChannels(after: place, quietSince: now + (.zero - age))
                } catch {
                    self.logger.warning("old events could not be removed", metadata: ["error": "\(error)"])
                }
                // Being told to stop ends the sleep, which is all that a failure of it can mean.
                try? await Task.sleep(for: Self.pruneInterval)
            }
        }
    }
}
