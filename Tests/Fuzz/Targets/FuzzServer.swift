import EventLoop
import Foundation
import Logging
import TestSupport
import ToastAccess
import ToastStore

@testable import MicroHTTP
@testable import ToastCore
@testable import ToastHub
@testable import ToastServer

/// A whole server without a socket: everyone may do everything, nothing is on disk.
let lab: FuzzServer? = try? FuzzServer()

final class FuzzServer: Sendable {
    let api: API
    private let desk: Desk
    private let router: Router
    private let session: SocketSession

    init() throws {
        let loop = try EventLoop(name: "fuzz")
        let clock = HubClock(wallClock: Int64(Date().timeIntervalSince1970 * 1_000_000_000))
        let store = MemoryStore()
        let catalogs = Catalogs(store: store, sent: [:])
        let answers = KeptAnswers(catalogs: catalogs, epoch: store.epoch)
        let hub = Hub(loops: [loop], store: store, clock: clock, answers: answers, catalogs: catalogs)
        let fanout = Fanout(loop: loop, hub: hub, limits: StreamLimits(count: 100))
        let authenticator = Authenticator(anonymous: Set(Scope.allCases))
        let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        self.desk = Desk(loop: loop)
        self.api = API(
            hub: hub,
            fanouts: [fanout],
            index: 0,
            pages: try Pages(directory: root.appending(path: "public").path()),
            access: Access(authenticator: authenticator),
            appliedLimits: AppliedLimits(ServiceLimits(), of: hub),
            telemetry: Telemetry(
                loops: 1,
                version: "0",
                sink: LogSink(format: .text),
                level: .critical,
                logsAccess: false
            )
        )
        self.router = self.api.makeRouter()
        self.session = SocketSession(
            channel: ChannelName(rawValue: "ops"),
            caller: Caller(.anonymous(Set(Scope.allCases)), from: .thisMachine, isProgram: false),
            fanout: fanout,
            id: StreamID(slot: 0, serial: 0)
        )
    }

    func answer(_ request: Request) throws -> Reply {
        let (desk, router) = (self.desk, self.router)
        return try wait { await desk.perform { await router.handle(request) } }
    }

    func answer(_ command: [UInt8]) throws -> [UInt8] {
        let (desk, api, session) = (self.desk, self.api, self.session)
        return try wait { await desk.perform { await api.answer(session, command) } }
    }
}

/// Where the loop is the executor, as it is for whoever comes by a connection.
private actor Desk: LoopActor {
    nonisolated let loop: EventLoop

    init(loop: EventLoop) {
        self.loop = loop
    }

    func perform<Value: Sendable>(_ body: @Sendable () async -> Value) async -> Value { await body() }
}
