import ArgumentParser
import EventLoop
import Foundation
import HTTPClient
import Logging
import Metrics
import MicroHTTP
import ServiceLifecycle
import ToastAccess
import ToastCluster
import ToastCore
import ToastHub
import ToastServer
import ToastStore
import UnixSignals

/// Assembles and runs the service: store, loops, hub, and a server for each loop.
struct ToastService: Service {
    /// The version of toastd, of its API and of its clients; `Tests/API/test_version.py` compares them.
    static let version = "0.2.0"

    let settings: ServerSettings
    /// Reads the settings again from their sources.
    private let reread: @Sendable () throws -> ServerSettings
    /// The SIGHUPs that trigger a reload; trapped from the start, because an untrapped one ends the process.
    private let hangups: UnixSignalsSequence
    let logger: Logger
    private let telemetry: Telemetry
    private let progress: StopProgress
    let store: any Store
    /// The cluster that this process is a node of, if it is.
    let cluster: Cluster?
    private let catalogs: Catalogs
    private let defaults: ServerDefaults
    private let hooks: Hooks
    private let adapters: Adapters
    let clock: HubClock
    let pages: Pages

    init(
        _ settings: ServerSettings,
        _ logger: Logger,
        _ sink: LogSink,
        _ progress: StopProgress,
        reread: @escaping @Sendable () throws -> ServerSettings
    ) async throws {
        self.hangups = await UnixSignalsSequence(trapping: .sighup)
        self.settings = settings
        self.reread = reread
        self.logger = logger
        self.progress = progress
        guard let now = Instant(wallClock: Date().timeIntervalSince1970) else { throw StartError.wallClock }
        // Directly after `Date()`, because `HubClock` reads the monotonic clock: what is done in between would be
        // missing from the time of all channels.
        var clock = HubClock(wallClock: now.nanoseconds)
        self.pages = try Pages(
            directory: settings.public,
            ownStyles: settings.styles,
            framedBy: settings.frameAncestors,
            isShared: !settings.allowOrigin.isEmpty
        )
        // Before the store is opened, so that an invalid file leaves it untouched.
        let limits = settings.serviceLimits.catalogs
        let directory = settings.catalogs
        let files = try directory.map { try CatalogFiles(directory: $0, limits: limits).catalogs } ?? [:]
        let defaults = try settings.settings.map { try SettingsFile.read($0) } ?? SettingsDefaults()
        self.adapters = try Adapters(settings)
        var cluster: Cluster?
        let store: any Store
        var meters: [any MetricsCollector] = []
        switch settings.store {
        case .memory:
            store = MemoryStore(retention: settings.retention)
        case .sqlite(let path):
            let database = try Self.open(path, settings, logger)
            (store, meters) = (database, [database.commits])
        case .nats(let servers, let prefix):
            let opened = try await Cluster.open(servers, prefix: prefix, settings, logger) { $0.log(to: logger) }
            (store, cluster, clock) = (opened.store, opened, opened.clock)
            meters = [opened.store.counters, opened.counters]
        }
        self.store = store
        self.cluster = cluster
        self.clock = clock
        self.telemetry = Telemetry(
            loops: settings.loops,
            version: Self.version,
            sink: sink,
            level: settings.logLevel,
            logsAccess: settings.accessLog,
            meters: meters
        )
        self.catalogs = try await Catalogs(
            store: store,
            files: files,
            language: settings.language,
            limits: limits
        )
        self.defaults = try await ServerDefaults(store: store, file: defaults)
        self.hooks = try await Hooks(store: store)
    }

    /// Opens the database, and logs its health from now on.
    private static func open(
        _ path: String,
        _ settings: ServerSettings,
        _ logger: Logger
    ) throws(StartError) -> SQLiteStore {
        do throws(StoreError) {
            return try SQLiteStore(
                path: path,
                retention: settings.retention,
                durability: settings.durability
            ) { $0.log(to: logger) }
        } catch {
            throw .store(path: path, error)
        }
    }

