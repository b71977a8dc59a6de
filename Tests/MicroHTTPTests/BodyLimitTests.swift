import EventLoop
import Synchronization
import Testing

@testable import MicroHTTP

@Suite struct BodyLimitTests {
    @Test func theResourceOfABodyInChunksIsAskedOnceForItsBound() async throws {
        let asked = Mutex(0)
        let loop = try EventLoop(name: "http")
        var configuration = Server.Configuration(handler: { request in
            .response(Response(status: 200, body: Array("\(request.body.count)".utf8)))
        }) { _ in Response(status: 400) }
        configuration.bodyLimit = 10
        configuration.bodyLimitOf = { _ in
            asked.withLock { $0 += 1 }
            return 1000
        }
        let server = Server(loop: loop, configuration: configuration)
        let listener = try ListeningSocket(on: Address(host: "127.0.0.1", port: 0))
        let port = listener.address.port
        try await server.start(on: listener)
        let client = try RawClient(port: port)
        let chunks = String(repeating: "1\r\nx\r\n", count: 500) + "0\r\n\r\n"
        client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)
        #expect(client.readToEnd()?.hasSuffix("\r\n\r\n500") == true)
        #expect(asked.withLock { $0 } == 1)
        await server.stop()
        loop.stop()
    }
}
