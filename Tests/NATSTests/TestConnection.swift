import EventLoop
import Foundation
import Glibc
import NATS
import NATSTestServer
import Synchronization

/// Starts a server and connects to it; ends both after the body.
func withServer(
    _ change: (inout ConnectionOptions) -> Void = { _ in },
    _ body: (NATSServer, TestConnection) async throws -> Void
) async throws {
    let server = try NATSServer.start()
    defer { server.end() }
    let test = try await TestConnection([server], change)
    do {
        try await body(server, test)
    } catch {
        await test.end()
        throw error
    }
    await test.end()
}

/// A connection with a client on a loop of its own, and a record of what happened to it.
final class TestConnection: Sendable {
    let connection: NATSConnection
    let client: NATSClient
    let loop: EventLoop
    let events: Recorder<ConnectionEvent>
    /// The thread of each event.
    let threads: Recorder<pthread_t>

    var jetStream: JetStream { JetStream(self.client) }

    init(_ servers: [NATSServer], _ change: (inout ConnectionOptions) -> Void = { _ in }) async throws {
        var options = ConnectionOptions(servers: servers.map(\.url))
        options.name = "tests"
        options.reconnectPause = .milliseconds(10)
        // On a machine that is busy with other tests, the server answers late.
        options.connectTimeout = .seconds(60)
        change(&options)
        let events = Recorder<ConnectionEvent>()
        self.events = events
        let threads = Recorder<pthread_t>()
        self.threads = threads
        self.connection = try await NATSConnection.connect(options) { event in
            threads.append(pthread_self())
            events.append(event)
        }
        self.loop = try EventLoop(name: "nats test")
        self.client = self.connection.makeClient()
    }

    func end() async {
        await self.connection.close()
        self.loop.stop()
    }

    /// Makes a stream that allows everything that the tests use.
    func makeStream(_ name: String = "LOG", replicas: Int = 1) async throws {
        let configuration = """
            {"name":"\(name)","subjects":["\(name).>"],"storage":"file","num_replicas":\(replicas),"allow_direct":true,
            "allow_atomic":true,"allow_msg_ttl":true,"allow_rollup_hdrs":true}
            """
        try await self.jetStream.makeStream(name, configuration: Array(configuration.utf8))
    }
}

/// Collects values from any thread; a test can wait for them.
final class Recorder<Value: Sendable>: Sendable {
    private struct State {
        var values: [Value] = []
        var waiting: [(isMet: @Sendable ([Value]) -> Bool, continuation: CheckedContinuation<[Value], Never>)] = []
    }

    private let state = Mutex(State())

    var values: [Value] { self.state.withLock { $0.values } }

    func append(_ value: Value) {
        let (values, ready) = self.state.withLock { state in
            state.values.append(value)
            let values = state.values
            let ready = state.waiting.filter { $0.isMet(values) }
            state.waiting.removeAll { $0.isMet(values) }
            return (values, ready)
        }
        for waiter in ready { waiter.continuation.resume(returning: values) }
    }

    /// Returns the values as soon as they meet a condition; if they never do, the suite's time limit ends the wait.
    func wait(until isMet: @escaping @Sendable ([Value]) -> Bool) async -> [Value] {
        await withCheckedContinuation { continuation in
            let now: [Value]? = self.state.withLock { state in
                if isMet(state.values) { return state.values }
                state.waiting.append((isMet, continuation))
                return nil
            }
            if let now { continuation.resume(returning: now) }
        }
    }
}

/// The bytes of a text.
func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

/// Simulates a server of another version, up to the greeting at which a client gives up.
final class FakeServer: Sendable {
    let port: Int
    private let listener: CInt

    init(version: String) throws {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 4) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        guard isBound else { throw NATSError.cannotConnect("no port") }
        self.listener = listener
        self.port = Int(UInt16(bigEndian: address.sin_port))
        let thread = Unmanaged.passRetained(Box { Self.serve(listener, version) })
        var id = pthread_t()
        pthread_create(
            &id,
            nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
                return nil
            },
            thread.toOpaque()
        )
        pthread_detach(id)
    }

    /// Ends the client, and with it the connection.
    func end() { shutdown(self.listener, CInt(SHUT_RDWR)) }

    private final class Box {
        let body: () -> Void

        init(_ body: @escaping () -> Void) { self.body = body }
    }

    private static func serve(_ listener: CInt, _ version: String) {
        defer { close(listener) }
        while true {
            let peer = accept(listener, nil, nil)
            guard peer >= 0 else { return }
            Self.answer(peer, version)
            close(peer)
        }
    }

    private static func answer(_ peer: CInt, _ version: String) {
        func send(_ text: String) { _ = Glibc.send(peer, text, text.utf8.count, CInt(MSG_NOSIGNAL)) }
        let info = #""server_id":"fake","version":"\#(version)","proto":1,"headers":true,"max_payload":1048576"#
        send("INFO {\(info)}\r\n")
        var input = ""
        var part = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(peer, &part, part.count, 0)
            guard count > 0 else { return }
            input += String(decoding: part[..<count], as: UTF8.self)
            while let end = input.range(of: "\r\n") {
                let words = input[..<end.lowerBound].split(separator: " ")
                input = String(input[end.upperBound...])
                switch words.first {
                case "PING": send("PONG\r\n")
                case "PUB" where words.count == 4 && words[1] == "$SYS.REQ.USER.INFO":
                    let body = #"{"server":{"ver":"\#(version)"}}"#
                    send("MSG \(words[2]) 1 \(body.utf8.count)\r\n\(body)\r\n")
                default: break
                }
            }
        }
    }
}
