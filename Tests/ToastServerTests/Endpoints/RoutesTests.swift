import Testing
import ToastCore
import ToastHub

@testable import ToastServer

@Suite struct RoutesTests {
    private let server: TestServer

    init() async throws { self.server = try await TestServer() }

    @Test(arguments: ["/v1/nothing", "/v1", "/v1/", "/v1/channels/ops", "/nothing", "/.hidden", "/notes.exe"])
    func `a path without a resource is not found`(path: String) async throws {
        let response = try await self.server.send(path == "/v1/channels/ops" ? "POST" : "GET", path)
        let isThere = path == "/v1/channels/ops"
        #expect(response.status == (isThere ? 405 : 404))
        #expect(response.problem == (isThere ? "method-not-allowed" : "not-found"))
    }

    @Test(arguments: [
        ("PUT", "/v1/channels/ops/toasts", "GET, HEAD, POST, PATCH, DELETE, OPTIONS"),
        ("GET", "/v1/toasts", "POST, OPTIONS"),
        ("POST", "/v1/channels/ops/settings", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"),
        ("DELETE", "/livez", "GET, HEAD, OPTIONS"), ("POST", "/app.js", "GET, HEAD, OPTIONS"),
        ("BREW", "/v1/settings", "GET, HEAD, PATCH, OPTIONS"),
    ])
    func `a method that a resource does not have is refused with those that it has`(
        method: String,
        path: String,
        allowed: String
    ) async throws {
        let response = try await self.server.send(method, path)
        #expect(response.status == 405)
        #expect(response.problem == "method-not-allowed")
        #expect(response["Allow"] == allowed)
    }

    @Test func `an unknown method at an unknown path is not found`() async throws {
        #expect(try await self.server.send("BREW", "/v1/nothing").problem == "not-found")
    }

    @Test func `OPTIONS names the methods of a resource and does nothing`() async throws {
        let response = try await self.server.send("OPTIONS", "/v1/channels/ops/toasts/abc/dismiss")
        #expect(response.status == 204)
        #expect(response["Allow"] == "POST, OPTIONS")
        #expect(response.body.isEmpty)
        #expect(try await self.server.send("OPTIONS", "/v1/nothing").status == 404)
    }

    @Test func `HEAD is answered wherever GET is`() async throws {
        let id = try #require(try await self.server.publish()["id"]?.string)
        for path in ["/v1/channels/ops/toasts", "/v1/channels/ops/toasts/\(id)", "/v1/presets", "/app.js", "/livez"] {
            let (head, get) = (try await self.server.send("HEAD", path), try await self.server.send("GET", path))
            #expect(head.status == 200)
            #expect(head["ETag"] == get["ETag"])
        }
        #expect(try await self.server.send("HEAD", "/v1/toasts").status == 405)
    }

    @Test func `HEAD of a stream opens no stream`() async throws {
        let response = try await self.server.send("HEAD", "/v1/channels/ops/stream")
        #expect(!response.isStream)
        #expect(response["Content-Type"] == "text/event-stream")
    }

    @Test func `GET of a stream, a waiting poll and a socket takes the connection`() async throws {
        #expect(try await self.server.send("GET", "/v1/channels/ops/stream").isStream)
        #expect(try await self.server.send("GET", "/v1/stream?channel=a&channel=b").isStream)
        let cursor = try #require(try await self.server.send("GET", "/v1/channels/ops").json["cursor"]?.string)
        #expect(try await self.server.send("GET", "/v1/channels/ops/poll?since=\(cursor)").isStream)
        let upgrade = [
            "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        ]
        #expect(try await self.server.send("GET", "/v1/channels/ops/socket", upgrade).isStream)
    }

    @Test(arguments: ["GET", "HEAD"])
    func `a socket without a handshake is asked for one`(method: String) async throws {
        let response = try await self.server.send(method, "/v1/channels/ops/socket")
        #expect(response.status == 426)
        #expect(response.problem == "upgrade-required")
        #expect(response["Upgrade"] == "websocket")
        #expect(response["Sec-WebSocket-Version"] == "13")
    }

    @Test func `refusals in the form of ntfy have the header fields of their status`() async throws {
        var options = TestServer.Options()
        options.adapters.ntfy = true
        let server = try await TestServer(options)
        let upgrade = [
            "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "12",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        ]
        for fields in [[:], upgrade] {
            let response = try await server.send("GET", "/ops/ws", fields)
            #expect(response.status == 426)
            #expect(response["Upgrade"] == "websocket")
            #expect(response["Sec-WebSocket-Version"] == "13")
        }
        let soap = upgrade.merging(["Sec-WebSocket-Version": "13", "Sec-WebSocket-Protocol": "soap"]) { $1 }
        #expect(try await server.send("GET", "/ops/ws", soap).status == 400)
        let head = try await server.send("HEAD", "/ops/publish?message=x")
        #expect(head.status == 405)
        #expect(head["Allow"] == "GET, POST, PUT, OPTIONS")
    }

    @Test func `a stream of several channels takes no cursor of one`() async throws {
        let cursor = try #require(try await self.server.send("GET", "/v1/channels/ops").json["cursor"]?.string)
        let response = try await self.server.send("GET", "/v1/stream?channel=ops&since=\(cursor)")
        #expect(response.problem == "invalid-parameter")
        #expect(try await self.server.send("GET", "/v1/stream").problem == "invalid-parameter")
    }

    @Test func `a slash at the end is another path`() async throws {
        #expect(try await self.server.send("GET", "/v1/presets").status == 200)
        #expect(try await self.server.send("GET", "/v1/presets/").status == 404)
        #expect(try await self.server.send("GET", "/v1/channels/ops/toasts/").status == 404)
        #expect(try await self.server.send("GET", "/v1/channels//toasts").status == 404)
    }

    @Test func `a path has at most 1024 bytes and 16 segments`() async throws {
        let (long, deep) = (String(repeating: "a", count: 1024), String(repeating: "/a", count: 17))
        for path in ["/" + long, deep] {
            let response = try await self.server.send("GET", path)
            #expect(response.status == 414)
            #expect(response.problem == "path-too-long")
        }
        #expect(try await self.server.send("GET", "/" + long.dropLast()).status == 404)
        #expect(try await self.server.send("GET", String(deep.dropLast(2))).status == 404)
        // The query is not part of the path.
        #expect(try await self.server.send("GET", "/v1/presets?x=" + long).status == 200)
    }

    @Test(arguments: ["/v1/%zz", "/v1/%00", "/v1/a%2Fb", "/v1/..", "/v1/%2e%2e/livez", "*", "livez", "/%FF"])
    func `a malformed target is a malformed request`(target: String) async throws {
        let response = try await self.server.send("GET", target)
        #expect(response.status == 400)
        #expect(response.problem == "malformed-request")
    }

    @Test func `an escaped segment is the same segment`() async throws {
        let response = try await self.server.send("GET", "/v1/channels/o%70s")
        #expect(response.json["name"] == "ops")
    }

    @Test func `a channel's name has letters, digits, hyphens and underscores`() async throws {
        for name in ["a.b", "ä", "a%20b", String(repeating: "a", count: 65)] {
            let target = "/v1/channels/\(name == "ä" ? "%C3%A4" : name)/toasts"
            let response = try await self.server.send("POST", target, json: #"{"message": "Hi"}"#)
            #expect(response.status == 400)
            #expect(response.problem == "invalid-channel-name")
        }
    }

    @Test func `a path of one segment that is posted to hints at the API`() async throws {
        let response = try await self.server.send("POST", "/ops", body: "Hi")
        #expect(response.problem == "not-found")
        #expect(response.json["detail"]?.string?.contains("/v1/channels/{channel}/toasts") == true)
        #expect(try await self.server.send("GET", "/ops").json["detail"] == nil)
    }

    @Test func `a server that drains is not ready`() async throws {
        #expect(try await self.server.send("GET", "/readyz").json == ["status": "ok"])
        self.server.hub.announceDrain()
        #expect(try await self.server.send("GET", "/readyz").problem == "shutting-down")
        #expect(try await self.server.send("GET", "/livez").status == 200)
    }

    @Test func `a body is at most as long as a document may be`() async throws {
        let body = String(repeating: " ", count: 65_537)
        let response = try await self.server.send("POST", "/v1/channels/ops/toasts", json: body)
        #expect(response.status == 413)
        #expect(response.problem == "payload-too-large")
        // A catalog may be longer.
        #expect(try await self.server.send("PUT", "/v1/catalogs/de", json: body).problem == "invalid-json")
    }
}
