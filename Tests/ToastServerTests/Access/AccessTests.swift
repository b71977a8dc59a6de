import InternetAddresses
import Testing
import ToastAccess
import ToastCore

@testable import ToastServer

@Suite struct AccessTests {
    private let server: TestServer
    private let publisher = APIKey()
    private let reader = APIKey()
    private let manager = APIKey()

    init() async throws {
        var options = TestServer.Options()
        options.anonymous = []
        let ops = try #require(ChannelPattern(rawValue: "ops-*"))
        options.keys = [
            AccessFile.Key(self.publisher, name: "ci", grants: [Grant([.publish], on: [ops])], expires: nil),
            AccessFile.Key(self.reader, name: "screen", grants: [Grant([.subscribe], on: [ops])], expires: nil),
            AccessFile.Key(self.manager, name: "admin", grants: [Grant(Set(Scope.allCases))], expires: nil),
        ]
        options.proxies = [try #require(AddressBlock("10.0.0.0/8"))]
        self.server = try await TestServer(options)
    }

    private func bearer(_ key: APIKey) -> [String: String] { ["Authorization": "Bearer " + key.text] }

    private func publish(to channel: String, _ headers: [String: String]) async throws -> TestResponse {
        try await self.server.send("POST", "/v1/channels/\(channel)/toasts", headers, json: #"{"message": "Hi"}"#)
    }

    @Test func `a request without a credential is asked for one`() async throws {
        let response = try await self.publish(to: "ops-1", [:])
        #expect(response.status == 401)
        #expect(response.problem == "credentials-required")
        #expect(response["WWW-Authenticate"] == #"Bearer realm="toastd""#)
    }

    @Test(arguments: ["Bearer x", "Bearer ", "Basic YTpi", "bearer toastd_0_0", "x"])
    func `a wrong credential is refused`(authorization: String) async throws {
        let response = try await self.publish(to: "ops-1", ["Authorization": authorization])
        #expect(response.status == 401)
        #expect(response.problem == "credentials-invalid")
        #expect(response["WWW-Authenticate"]?.contains("invalid_token") == true)
    }

    @Test func `a key has its scopes on its channels only`() async throws {
        #expect(try await self.publish(to: "ops-1", self.bearer(self.publisher)).status == 201)
        let elsewhere = try await self.publish(to: "shop", self.bearer(self.publisher))
        #expect(elsewhere.status == 403)
        #expect(elsewhere.problem == "not-permitted")
        #expect(elsewhere["WWW-Authenticate"]?.contains(#"scope="publish""#) == true)
        let reading = try await self.server.send("GET", "/v1/channels/ops-1/toasts", self.bearer(self.publisher))
        #expect(reading.status == 403)
        #expect(try await self.publish(to: "shop", self.bearer(self.manager)).status == 201)
    }

    @Test(arguments: [
        ("GET", "/v1/settings"), ("PATCH", "/v1/settings"), ("PUT", "/v1/catalogs/de"), ("PUT", "/v1/catalogs"),
        ("GET", "/metrics"), ("DELETE", "/v1/channels/ops-1"), ("PUT", "/v1/channels/ops-1/settings"),
        ("GET", "/v1/channels/ops-1/stream"), ("POST", "/v1/channels/ops-1/toasts/x/dismiss"),
        ("GET", "/v1/channels/ops-1/settings"),
    ])
    func `a publisher may neither manage, nor listen, nor respond`(method: String, path: String) async throws {
        #expect(try await self.server.send(method, path, self.bearer(self.publisher)).problem == "not-permitted")
        #expect(try await self.server.send(method, path).problem == "credentials-required")
    }

    @Test(arguments: ["/livez", "/readyz", "/v1/presets", "/v1/catalogs", "/app.js", "/openapi.yaml"])
    func `some resources need no credential`(path: String) async throws {
        #expect(try await self.server.send("GET", path).status == 200)
    }

    @Test func `access is checked before the body is read`() async throws {
        let path = "/v1/channels/shop/toasts"
        let response = try await self.server.send("POST", path, self.bearer(self.publisher), json: "{")
        #expect(response.problem == "not-permitted")
    }

    @Test func `a publisher sees its new toast, and of any other a receipt`() async throws {
        let first = try await self.publish(to: "ops-1", self.bearer(self.publisher))
        #expect(first.json["message"] == "Hi")
        let path = try #require(first["Location"])
        let patch = try await self.server.send("PATCH", path, self.bearer(self.publisher), json: #"{"title": "T"}"#)
        #expect(patch.status == 200)
        #expect(patch.json["id"] == first.json["id"])
        #expect(patch.json["message"] == nil)
        #expect(patch.json["title"] == nil)
    }

    @Test func `only callers with the scope manage see webhooks`() async throws {
        let path = "/v1/channels/ops-1/settings"
        let body = #"{"webhooks": [{"url": "https://hooks.example/a"}]}"#
        #expect(try await self.server.send("PUT", path, self.bearer(self.manager), json: body).status == 200)
        let all = try await self.server.send("GET", path, self.bearer(self.manager))
        #expect(all.json["own"]?["webhooks"]?.array?.count == 1)
        let some = try await self.server.send("GET", path, self.bearer(self.reader))
        #expect(some.status == 200)
        #expect(some.json["own"]?["webhooks"] == nil)
    }

    @Test func `the list of channels has those that the caller may subscribe to`() async throws {
        _ = try await self.publish(to: "ops-1", self.bearer(self.publisher))
        let all = try await self.server.send("GET", "/v1/channels", self.bearer(self.manager))
        #expect(all.json["channels"]?.array?.count == 1)
        let none = try await self.server.send("GET", "/v1/channels", self.bearer(self.publisher))
        #expect(none.json["channels"] == [])
        #expect(try await self.server.send("GET", "/v1/channels").problem == "credentials-required")
    }

    @Test func `a session's cookie stands for the key it was opened with`() async throws {
        #expect(try await self.server.send("POST", "/v1/session").problem == "credentials-required")
        let opened = try await self.server.send("POST", "/v1/session", self.bearer(self.manager))
        #expect(opened.status == 201)
        let cookie = try #require(opened["Set-Cookie"])
        #expect(cookie.hasPrefix("toastd="))
        #expect(cookie.hasSuffix("; HttpOnly; SameSite=Strict"))
        let shown = ["Cookie": String(cookie.prefix { $0 != ";" })]
        #expect(try await self.server.send("GET", "/v1/settings", shown).status == 200)
        #expect(try await self.server.send("POST", "/v1/session", shown).problem == "credentials-required")
        #expect(try await self.server.send("DELETE", "/v1/session", shown).status == 204)
        #expect(try await self.server.send("GET", "/v1/settings", shown).status == 401)
    }

    @Test func `over TLS a session's cookie is bound to the host`() async throws {
        let headers = self.bearer(self.manager).merging(["X-Forwarded-Proto": "https"]) { $1 }
        let opened = try await self.server.send("POST", "/v1/session", headers, from: "10.0.0.1")
        #expect(opened["Set-Cookie"]?.hasPrefix("__Host-toastd=") == true)
        #expect(opened["Set-Cookie"]?.hasSuffix("; Secure") == true)
    }

    @Test func `a ticket opens one stream`() async throws {
        let body = #"{"scopes": ["subscribe"], "channels": ["ops-1"]}"#
        let made = try await self.server.send("POST", "/v1/tickets", self.bearer(self.manager), json: body)
        #expect(made.status == 201)
        let ticket = try #require(made.json["ticket"]?.string)
        // Only streams accept tickets.
        #expect(try await self.server.send("GET", "/v1/settings?ticket=\(ticket)").status == 401)
        let path = "/v1/channels/ops-1/stream?ticket=\(ticket)"
        #expect(try await self.server.send("GET", path).isStream)
        #expect(try await self.server.send("GET", path).problem == "credentials-invalid")
    }

    @Test func `a ticket gives no permission that its maker lacks`() async throws {
        let body = #"{"scopes": ["manage"]}"#
        let response = try await self.server.send("POST", "/v1/tickets", self.bearer(self.publisher), json: body)
        #expect(response.problem == "not-permitted")
        let broken = #"{"scopes": ["fly"], "channels": []}"#
        let faults = try await self.server.send("POST", "/v1/tickets", self.bearer(self.manager), json: broken)
        #expect(faults.problem == "invalid-command")
        #expect(faults.pointers == ["/scopes", "/channels"])
    }

    @Test func `a source with too many failed attempts has to wait`() async throws {
        let wrong = ["Authorization": "Bearer x"]
        var responses: [TestResponse] = []
        for _ in 0...30 { responses.append(try await self.server.send("GET", "/v1/channels/a", wrong)) }
        #expect(responses.prefix(30).allSatisfy { $0.problem == "credentials-invalid" })
        let last = try #require(responses.last)
        #expect(last.status == 429)
        #expect(last.problem == "too-many-attempts")
        #expect(last["Retry-After"].flatMap(Int.init) ?? 0 > 0)
        // A valid key of the same address gets through.
        #expect(try await self.server.send("GET", "/v1/settings", self.bearer(self.manager)).status == 200)
    }
}
