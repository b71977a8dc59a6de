import Testing
import ToastCore

@Suite struct IdempotencyTests {
    private static let path = "/v1/channels/ops/toasts"
    private let server: TestServer

    init() async throws { self.server = try await TestServer() }

    private func post(_ key: String, _ message: String = "Hi", to path: String = Self.path) async throws -> TestResponse
    {
        try await self.server.send("POST", path, ["Idempotency-Key": key], json: #"{"message": "\#(message)"}"#)
    }

    @Test func `a repetition is answered as the first request was, and says so`() async throws {
        let (first, second) = (try await self.post("a"), try await self.post("a"))
        #expect(first.status == 201)
        #expect(first["Idempotency-Replayed"] == nil)
        #expect(second.status == 201)
        #expect(second["Idempotency-Replayed"] == "true")
        #expect(second.json == first.json)
        #expect(second["Location"] == first["Location"])
        #expect(second["ETag"] == first["ETag"])
        #expect(try await self.server.send("GET", Self.path).json["toasts"]?.array?.count == 1)
    }

    @Test func `the quotes around a key are not part of it`() async throws {
        let (first, second) = (try await self.post("a"), try await self.post("\"a\""))
        #expect(second.json["id"] == first.json["id"])
    }

    @Test func `a key that was used for another request is refused`() async throws {
        _ = try await self.post("a")
        let response = try await self.post("a", "Something else")
        #expect(response.status == 422)
        #expect(response.problem == "idempotency-key-reused")
    }

    @Test func `the same key in two channels stands for two requests`() async throws {
        _ = try await self.post("a")
        #expect(try await self.post("a", to: "/v1/channels/other/toasts").status == 201)
    }

    @Test(arguments: ["", "a b", "ä", "\"", "a\"b", String(repeating: "k", count: 256)])
    func `a key has 1 to 255 printable characters`(key: String) async throws {
        let response = try await self.post(key)
        #expect(response.status == 400)
        #expect(response.problem == "idempotency-key-invalid")
    }

    @Test func `a refused request does not use up its key`() async throws {
        let key = ["Idempotency-Key": "a"]
        #expect(try await self.server.send("POST", Self.path, key, json: "{}").status == 422)
        #expect(try await self.post("a").status == 201)
    }

    @Test func `a batch is repeated as one`() async throws {
        let key = ["Idempotency-Key": "a"]
        let body = #"[{"message": "a"}, {"message": "b"}]"#
        let first = try await self.server.send("POST", Self.path, key, json: body)
        let second = try await self.server.send("POST", Self.path, key, json: body)
        #expect(second.json == first.json)
        #expect(second["Idempotency-Replayed"] == "true")
    }

    @Test func `a repeated command is answered in the language of the first`() async throws {
        _ = try await self.server.send("PUT", "/v1/catalogs/de", json: #"{"hello": "Hallo"}"#)
        let ops = try #require(ChannelName(rawValue: "ops"))
        let toast: JSON = ["message": ["key": "hello", "default": "Hello"]]
        let command: JSON = ["command": "publish", "idempotencyKey": "k", "toast": toast]
        let first = try await self.server.command(command, on: ops, in: .german)
        let second = try await self.server.command(command, on: ops, in: .german)
        #expect(first["toast"]?["message"]?["text"] == "Hallo")
        #expect(second["replayed"] == true)
        #expect(second["toast"]?["message"] == first["toast"]?["message"])
    }

    @Test func `a toast for several channels is repeated in each`() async throws {
        let body = #"{"channels": ["a", "b"], "toast": {"message": "Hi"}}"#
        let key = ["Idempotency-Key": "k"]
        let first = try await self.server.send("POST", "/v1/toasts", key, json: body)
        let second = try await self.server.send("POST", "/v1/toasts", key, json: body)
        #expect(second["Idempotency-Replayed"] == "true")
        #expect(second.json == first.json)
    }
}
