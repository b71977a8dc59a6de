import EventLoop
import Synchronization
import Testing

@testable import MicroHTTP

@Suite struct BodyLimitTests {
    @Test func theResourceOfABodyInChunksIsAskedOnceForItsBound() async throws {
        let asked = Mutex(0)
        let setUp: @Sendable (inout Server.Configuration) -> Void = { configuration in
            configuration.bodyLimit = 10
            configuration.bodyLimitOf = { _ in
                asked.withLock { $0 += 1 }
                return 1000
            }
        }
        try await withServer({ .response(Response(status: 200, body: Array("\($0.body.count)".utf8))) }, setUp) {
            port in
            let client = try RawClient(port: port)
            let chunks = String(repeating: "1\r\nx\r\n", count: 500) + "0\r\n\r\n"
            client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)
            #expect(client.readToEnd()?.hasSuffix("\r\n\r\n500") == true)
        }
        #expect(asked.withLock { $0 } == 1)
    }

    /// The library reads the body into what the head leaves of the connection's memory: 512 bytes or more at once.
    ///
    /// A longer head with 90 fields is refused.
    @Test(arguments: stride(from: 13_000, to: 20_400, by: 200).map { (head: $0, fields: $0 < 18_000 ? 90 : 10) })
    func aLongHeadLeavesRoomForTheBody(head: Int, fields: Int) async throws {
        let count = 60_000
        let turns = TurnCount()
        let (server, port, loop) = try await startServer { _ in .response(Response(status: 204)) }
        loop.execute { loop.addHook(turns) }
        let client = try RawClient(port: port)
        let short = String(repeating: "A: b\r\n", count: fields)
        let long = String(repeating: "x", count: head - short.utf8.count - 80)
        client.send("POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\(short)Long: \(long)\r\n")
        client.send("Content-Length: \(count)\r\n\r\n" + String(repeating: "x", count: count))
        #expect(client.readToEnd()?.hasPrefix("HTTP/1.1 204 ") == true)
        await server.stop()
        loop.stop()
        #expect((1..<count / 64).contains(turns.count.withLock { $0 }))
    }
}

private final class TurnCount: TurnHook {
    let count = Mutex(0)

    func endTurn(begunAt start: Int64) -> Int64? {
        self.count.withLock { $0 += 1 }
        return nil
    }
}
