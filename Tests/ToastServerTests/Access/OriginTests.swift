import Testing
import ToastCore

@testable import ToastServer

/// Pages of other origins: the CORS protocol, `Sec-Fetch-Site`, and DNS rebinding.
@Suite struct OriginTests {
    private static let path = "/v1/channels/ops/toasts"
    private let server: TestServer
    private let sharing: TestServer

    init() async throws {
        self.server = try await TestServer()
        var options = TestServer.Options()
        options.origins = try #require(AllowedOrigins("https://app.example"))
        self.sharing = try await TestServer(options)
    }

    private func publish(_ server: TestServer, _ headers: [String: String]) async throws -> TestResponse {
        try await server.send("POST", Self.path, headers, json: #"{"message": "Hi"}"#)
    }

    @Test func `a page of another origin can change nothing`() async throws {
        let response = try await self.publish(self.server, ["Origin": "https://evil.example"])
        #expect(response.status == 403)
        #expect(response.problem == "origin-not-allowed")
        #expect(try await self.publish(self.server, ["Origin": "null"]).status == 403)
        #expect(try await self.publish(self.sharing, ["Origin": "https://evil.example"]).status == 403)
        #expect(try await self.server.send("GET", Self.path).json["toasts"] == [])
    }

    @Test func `the server's own pages and those of allowed origins can publish`() async throws {
        #expect(try await self.publish(self.server, ["Origin": "http://localhost"]).status == 201)
        #expect(try await self.publish(self.server, ["Origin": "https://localhost"]).status == 201)
        let response = try await self.publish(self.sharing, ["Origin": "https://app.example"])
        #expect(response.status == 201)
        #expect(response["Access-Control-Allow-Origin"] == "https://app.example")
        #expect(response["Access-Control-Allow-Credentials"] == "true")
        #expect(response.list("Access-Control-Expose-Headers").contains("ETag"))
        #expect(response.list("Vary").contains("Origin"))
    }

    @Test func `a response is not shared with an origin that is not allowed`() async throws {
        let response = try await self.sharing.send("GET", Self.path, ["Origin": "https://evil.example"])
        #expect(response["Access-Control-Allow-Origin"] == nil)
        #expect(response.list("Vary").contains("Origin"))
        #expect(try await self.server.send("GET", Self.path)["Vary"] == "Accept-Language")
    }

    @Test func `a preflight of an allowed origin names methods and fields`() async throws {
        let headers = ["Origin": "https://app.example", "Access-Control-Request-Method": "PATCH"]
        let response = try await self.sharing.send("OPTIONS", Self.path, headers)
        #expect(response.status == 204)
        #expect(response.list("Access-Control-Allow-Methods") == response.list("Allow"))
        #expect(response.list("Access-Control-Allow-Methods").contains("PATCH"))
        #expect(response.list("Access-Control-Allow-Headers").contains("Idempotency-Key"))
        #expect(response["Access-Control-Max-Age"] == "7200")
        let other = headers.merging(["Origin": "https://evil.example"]) { $1 }
        #expect(try await self.sharing.send("OPTIONS", Self.path, other)["Access-Control-Allow-Methods"] == nil)
        #expect(try await self.server.send("OPTIONS", Self.path, headers)["Access-Control-Allow-Methods"] == nil)
    }

    @Test(arguments: ["cross-site", "same-site"])
    func `requests of another origin's pages are refused, also reads`(site: String) async throws {
        #expect(try await self.publish(self.server, ["Sec-Fetch-Site": site]).problem == "origin-not-allowed")
        let read = try await self.server.send("GET", Self.path, ["Sec-Fetch-Site": site])
        #expect(read.problem == "origin-not-allowed")
        let stream = try await self.server.send("GET", "/v1/channels/ops/stream", ["Sec-Fetch-Site": site])
        #expect(stream.problem == "origin-not-allowed")
    }

    @Test(arguments: ["same-origin", "none"])
    func `requests of the server's own pages, or of a person, are not refused`(site: String) async throws {
        #expect(try await self.publish(self.server, ["Sec-Fetch-Site": site]).status == 201)
    }

    @Test func `a link may be followed to a document, and any page may load files`() async throws {
        let link = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"]
        #expect(try await self.server.send("GET", Self.path, link).status == 200)
        #expect(try await self.publish(self.server, link).status == 403)
        let frame = link.merging(["Sec-Fetch-Dest": "iframe"]) { $1 }
        #expect(try await self.server.send("GET", Self.path, frame).status == 403)
        #expect(try await self.server.send("GET", "/app.js", ["Sec-Fetch-Site": "cross-site"]).status == 200)
    }

    @Test func `a stream of another origin's page is refused by its Origin alone`() async throws {
        let headers = ["Origin": "https://evil.example"]
        #expect(try await self.server.send("GET", "/v1/channels/ops/stream", headers).status == 403)
        // The browser does not let the page see the response.
        #expect(try await self.server.send("GET", Self.path, headers).status == 200)
    }

    @Test func `a public name gets no anonymous access`() async throws {
        let response = try await self.server.send("GET", Self.path, ["Host": "evil.example"])
        #expect(response.status == 403)
        #expect(response.problem == "host-not-allowed")
        for host in ["localhost:8080", "127.0.0.1", "[::1]:80", "192.168.1.5"] {
            #expect(try await self.server.send("GET", Self.path, ["Host": host]).status == 200)
        }
        #expect(try await self.sharing.send("GET", Self.path, ["Host": "app.example"]).status == 200)
    }

    @Test func `every response has the security fields for browsers`() async throws {
        for path in [Self.path, "/v1/nothing", "/v1/presets"] {
            let response = try await self.server.send("GET", path)
            #expect(response["X-Content-Type-Options"] == "nosniff")
            #expect(response["Content-Security-Policy"]?.contains("default-src 'none'") == true)
            #expect(response["Cross-Origin-Resource-Policy"] == "same-origin")
        }
    }
}