    func run() async throws {
        let loops = try (0..<self.settings.loops).map { try EventLoop(name: "loop-\($0)") }
        let (access, source) = try await self.access()
        let node = self.cluster?.node(on: loops[0])
        let hub = self.makeHub(on: loops, gate: node)
        // Most are for streams, because requests are short.
        let limits = self.settings.streamLimits(count: self.descriptorsOfLoop * 3 / 4)
        let fanouts = loops.map { Fanout(loop: $0, hub: hub, limits: limits) }
        let appliedLimits = AppliedLimits(self.settings.serviceLimits, of: hub, access.authenticator)
        await hub.start()
        let apis = loops.indices.map { self.makeAPI(of: $0, hub, fanouts, access, appliedLimits) }
        let (servers, address) = try await self.startServers(loops, fanouts, apis)
        let watchdog = Watchdog(loops, hub, self.telemetry, self.logger)
        watchdog.start()
        defer { watchdog.stop() }
        let sender = try CurlWebhookSender(policy: AddressPolicy(allowing: self.settings.webhookAllow))
        let dispatcher = self.makeDispatcher(hub, sender)
        async let dispatching: Void = dispatcher.run()
        let membership = Task { await self.join(node, hub) }
        defer { membership.cancel() }
        let reload = ConfigReload(
            settings: self.settings,
            reread: self.reread,
            access: source,
            authenticator: access.authenticator,
            fanouts: fanouts,
            appliedLimits: appliedLimits,
            hub: hub,
            telemetry: self.telemetry,
            logger: self.logger,
            signals: self.hangups
        )
        self.announce(address, loops: loops.count)
        ResidentCode.release()
        await reload.run {
            await self.runUpkeep(hub, fanouts, access.authenticator)
            await self.drain(hub, node, fanouts, servers, dispatcher)
        }
        // Cancelled at the end of this function if it was not needed.
        async let _ = self.cutOff(sender)
        self.begin(.webhooks)
        await dispatching
        await sender.close()
        self.begin(.membership)
        membership.cancel()
        await membership.value
        self.begin(.leaving)
        await node?.stop()
        self.begin(.store)
        await self.store.close()
        for loop in loops { loop.stop() }
        self.logger.info("stopped")
    }

    private func makeHub(on loops: [EventLoop], gate: ClusterNode?) -> Hub {
        Hub(
            loops: loops,
            store: self.store,
            clock: self.clock,
            answers: KeptAnswers(catalogs: self.catalogs, epoch: self.store.epoch),
            catalogs: self.catalogs,
            defaults: self.defaults,
            hooks: self.hooks,
            gate: gate
        )
    }

    /// The API as the server of one of the loops offers it.
    private func makeAPI(
        of index: Int,
        _ hub: Hub,
        _ fanouts: [Fanout],
        _ access: Access,
        _ limits: AppliedLimits
    ) -> API {
        API(
            hub: hub,
            fanouts: fanouts,
            index: index,
            pages: self.pages,
            access: access,
            origins: self.settings.allowOrigin,
            appliedLimits: limits,
            limits: self.settings.serviceLimits.document,
            adapters: self.adapters,
            mayPostTo: AddressPolicy(allowing: self.settings.webhookAllow).allows,
            telemetry: self.telemetry
        )
    }

    /// Starts the server of each loop; returns them, and the address at which all listen.
    private func startServers(
        _ loops: [EventLoop],
        _ fanouts: [Fanout],
        _ apis: [API]
    ) async throws -> ([Server], Address) {
        var servers: [Server] = []
        var address = self.settings.listen
        let connectionLimit = self.connectionLimit(within: self.descriptorsOfLoop / 4)
        let quota = self.connectionQuota(ofLoop: connectionLimit)
        let patience = Duration.seconds(self.settings.peerTimeout)
        for (index, (loop, api)) in zip(loops, apis).enumerated() {
            var configuration = self.configuration(of: api, meter: self.telemetry.loops[index].connections)
            configuration.spareDescriptors = self.reservedDescriptors / 2
            configuration.connectionLimit = connectionLimit
            configuration.quota = quota
            let server = Server(loop: loop, configuration: configuration)
            let listener = try Self.listener(on: address, isFirst: index == 0, peerTimeout: patience)
            // When the system picks the port, the first loop's port is that of all.
            address = listener.address
            // Before the server accepts: without a handler, a command would wait until another one arrives.
            await fanouts[index].answerCommands { await api.answer($0, $1) }
            await fanouts[index].reportEnds { self.telemetry.log($0) }
            try await server.start(on: listener)
            await fanouts[index].start()
            servers.append(server)
        }
        return (servers, address)
    }

