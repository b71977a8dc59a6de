import EventLoop
import Foundation
import InternetAddresses
import Logging
import Synchronization
import TestSupport
import ToastAccess
import ToastStore

@testable import MicroHTTP
@testable import ToastCore
@testable import ToastHub
@testable import ToastServer

/// A server that does not listen: a request goes in as a value, and the response comes out as one; a stream gets a
/// socket pair.
///
/// Router, access checks, limits, endpoints, hub and store are those of the product; the store is in memory. What
/// MicroHTTP's server refuses before a handler sees it is refused here by the same rules (``refusal(of:_:_:_:)``).
final class TestServer: Sendable {
    let api: API
    let hub: Hub
    let loop: EventLoop
    private let fanout: Fanout
    private let router: Router
    private let runner: LoopRunner
    private let hasDescriptors: Bool
    /// The clients' ends of streams.
    private let listeners = Mutex<[Listener]>([])

    /// 2027-01-15T08:00:00Z, in nanoseconds since 1970.
    static let start: Int64 = 1_800_000_000_000_000_000

    /// The permissions, the rates and the routes of a server.
    struct Options: Sendable {
        var anonymous = Set(Scope.allCases)
        var keys: [AccessFile.Key] = []
        var origins = AllowedOrigins()
        var proxies: [AddressBlock] = []
        var limits = ServiceLimits()
        var adapters = Adapters()
        var log: LogSink?
        /// The number of loops that have metrics; only the first one serves.
        var meteredLoops = 1
        /// The store, if it is not to be a new one in memory.
        var store: (any Store)?
        /// Whether the system has descriptors for streams.
        var hasDescriptors = true
        /// Decides which process carries out a request, if several share the channels.
        var gate: (any ChannelGate)?
    }

    init(_ options: Options = Options()) async throws {
        let loop = try EventLoop(name: "test")
        let store: any Store = options.store ?? MemoryStore()
        let catalogs = Catalogs(store: store, sent: [:])
        let hub = Hub(
            loops: [loop],
            store: store,
            clock: HubClock(wallClock: Self.start),
            answers: KeptAnswers(catalogs: catalogs, epoch: store.epoch),
            catalogs: catalogs,
            gate: options.gate
        )
        let authenticator = Authenticator(anonymous: options.anonymous)
        var file = AccessFile()
        file.keys = options.keys
        try await authenticator.adopt(file)
        let fanout = Fanout(loop: loop, hub: hub, limits: StreamLimits(count: 100))
        await fanout.start()
        self.loop = loop
        self.hub = hub
        self.fanout = fanout
        self.runner = LoopRunner(loop: loop)
        self.hasDescriptors = options.hasDescriptors
        self.api = API(
            hub: hub,
            fanouts: [fanout],
            index: 0,
            pages: try SamplePages.pages.get(),
            access: Access(authenticator: authenticator, proxies: TrustedProxies(options.proxies)),
            origins: options.origins,
            appliedLimits: AppliedLimits(options.limits, of: hub, authenticator),
            limits: options.limits.document,
            adapters: options.adapters,
            telemetry: Telemetry(
                loops: options.meteredLoops,
                version: "0",
                sink: options.log ?? Self.silentLog,
                level: options.log == nil ? .critical : .info,
                logsAccess: options.log != nil
            )
        )
        self.router = self.api.makeRouter()
    }

    deinit { self.loop.stop() }

    private static let silentLog = LogSink(format: .text)

