import Foundation
import EventLoop
import Synchronization
import Testing

@testable import MicroHTTP

@Suite(.serialized) struct ServerTests {
    @Test func aHandlerAnswers() async throws {
        try await self.withServer { request in
            .response(Response(status: 200, body: Array("\(request.method.rawValue) ".utf8) + request.body))
        } test: { port in
            let client = try RawClient(port: port)
            client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello")
            #expect(client.read(until: "hello").hasPrefix("HTTP/1.1 200 OK\r\n"))
            client.send("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            #expect(client.readToEnd()?.hasSuffix("\r\n\r\nGET ") == true)
        }
    }

    @Test func aHandlerMayWaitElsewhere() async throws {
        let elsewhere = try Elsewhere()
        try await self.withServer { _ in
            await elsewhere.visit()
            return .response(Response(status: 200, body: Array("back".utf8)))
        } test: { port in
            let clients = try (0..<20).map { _ in try RawClient(port: port) }
            for client in clients { client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n") }
            for client in clients { #expect(client.readToEnd()?.hasSuffix("back") == true) }
        }
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
        let elsewhere = try Elsewhere()
        try await self.withServer { request in
            if request.target.path == ["slow"] { await elsewhere.visit() }
            return .response(Response(status: 200, body: Array(request.target.path.joined().utf8)))
        } test: { port in
            let client = try RawClient(port: port)
            client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n")
            client.send("GET /quick HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            let text = try #require(client.readToEnd())
            let slow = try #require(text.range(of: "\r\n\r\nslow"))
            #expect(text[slow.upperBound...].hasSuffix("quick"))
        }
    }

    /// libmicrohttpd closes its own descriptor without shutting the connection down; a library that changes this
    /// would end every stream, and fails here.
    @Test func aDetachedSocketOutlivesTheLibrary() async throws {
        let kept = Mutex<Socket?>(nil)
        try await self.withServer { _ in
            .detach({ socket in kept.withLock { $0 = socket } })
        } test: { port in
            let client = try RawClient(port: port)
            client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            let end = ContinuousClock.now + .seconds(10)
            while kept.withLock({ $0 == nil }), ContinuousClock.now < end { await Task.yield() }
            let socket = try #require(kept.withLock { $0 })
            // Another connection's answer shows that the turn which let go of the first one is over.
            let other = try RawClient(port: port)
            other.send("GET / HTTP/1.2\r\nHost: x\r\n\r\n")
            _ = other.readToEnd()
            #expect(StreamWriter(socket: socket).write(Frame(Array("still here".utf8))) == .clear)
            #expect(client.read(until: "still here") == "still here")
            kept.withLock { $0 = nil }
        }
    }

    /// The listening socket passes both on; a kernel that did not would have streams lag, and keep those whose peer vanished.
    @Test func aDetachedSocketSendsAtOnceAndNoticesWhenItsPeerVanishes() async throws {
        let options = Mutex<[CInt]>([])
        try await self.withServer { _ in
            .detach({ socket in
                let values = [TCP_NODELAY, TCP_USER_TIMEOUT].map {
                    Self.option(CInt(IPPROTO_TCP), $0, of: socket.descriptor)
                }
                options.withLock { $0 = values }
            })
        } test: { port in
            let client = try RawClient(port: port)
            client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(client.readToEnd() == "")
            #expect(options.withLock { $0 } == [1, 30_000])
        }
    }

    /// A long answer may have as much as its way takes; a stream that comes over the same connection may not.
    @Test(arguments: [0, 200_000])
    func theKernelHoldsLittleForADetachedSocket(bytesBefore: Int) async throws {
        let size = Mutex<CInt>(0)
        try await self.withServer { request in
            guard request.target.path.isEmpty else {
                return .response(Response(status: 200, body: Array(repeating: UInt8(ascii: "a"), count: bytesBefore)))
            }
            return .detach({ socket in
                let value = Self.option(SOL_SOCKET, SO_SNDBUF, of: socket.descriptor)
                size.withLock { $0 = value }
            })
        } test: { port in
            let client = try RawClient(port: port)
            client.send("GET /long HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect((client.readToEnd()?.utf8.count ?? 0) > bytesBefore)
            #expect(size.withLock { $0 } == 64 * 1024)
        }
    }

    /// What was read behind a request is lost when the library lets go of its connection, which has to be known then.
    @Test(arguments: [
        ("GET /late HTTP/1.1\r\nHost: x\r\n\r\n", true),
        ("GET /late HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\n\r\n", true),
        ("GET /now HTTP/1.1\r\nHost: x\r\n\r\nGET /late HTTP/1.1\r\nHost: x\r\n\r\n", true),
        ("POST /late HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello", true),
        ("POST /now HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nhGET /late HTTP/1.1\r\nHost: x\r\n\r\n", true),
        ("GET /late HTTP/1.1\r\nHost: x\r\n\r\nG", false),
        ("GET /late HTTP/1.1\r\nHost: x\r\n\r\n\r\n", false),
        ("\r\nGET /late HTTP/1.1\r\nHost: x\r\n\r\n", false),
        ("GET /late HTTP/1.1\r\nHost: x\r\n\r\nGET /late HTTP/1.1\r\nHost: x\r\n\r\n", false),
        ("POST /late HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello\r\n", false),
        ("POST /late HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nh\r\n0\r\n\r\n", false),
        ("GET /late HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", false),
        ("GET /late HTTP/1.1\r\nHost: x\r\nConnection: a, CLOSE\r\n\r\n", false),
        ("GET /late HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n", false),
    ])
    func aConnectionComesBackWhenNothingElseWasReadFromIt(text: String, comesBack: Bool) async throws {
        let ways = Mutex<[Bool]>([])
        try await self.withServer { request in
            guard request.target.path == ["late"] else { return .response(Response(status: 200)) }
            return .detach({ socket in ways.withLock { $0.append(socket.hasWayBack) } }, answersOnce: true)
        } test: { port in
            let client = try RawClient(port: port)
            client.send(text)
            _ = client.readToEnd()
            #expect(ways.withLock { $0 } == [comesBack])
        }
    }

    @Test func aConnectionThatCameBackGoesOnAndEndsWithTheServer() async throws {
        let clerk = Clerk()
        let (server, port, loop) = try await self.start { _ in .detach({ clerk.answer(over: $0) }, answersOnce: true) }
        clerk.loop.withLock { $0 = loop }
        let client = try RawClient(port: port)
        for number in 0..<3 {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(number)\r\n\r\n\("hello".prefix(number))")
            #expect(client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
        }
        await server.stop()
        #expect(client.readToEnd() == "")
        loop.stop()
    }

    /// A reset may overtake the answer before.
    @Test func aRequestThatNobodyTakesAnyLongerIsNoReasonForAReset() async throws {
        let clerk = Clerk()
        let (server, port, loop) = try await self.start { _ in .detach({ clerk.answer(over: $0) }, answersOnce: true) }
        clerk.loop.withLock { $0 = loop }
        let client = try RawClient(port: port)
        client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
        await withCheckedContinuation { continuation in
            loop.execute {
                // In one turn, so that the request is there before the loop can see it.
                client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                Task.immediate {
                    await server.stop()
                    continuation.resume()
                }
            }
        }
        #expect(client.readToEnd(resetIsAnEnd: false) == "")
        loop.stop()
    }

    private static func option(_ level: CInt, _ name: CInt, of descriptor: CInt) -> CInt {
        var (value, length): (CInt, socklen_t) = (-1, socklen_t(MemoryLayout<CInt>.size))
        return getsockopt(descriptor, level, name, &value, &length) == 0 ? value : -1
    }

    @Test(arguments: [
        "GET / HTTP/1.2\r\nHost: x\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nBad Name: y\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "BREW / HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /%00 HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /a%2Fb HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /../etc HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n",
        // A library that keeps heads in another way than `HeadReader` thinks would pass these.
        "GET / HTTP/1.1\r\nHost: x\r\nY: a\0b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nY: a\0\r\nZ: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nY: a\r\n b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\nY: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nY: a\n\r\n",
        "GET / HTTP/1.1\nHost: x\r\n\r\n",
        "GET  / HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked \r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ])
    func aMalformedRequestIsRefusedAndTheConnectionEnds(text: String) async throws {
        try await self.withServer { _ in
            .response(Response(status: 200))
        } test: { port in
            let client = try RawClient(port: port)
            client.send(text + "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n")
            let answer = try #require(client.readToEnd())
            #expect(answer.hasPrefix("HTTP/1.1 4") || answer.hasPrefix("HTTP/1.1 501"))
            #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2, "\(answer)")
        }
    }

    @Test func nothingBehindABodyInChunksIsRead() async throws {
        try await self.withServer { request in
            .response(Response(status: 200, body: request.body))
        } test: { port in
            let client = try RawClient(port: port)
            client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1;a\r\nx\r\n0\r\n\r\n")
            client.send("GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n")
            let answer = try #require(client.readToEnd())
            #expect(answer.hasSuffix("\r\n\r\nx"))
            #expect(answer.contains("Connection: close\r\n"))
        }
    }

    @Test func aRequestThatDoesNotComeInTimeEndsItsConnection() async throws {
        let loop = try EventLoop(name: "http")
        var configuration = Server.Configuration(handler: { _ in .response(Response(status: 200)) }) { _ in
            Response(status: 400)
        }
        configuration.requestTimeout = .milliseconds(1)
        let server = Server(loop: loop, configuration: configuration)
        let listener = try Listener(on: Address(host: "127.0.0.1", port: 0))
        let port = listener.address.port
        try await server.start(on: listener)
        let client = try RawClient(port: port)
        client.send("GET / HTTP/1.1\r\nHost: x")
        #expect(client.readToEnd()?.isEmpty == true)
        await server.stop()
        loop.stop()
    }

    @Test func connectionsThatWaitHaveToGoWhenThereIsHardlyRoom() async throws {
        let loop = try EventLoop(name: "http")
        var configuration = Server.Configuration(handler: { _ in .response(Response(status: 200)) }) { _ in
            Response(status: 400)
        }
        configuration.connectionLimit = 4
        let server = Server(loop: loop, configuration: configuration)
        let listener = try Listener(on: Address(host: "127.0.0.1", port: 0))
        let port = listener.address.port
        try await server.start(on: listener)
        let clients = try (0..<4).map { _ in try RawClient(port: port) }
        for client in clients { client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n") }
        for client in clients { #expect(client.readToEnd()?.hasPrefix("HTTP/1.1 200 ") == true) }
        await server.stop()
        loop.stop()
    }

    @Test(arguments: [
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 70000\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n11170\r\n\(String(repeating: "x", count: 70000))\r\n0\r\n\r\n",
    ])
    func aBodyBeyondTheLimitIsRefused(text: String) async throws {
        try await self.withServer { _ in
            .response(Response(status: 200))
        } test: { port in
            let client = try RawClient(port: port)
            client.send(text)
            #expect(client.readToEnd()?.hasPrefix("HTTP/1.1 413 ") == true)
        }
    }

    @Test func aPortThatAnotherServerHasIsNotShared() throws {
        let first = try Listener(on: Address(host: "127.0.0.1", port: 0))
        let second = try Listener(on: first.address, isFirst: false)
        #expect(second.address == first.address)
        let address = first.address
        #expect(throws: SystemError.self) { _ = try Listener(on: address) }
        _ = consume first
        _ = consume second
    }

    /// How long the kernel keeps it is its own; a test that waited for it would wait for the machine.
    @Test func whoHasSaidNothingIsLeftToTheKernel() throws {
        let listener = try Listener(on: Address(host: "127.0.0.1", port: 0))
        let descriptor = listener.takeDescriptor()
        defer { close(descriptor) }
        #expect(Self.option(CInt(IPPROTO_TCP), TCP_DEFER_ACCEPT, of: descriptor) == 1)
    }

    /// The kernel counts a peer that does not read, too: it must not end it before the server does.
    @Test func whoTakesNothingIsLeftToTheKernelForSoLong() throws {
        let listener = try Listener(on: Address(host: "127.0.0.1", port: 0), peerTimeout: .seconds(77))
        let descriptor = listener.takeDescriptor()
        defer { close(descriptor) }
        #expect(Self.option(CInt(IPPROTO_TCP), TCP_USER_TIMEOUT, of: descriptor) == 77_000)
    }

    @Test func stoppingLetsHandlersAnswer() async throws {
        let gate = try Gate()
        let (server, port, loop) = try await self.start { _ in
            await gate.wait()
            return .response(Response(status: 200, body: Array("done".utf8)))
        }
        let client = try RawClient(port: port)
        client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        await gate.arrival()
        async let stopped: Void = server.stop()
        await gate.open()
        await stopped
        #expect(client.readToEnd()?.hasSuffix("done") == true)
        loop.stop()
    }

    private func withServer(_ handler: @escaping Handler, test: (UInt16) async throws -> Void) async throws {
        let (server, port, loop) = try await self.start(handler)
        do { try await test(port) } catch { Issue.record(error) }
        await server.stop()
        loop.stop()
    }

    private func start(_ handler: @escaping Handler) async throws -> (Server, UInt16, EventLoop) {
        let loop = try EventLoop(name: "http")
        let configuration = Server.Configuration(handler: handler) { error in
            switch error {
            case .unknownTransferCoding: Response(status: 501)
            case .bodyTooLong: Response(status: 413)
            default: Response(status: 400)
            }
        }
        let server = Server(loop: loop, configuration: configuration)
        let listener = try Listener(on: Address(host: "127.0.0.1", port: 0))
        let port = listener.address.port
        try await server.start(on: listener)
        return (server, port, loop)
    }
}

/// Answers past the library, and gives each connection back.
private final class Clerk: Watcher {
    let loop = Mutex<EventLoop?>(nil)

    func answer(over socket: Socket) {
        guard socket.canReturn, let loop = self.loop.withLock({ $0 }),
            let watch = try? loop.watch(socket.descriptor, for: .peerClosed, by: self)
        else { return }
        _ = StreamWriter(socket: socket).write(Frame(Response(status: 200).serialized(isLast: false)))
        socket.giveBack(watchedBy: watch)
    }

    func ready(_ readiness: Readiness, token: Int) {}
}

/// Another loop to wait for: the test threads are blocked by their own reads, and would not get around to it.
private actor Elsewhere: LoopActor {
    nonisolated let loop: EventLoop

    init() throws { self.loop = try EventLoop(name: "elsewhere") }

    deinit { self.loop.stop() }

    func visit() {}
}

/// Holds whoever waits until it is opened, and tells when the first one came.
private actor Gate: LoopActor {
    nonisolated let loop: EventLoop
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var arrivals: [CheckedContinuation<Void, Never>] = []

    init() throws { self.loop = try EventLoop(name: "gate") }

    deinit { self.loop.stop() }

    func wait() async {
        for arrival in self.arrivals { arrival.resume() }
        self.arrivals = []
        if !self.isOpen { await withCheckedContinuation { self.waiting.append($0) } }
    }

    func arrival() async {
        if self.waiting.isEmpty { await withCheckedContinuation { self.arrivals.append($0) } }
    }

    func open() {
        self.isOpen = true
        for waiter in self.waiting { waiter.resume() }
        self.waiting = []
    }
}