    /// How a server serves an API.
    private func configuration(of api: API, meter: ConnectionMeter) -> Server.Configuration {
        let router = api.makeRouter()
        var configuration = Server.Configuration(handler: { await router.handle($0) }, describe: API.describe)
        configuration.meter = meter
        configuration.refused = { api.observe($0, $1) }
        configuration.bodyLimit = api.smallestBodyLimit
        configuration.bodyLimitOf = { api.bodyLimit(at: $0) }
        configuration.headLimit = self.settings.maxHeadBytes
        configuration.fieldLimit = self.settings.maxHeaderFields
        configuration.allowed = { router.methods(at: $0) }
        configuration.ranOut = { [logger] in logger.warning("out of descriptors: accepting pauses") }
        configuration.requestTimeout = .seconds(self.settings.requestTimeout)
        configuration.idleTimeout = .seconds(self.settings.idleTimeout)
        return configuration
    }

    private static func listener(
        on address: Address,
        isFirst: Bool,
        peerTimeout: Duration
    ) throws(StartError) -> ListeningSocket {
        do throws(SystemError) {
            return try ListeningSocket(on: address, isFirst: isFirst, peerTimeout: peerTimeout)
        } catch {
            throw .listen(address, error)
        }
    }

    /// Reports not ready and serves on for `drainDelay`; then ends waiting requests and streams, then requests under
    /// way.
    private func drain(
        _ hub: Hub,
        _ node: ClusterNode?,
        _ fanouts: [Fanout],
        _ servers: [Server],
        _ dispatcher: WebhookDispatcher
    ) async {
        self.logger.info("stopping")
        hub.announceDrain()
        // From here on other nodes decide for the channels; requests that still arrive are passed on to them.
        self.begin(.handover)
        await node?.drain()
        await dispatcher.stop()
        self.begin(.drainDelay)
        // The sleep is cancelled only when everything must end at once.
        if self.settings.drainDelay > 0 { try? await Task.sleep(for: .seconds(self.settings.drainDelay)) }
        self.begin(.streams)
        await withDiscardingTaskGroup { group in
            for fanout in fanouts { group.addTask { await fanout.drain() } }
        }
        self.begin(.requests)
        await withDiscardingTaskGroup { group in
            for fanout in fanouts { group.addTask { await fanout.finishClosing() } }
            for server in servers { group.addTask { await server.stop() } }
        }
    }

    private func begin(_ step: StopProgress.Step) { self.progress.begin(step, self.logger) }

    /// The access control, and the source of its rules.
    private func access() async throws -> (Access, AccessSource?) {
        let authenticator = Authenticator(
            anonymous: self.settings.allowAnonymous,
            sessions: self.settings.maxSessions,
            tickets: self.settings.maxTickets,
            cluster: self.cluster?.credentials
        )
        try await self.cluster?.followEndedSessions(with: authenticator)
        let access = Access(authenticator: authenticator, proxies: self.settings.trustedProxies)
        guard let path = self.settings.access else { return (access, nil) }
        let source = try AccessSource(path: path, authenticator, self.logger)
        try await source.readFile()
        // Before the server accepts: a stream that is refused because the keys are missing would not come back.
        _ = await source.fetchKeySet()
        return (access, source)
    }

    private func announce(_ address: Address, loops: Int) {
        if let warning = self.settings.accessWarning { self.logger.warning("\(warning)") }
        // At any log level: only this line tells the port that the system picked.
        var logger = self.logger
        logger.logLevel = min(logger.logLevel, .info)
        logger.info("serving at http://\(address)", metadata: ["loops": "\(loops)"])
    }
}
