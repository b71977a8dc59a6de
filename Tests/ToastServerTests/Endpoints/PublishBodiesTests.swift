import Testing
import ToastAccess
import ToastCore

@Suite struct PublishBodiesTests {
    private static let path = "/v1/channels/ops/toasts"
    private let server: TestServer

    init() async throws { self.server = try await TestServer() }

    private func post(_ body: String, _ type: String?) async throws -> TestResponse {
        try await self.server.send("POST", Self.path, type.map { ["Content-Type": $0] } ?? [:], body: body)
    }

    @Test func `a JSON document becomes a toast that can be read at its Location`() async throws {
        let response = try await self.server.send(
            "POST",
            Self.path,
            json:
                #"{"title": "Deploy", "message": "Done", "role": "success", "actions": [{"id": "undo", "title": "Undo"}]}"#
        )
        #expect(response.status == 201)
        #expect(response["Content-Type"] == "application/json")
        #expect(response["Cache-Control"] == "no-store")
        let location = try #require(response["Location"])
        let read = try await self.server.send("GET", location)
        #expect(read.json == response.json)
        #expect(read["ETag"] == response["ETag"])
        #expect(read.json["role"] == "success")
        #expect(read.json["state"] == "queued")
    }

    @Test func `every fault of a document is named with its pointer`() async throws {
        let response = try await self.server.send(
            "POST",
            Self.path,
            json: #"{"message": 1, "role": "loud", "actions": [{"title": 2}]}"#
        )
        #expect(response.status == 422)
        #expect(response.problem == "invalid-toast")
        #expect(response.pointers == ["/message", "/role", "/actions/0/id", "/actions/0/title"])
        #expect(response.json["detail"] == response.json["errors"]?.array?.first?["detail"])
    }

