import EventLoop
import Foundation
import Synchronization
import Testing

@testable import MicroHTTP

/// Connections that the library has released: streams, and late responses.
@Suite(.serialized) struct DetachedSocketTests {
    /// libmicrohttpd closes its own descriptor without shutting the connection down; a library that changes this
    /// would end every stream, and fails here.
    @Test func aDetachedSocketOutlivesTheLibrary() async throws {
        let kept = Mutex<Socket?>(nil)
        try await withServer { _ in
            .detach({ socket in kept.withLock { $0 = socket } })
        } test: { port in
            let client = try RawClient(port: port)
            client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            let end = ContinuousClock.now + .seconds(10)
            while kept.withLock({ $0 == nil }), ContinuousClock.now < end { await Task.yield() }
            let socket = try #require(kept.withLock { $0 })
            // The response on another connection shows that the turn which released the first one is over.
            let other = try RawClient(port: port)
            other.send("GET / HTTP/1.2\r\nHost: x\r\n\r\n")
            _ = other.readToEnd()
            #expect(StreamWriter(socket: socket).write(Frame(Array("still here".utf8))) == .clear)
            #expect(client.read(until: "still here") == "still here")
            kept.withLock { $0 = nil }
        }
    }

    /// The library does not look at a connection whose request waits for an answer.
    @Test func aRequestSeesThatItsPeerHasLeft() async throws {
        let seen = Mutex<[Bool]>([])
        let hasLeft = Mutex<(@Sendable () -> Bool)?>(nil)
        try await withServer { request in
            hasLeft.withLock { $0 = request.hasPeerLeft }
            while seen.withLock({ $0.isEmpty }) { await Task.yield() }
            while !request.hasPeerLeft() { await Task.yield() }
            seen.withLock { $0.append(true) }
            return .response(Response(status: 200))
        } test: { port in
            var client: RawClient? = try RawClient(port: port)
            client?.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            while hasLeft.withLock({ $0 == nil }) { await Task.yield() }
            let probe = try #require(hasLeft.withLock { $0 })
            #expect(!probe())
            seen.withLock { $0.append(false) }
            client = nil
            while seen.withLock({ $0.count < 2 }) { await Task.yield() }
            while !probe() { await Task.yield() }
        }
        #expect(seen.withLock { $0 } == [false, true])
    }

    /// `nc -N` closes its half after the request, which the library reads before it asks for a reply that was not
    /// ready.
    @Test(arguments: ["GET", "HEAD"], [200, 204]) func whoHasClosedTheirHalfGetsALateReply(
        method: String,
        status: Int
    ) async throws {
        try await withServer { request in
            while !request.hasPeerLeft() { await Task.yield() }
            return .response(Response(status: status, body: status == 200 ? Array("late".utf8) : []))
        } test: { port in
            let client = try RawClient(port: port)
            client.send("\(method) / HTTP/1.1\r\nHost: x\r\n\r\n")
            client.closeHalf()
            let lines = try #require(client.readToEnd(resetIsAnEnd: false)).split(separator: "\r\n")
            #expect(lines.first == (status == 200 ? "HTTP/1.1 200 OK" : "HTTP/1.1 204 No Content"))
            #expect(lines.contains("Content-Length: 4") == (status == 200))
            #expect(lines.contains { $0.hasPrefix("Content-Length") } == (status == 200))
            #expect((lines.last == "late") == (method == "GET" && status == 200))
        }
    }

    @Test func theSocketOfAPeerThatHasClosedItsHalfIsPassedOn() async throws {
        try await withServer { request in
            while !request.hasPeerLeft() { await Task.yield() }
            return .detach({ socket in
                #expect(StreamWriter(socket: socket).write(Frame(Array("still here".utf8))) == .clear)
            })
        } test: { port in
            let client = try RawClient(port: port)
            client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            client.closeHalf()
            #expect(client.readToEnd(resetIsAnEnd: false) == "still here")
        }
    }

    /// Sockets inherit both options from the listening socket; without them, streams would lag, and outlive their
    /// peers.
    @Test func aDetachedSocketSendsAtOnceAndNoticesWhenItsPeerVanishes() async throws {
        let options = Mutex<[CInt]>([])
        try await withServer { _ in
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

    /// The send buffer is limited for a stream even after a long response on the same connection.
    @Test(arguments: [0, 200_000])
    func theKernelHoldsLittleForADetachedSocket(bytesBefore: Int) async throws {
        let size = Mutex<CInt>(0)
        try await withServer { request in
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

    /// Bytes that the library read after a request are lost when it releases the connection, so they must be detected.
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
        try await withServer { request in
            guard request.target.path == ["late"] else { return .response(Response(status: 200)) }
            return .detach({ socket in ways.withLock { $0.append(socket.mayReturn) } }, answersOnce: true)
        } test: { port in
            let client = try RawClient(port: port)
            client.send(text)
            _ = client.readToEnd()
            #expect(ways.withLock { $0 } == [comesBack])
        }
    }

    @Test func aConnectionThatCameBackGoesOnAndEndsWithTheServer() async throws {
        let responder = LateResponder()
        let (server, port, loop) = try await startServer { _ in
            .detach({ responder.answer(over: $0) }, answersOnce: true)
        }
        responder.loop.withLock { $0 = loop }
        let client = try RawClient(port: port)
        for number in 0..<3 {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(number)\r\n\r\n\("hello".prefix(number))")
            #expect(client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
        }
        await server.stop()
        #expect(client.readToEnd() == "")
        loop.stop()
    }

    /// A reset could overtake the response before it.
    @Test func aRequestDuringTheStopIsNotAnsweredByAReset() async throws {
        let responder = LateResponder()
        let (server, port, loop) = try await startServer { _ in
            .detach({ responder.answer(over: $0) }, answersOnce: true)
        }
        responder.loop.withLock { $0 = loop }
        let client = try RawClient(port: port)
        client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
        await withCheckedContinuation { continuation in
            loop.execute {
                // In one turn, so that the request arrives before the loop can notice it.
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

    /// Checks the option only: the kernel decides how long it waits.
    @Test func aConnectionWithoutARequestWaitsInTheKernel() throws {
        let listener = try ListeningSocket(on: Address(host: "127.0.0.1", port: 0))
        let descriptor = listener.takeDescriptor()
        defer { close(descriptor) }
        #expect(Self.option(CInt(IPPROTO_TCP), TCP_DEFER_ACCEPT, of: descriptor) == 1)
    }

    /// The timeout also ends a peer that does not read, so it must not be shorter than the server's.
    @Test func theKernelEndsAPeerThatAcknowledgesNothingAfterTheTimeout() throws {
        let listener = try ListeningSocket(on: Address(host: "127.0.0.1", port: 0), peerTimeout: .seconds(77))
        let descriptor = listener.takeDescriptor()
        defer { close(descriptor) }
        #expect(Self.option(CInt(IPPROTO_TCP), TCP_USER_TIMEOUT, of: descriptor) == 77_000)
    }
}

/// Sends late responses, and returns each connection to the server.
private final class LateResponder: Watcher {
    let loop = Mutex<EventLoop?>(nil)

    func answer(over socket: Socket) {
        guard socket.canReturn, let loop = self.loop.withLock({ $0 }),
            let watch = try? loop.watch(socket.descriptor, for: .peerClosed, by: self)
        else { return }
        _ = StreamWriter(socket: socket).write(Frame(Response(status: 200).serialized(closesConnection: false)))
        socket.returnToServer(watchedBy: watch)
    }

    func ready(_ readiness: Readiness, token: Int) {}
}
