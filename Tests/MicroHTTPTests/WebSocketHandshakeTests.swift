import Testing

@testable import MicroHTTP

@Suite struct WebSocketHandshakeTests {
    /// Whether a request with a key opens a socket.
    private func accepts(_ key: String) throws -> Bool {
        var headers = HeaderFields()
        let fields = ["upgrade": "websocket", "connection": "Upgrade", "sec-websocket-version": "13"]
        for (name, value) in fields { headers.append(name: name.utf8, value: value.utf8) }
        headers.append(name: "sec-websocket-key".utf8, value: key.utf8)
        let request = Request(method: .get, target: try #require(Target("/".utf8)), headers: headers)
        do throws(WebSocketHandshake.Failure) {
            _ = try WebSocketHandshake.accept(request, subprotocol: "toast")
            return true
        } catch {
            #expect(error == .notAHandshake("Sec-WebSocket-Key is missing or malformed"))
            return false
        }
    }

    @Test(arguments: ["dGhlIHNhbXBsZSBub25jZQ==", "AAAAAAAAAAAAAAAAAAAAAA==", "/////////////////////w=="])
    func `a key is 16 bytes in base64`(_ key: String) throws {
        #expect(try self.accepts(key))
    }

    @Test(arguments: [
        "", "dGhlIHNhbXBsZSBub25jZQ", "dGhlIHNhbXBsZSBub25jZR==", "dGhlIHNhbXBsZSBub25j", "dGhlIHNhbXBsZSBub25jZQA=",
        "dGhlIHNhbXBs ZSBub25jZQ==", "dGhlIHNhbXBsZSBub25-ZQ==", "dGhlIHNhbXBsZSBub25jZQ==A",
    ])
    func `nothing else is a key`(_ key: String) throws {
        #expect(try !self.accepts(key))
    }
}