    @Test func `a name is escaped in a pointer`() async throws {
        let response = try await self.server.send("POST", Self.path, json: #"{"message": "Hi", "a/b~c": 1}"#)
        #expect(response.status == 201)
        #expect(response.json["warnings"]?.array?.first?["pointer"] == "/a~1b~0c")
    }

    @Test(arguments: [
        ("{", ""), (#"{"message": "Hi",}"#, ""), ("[1", ""), ("", ""), (#"{"a": 1, "a": 2}"#, "/a"), ("{} x", ""),
    ])
    func `invalid JSON is reported with the byte of its fault`(body: String, pointer: String) async throws {
        let response = try await self.post(body, "application/json")
        #expect(response.status == 400)
        #expect(response.problem == "invalid-json")
        #expect(response.pointers == [pointer])
        #expect(response.json["detail"]?.string?.hasPrefix("byte ") == true)
    }

    @Test func `a document is nested 16 deep at most`() async throws {
        let body = String(repeating: "[", count: 17) + String(repeating: "]", count: 17)
        let response = try await self.post(body, "application/json")
        #expect(response.status == 422)
        #expect(response.problem == "document-too-deep")
    }

    @Test func `a text that is too long has a problem of its own`() async throws {
        let text = String(repeating: "a", count: 4097)
        let response = try await self.server.send("POST", Self.path, json: #"{"message": "\#(text)"}"#)
        #expect(response.status == 422)
        #expect(response.problem == "text-too-long")
        // With another fault, the problem is not the limit's own.
        let both = try await self.server.send("POST", Self.path, json: #"{"message": "\#(text)", "role": 1}"#)
        #expect(both.problem == "invalid-toast")
    }

    @Test(arguments: [
        "text/plain", "text/plain; charset=utf-8", "TEXT/PLAIN", "application/x-www-form-urlencoded", nil,
    ])
    func `plain text is the message`(type: String?) async throws {
        let response = try await self.post("Deployed & done", type)
        #expect(response.status == 201)
        #expect(response.json["message"] == "Deployed & done")
    }

    @Test(arguments: ["application/x-www-form-urlencoded", nil])
    func `a body that looks like JSON is read as JSON without a media type`(type: String?) async throws {
        #expect(try await self.post(#"{"message": "Hi"}"#, type).json["message"] == "Hi")
        let broken = try await self.post("{Hi}", type)
        #expect(broken.problem == "invalid-json")
        #expect(broken.json["detail"]?.string?.contains("text/plain") == true)
    }

    @Test func `text/plain is never read as a document`() async throws {
        #expect(try await self.post("{Hi}", "text/plain").json["message"] == "{Hi}")
    }

    @Test func `a form is refused, and a text with an equals sign later on is none`() async throws {
        let type = "application/x-www-form-urlencoded"
        #expect(try await self.post("message=Hi", type).problem == "unsupported-media-type")
        #expect(try await self.post("2 + 2 = 4", type).status == 201)
    }

    @Test(arguments: ["application/xml", "image/png", "application/json2", "multipart/form-data"])
    func `another media type is refused`(type: String) async throws {
        let response = try await self.post(#"{"message": "Hi"}"#, type)
        #expect(response.status == 415)
        #expect(response.problem == "unsupported-media-type")
    }

    @Test func `a body with a content coding is refused, with the one that is taken`() async throws {
        let response = try await self.server.send("POST", Self.path, ["Content-Encoding": "gzip"], json: "{}")
        #expect(response.status == 415)
        #expect(response["Accept-Encoding"] == "identity")
        let plain = ["Content-Encoding": "identity"]
        #expect(try await self.server.send("POST", Self.path, plain, json: #"{"message": "Hi"}"#).status == 201)
    }

    @Test func `a query parameter has no effect, and gets a warning`() async throws {
        let response = try await self.server.send("POST", Self.path + "?duration=5", json: #"{"message": "Hi"}"#)
        #expect(response.status == 201)
        #expect(response.json["warnings"]?.array?.first?["pointer"] == "/duration")
    }

    @Test func `an unknown style is accepted with a warning`() async throws {
        let response = try await self.server.send("POST", Self.path, json: #"{"message": "Hi", "style": "neon"}"#)
        #expect(response.json["warnings"]?.array?.map { $0["pointer"] } == ["/style"])
        let known = try await self.server.send("POST", Self.path, json: #"{"message": "Hi", "style": "plain"}"#)
        #expect(known.status == 201)
        #expect(known.json["warnings"] == nil)
    }

    @Test func `a publisher that wants the minimum gets the header only`() async throws {
        let prefer = ["Prefer": "return=minimal"]
        let response = try await self.server.send("POST", Self.path, prefer, json: #"{"message": "Hi"}"#)
        #expect(response.status == 201)
        #expect(response.body.isEmpty)
        #expect(response["Preference-Applied"] == "return=minimal")
        #expect(response["Location"] != nil)
        #expect(response["ETag"] != nil)
    }

    @Test func `a publisher that waits takes the connection until the toast ends`() async throws {
        let prefer = ["Prefer": "wait=30"]
        #expect(try await self.server.send("POST", Self.path, prefer, json: #"{"message": "Hi"}"#).isStream)
    }
}

@Suite struct BatchTests {
    private static let path = "/v1/channels/ops/toasts"
    private let server: TestServer

    init() async throws { self.server = try await TestServer() }

    @Test func `a list of documents is a batch, in its order`() async throws {
        let response = try await self.server.send("POST", Self.path, json: #"[{"message": "a"}, {"message": "b"}]"#)
        #expect(response.status == 201)
        #expect(response["Location"] == nil)
        #expect(response.json["toasts"]?.array?.map { $0["message"] } == ["a", "b"])
    }

    @Test(arguments: ["application/x-ndjson", "application/jsonl"])
    func `one document per line is a batch, and empty lines do not count`(type: String) async throws {
        let body = "{\"message\": \"a\"}\r\n\n  \n{\"message\": \"b\"}"
        let response = try await self.server.send("POST", Self.path, ["Content-Type": type], body: body)
        #expect(response.json["toasts"]?.array?.map { $0["message"] } == ["a", "b"])
    }

    @Test func `a batch is accepted whole or not at all`() async throws {
        let response = try await self.server.send("POST", Self.path, json: #"[{"message": "a"}, {"role": "loud"}, 7]"#)
        #expect(response.problem == "invalid-toast")
        #expect(response.pointers.allSatisfy { $0.hasPrefix("/1") })
        #expect(try await self.server.send("GET", Self.path).json["toasts"] == [])
    }

    @Test func `a fault in a line is at the line's number`() async throws {
        let type = ["Content-Type": "application/x-ndjson"]
        let response = try await self.server.send("POST", Self.path, type, body: "{\"message\": \"a\"}\n{]")
        #expect(response.problem == "invalid-json")
        #expect(response.pointers == ["/1"])
    }

    @Test func `a batch has 1 to 100 toasts`() async throws {
        let toasts = Array(repeating: #"{"message": "a"}"#, count: 101)
        let many = "[" + toasts.joined(separator: ",") + "]"
        #expect(try await self.server.send("POST", Self.path, json: many).problem == "batch-too-large")
        #expect(try await self.server.send("POST", Self.path, json: "[]").problem == "invalid-toast")
        let most = "[" + toasts.dropLast().joined(separator: ",") + "]"
        #expect(try await self.server.send("POST", Self.path, json: most).status == 201)
    }
}

@Suite struct DistributionTests {
    private let server: TestServer

    init() async throws { self.server = try await TestServer() }

    @Test func `a toast for several channels is published to each`() async throws {
        let body = #"{"channels": ["a", "b"], "toast": {"message": "Hi"}}"#
        let response = try await self.server.send("POST", "/v1/toasts", json: body)
        #expect(response.status == 201)
        #expect(response.json["summary"] == ["channelCount": 2, "acceptedCount": 2, "refusedCount": 0])
        #expect(response.json["results"]?.array?.map { $0["channel"] } == ["a", "b"])
        let toasts = try await self.server.send("GET", "/v1/channels/b/toasts").json["toasts"]
        #expect(toasts?.array?.map { $0["message"] } == ["Hi"])
    }

    @Test(arguments: [
        (#"[]"#, [""]), (#"{}"#, ["/channels", "/toast"]),
        (#"{"channels": [], "toast": {"message": "x"}}"#, ["/channels"]),
        (#"{"channels": ["a", "a"], "toast": {}}"#, ["/channels/1", "/toast/message"]),
        (#"{"channels": ["a b", "a", "a"]}"#, ["/channels/0", "/channels/2", "/toast"]),
        (#"{"channels": ["a b"], "toast": {"role": "x"}}"#, ["/channels/0", "/toast/role", "/toast/message"]),
        (#"{"channels": ["a"], "toast": {"message": "x", "role": 1}}"#, ["/toast/role"]),
    ])
    func `every fault is named with its pointer`(body: String, pointers: [String]) async throws {
        let response = try await self.server.send("POST", "/v1/toasts", json: body)
        #expect(response.problem == "invalid-toast")
        #expect(response.pointers == pointers)
    }

    @Test func `the list of faulty channels is bounded`() async throws {
        let names = Array(repeating: #""a b""#, count: 40).joined(separator: ",")
        let body = #"{"channels": [\#(names)], "toast": {"message": "x"}}"#
        let response = try await self.server.send("POST", "/v1/toasts", json: body)
        #expect(response.pointers.count == ValidationError.maximumIssues)
    }

    @Test func `one channel that refuses does not stop the others`() async throws {
        _ = try await self.server.send("PUT", "/v1/channels/full/settings", json: #"{"capacity": 1}"#)
        _ = try await self.server.publish(to: "full")
        let body = #"{"channels": ["full", "free"], "toast": {"message": "Hi"}}"#
        let response = try await self.server.send("POST", "/v1/toasts", json: body)
        #expect(response.status == 207)
        #expect(response.json["results"]?.array?.map { $0["status"] } == [429, 201])
        #expect(
            response.json["results"]?.array?.first?["problem"]?["type"] == "urn:toastd:problem:queue-full"
        )
    }

    @Test func `a reason that all channels share is the problem of the request`() async throws {
        var options = TestServer.Options()
        options.anonymous = [.subscribe]
        let server = try await TestServer(options)
        let body = #"{"channels": ["a", "b"], "toast": {"message": "Hi"}}"#
        let response = try await server.send("POST", "/v1/toasts", json: body)
        #expect(response.status == 401)
        #expect(response.problem == "credentials-required")
        #expect(response.json["summary"]?["refusedCount"] == 2)
    }
}