    /// Sends a request; `Host` is `localhost` unless the header fields name another one.
    func send(
        _ method: String,
        _ target: String,
        _ headers: [String: String] = [:],
        body: String = "",
        from peer: String = "192.0.2.7"
    ) async throws -> TestResponse {
        var fields = HeaderFields()
        if headers["Host"] == nil { fields.append(name: "Host".utf8, value: "localhost".utf8) }
        for (name, value) in headers { fields.append(name: name.utf8, value: value.utf8) }
        let address = IPAddress(peer)
        if let error = self.refusal(of: method, target, fields, body) {
            let refused = RefusedRequest(
                error: error,
                method: method,
                target: Array(target.utf8),
                headers: fields,
                peer: address
            )
            return TestResponse(self.api.observe(refused, API.describe(error)))
        }
        guard let method = MicroHTTP.Method(rawValue: method), let target = Target(target.utf8) else {
            preconditionFailure("A request without a method or target is refused.")
        }
        let request = Request(method: method, target: target, headers: fields, body: Array(body.utf8), peer: address)
        let router = self.router
        let reply = await self.runner.run { await router.handle(request) }
        guard case .detach(let take, _, let otherwise) = reply else { return TestResponse(reply) }
        guard self.hasDescriptors else { return TestResponse(await self.runner.run { otherwise() }) }
        let (listener, descriptor) = try Listener.pair()
        self.listeners.withLock { $0.append(listener) }
        await self.runner.run { take(Socket(owning: descriptor)) }
        return TestResponse(reply)
    }

    /// Sends a request with a JSON document.
    func send(
        _ method: String,
        _ target: String,
        _ headers: [String: String] = [:],
        json: String
    ) async throws -> TestResponse {
        let type = ["Content-Type": "application/json"]
        return try await self.send(method, target, type.merging(headers) { $1 }, body: json)
    }

    /// Publishes a toast, and returns it as the response shows it.
    func publish(_ toast: String = #"{"message": "Hi"}"#, to channel: String = "ops") async throws -> JSON {
        try await self.send("POST", "/v1/channels/\(channel)/toasts", json: toast).json
    }

    /// Sends a command as the WebSocket of a channel does, with all permissions; returns the answer.
    func command(_ command: JSON, on channel: ChannelName, in language: LanguageTag? = nil) async throws -> JSON {
        let all = Set(Scope.allCases)
        let session = SocketSession(
            channel: channel,
            caller: Caller(Principal(name: "tests", grants: [Grant(all)]), from: .thisMachine, isProgram: true),
            language: language,
            fanout: self.fanout,
            id: StreamID(slot: 0, serial: 0)
        )
        let answer = await self.runner.run { await self.api.answer(session, command.encoded) }
        return try JSON(parsing: answer, depthLimit: 32)
    }

    /// The rules of MicroHTTP's server for a request's head and the length of its body.
    private func refusal(of method: String, _ target: String, _ fields: HeaderFields, _ body: String) -> HTTPError? {
        if Target.hasLongPath(Array(target.utf8)) { return .pathTooLong }
        if let error = RequestRules.violation(method: method, version: "HTTP/1.1", headers: fields) { return error }
        guard let parsed = Target(target.utf8) else { return .malformed("malformed request target") }
        guard MicroHTTP.Method(rawValue: method) != nil else {
            let allowed = self.router.methods(at: parsed)
            return allowed.isEmpty ? .notFound : .methodNotAllowed(allowed)
        }
        let limit = self.api.bodyLimit(at: parsed)
        return body.utf8.count > limit ? .bodyTooLong(limit: limit) : nil
    }
}

/// Runs code on a loop's thread, where handlers of requests run.
private actor LoopRunner: LoopActor {
    nonisolated let loop: EventLoop

    init(loop: EventLoop) {
        self.loop = loop
    }

    func run<Value: Sendable>(_ body: @Sendable () async -> Value) async -> Value {
        // Without the preference, a task that awaits another actor may resume on a thread of Swift's pool.
        await withTaskExecutorPreference(self.loop.taskExecutor) { await body() }
    }
}

/// A directory of pages: small, because every test has a server.
enum SamplePages {
    static let pages = Result { try Pages(directory: Self.write()) }

    private static func write() throws -> String {
        let directory = FileManager.default.temporaryDirectory.appending(path: "pages-" + UUID().uuidString)
        let files = [
            "index.html": "<!doctype html><title>Toasts</title>", "app.js": "export {};\n",
            "styles/plain.css": "toast { color: red }", "openapi.yaml": "openapi: 3.1.0\n",
            "long.txt": String(repeating: "bread ", count: 1000), ".hidden": "x", "notes.exe": "x",
        ]
        for (name, text) in files {
            let file = directory.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
        }
        return directory.path()
    }
}
