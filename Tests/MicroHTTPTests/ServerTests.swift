import EventLoop
import Foundation
import Synchronization
import Testing

@testable import MicroHTTP

@Suite(.serialized) struct ServerTests {
    @Test func aHandlerAnswers() async throws {
        try await withServer { request in
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
        try await withServer { _ in
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
        try await withServer { request in
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
        // A library that stores heads differently than `HeadReader` assumes would let these pass.
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
        try await withServer { _ in
            .response(Response(status: 200))
        } test: { port in
            let client = try RawClient(port: port)
            client.send(text + "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n")
            let answer = try #require(client.readToEnd())
            #expect(answer.hasPrefix("HTTP/1.1 4") || answer.hasPrefix("HTTP/1.1 501"))
            #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2, "\(answer)")
        }
    }

    @Test func nothingAfterAChunkedBodyIsRead() async throws {
        try await withServer { request in
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
        let listener = try ListeningSocket(on: Address(host: "127.0.0.1", port: 0))
        let port = listener.address.port
        try await server.start(on: listener)
        let client = try RawClient(port: port)
        client.send("GET / HTTP/1.1\r\nHost: x")
        #expect(client.readToEnd()?.isEmpty == true)
        await server.stop()
        loop.stop()
    }

    @Test func idleConnectionsAreClosedWhenThereIsHardlyRoom() async throws {
        let loop = try EventLoop(name: "http")
        var configuration = Server.Configuration(handler: { _ in .response(Response(status: 200)) }) { _ in
            Response(status: 400)
        }
        configuration.connectionLimit = 4
        let server = Server(loop: loop, configuration: configuration)
        let listener = try ListeningSocket(on: Address(host: "127.0.0.1", port: 0))
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
        try await withServer { _ in
            .response(Response(status: 200))
        } test: { port in
            let client = try RawClient(port: port)
            client.send(text)
            #expect(client.readToEnd()?.hasPrefix("HTTP/1.1 413 ") == true)
        }
    }

    @Test func aPortThatAnotherServerHasIsNotShared() throws {
        let first = try ListeningSocket(on: Address(host: "127.0.0.1", port: 0))
        let second = try ListeningSocket(on: first.address, isFirst: false)
        #expect(second.address == first.address)
        let address = first.address
        #expect(throws: SystemError.self) { _ = try ListeningSocket(on: address) }
        _ = consume first
        _ = consume second
    }

    @Test func stoppingLetsHandlersAnswer() async throws {
        let gate = try Gate()
        let (server, port, loop) = try await startServer { _ in
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
}

/// Another loop to await: the test threads are blocked by their own reads.
private actor Elsewhere: LoopActor {
    nonisolated let loop: EventLoop

    init() throws { self.loop = try EventLoop(name: "elsewhere") }

    deinit { self.loop.stop() }

    func visit() {}
}

/// Suspends callers until it is opened; tests can wait for the first caller.
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
