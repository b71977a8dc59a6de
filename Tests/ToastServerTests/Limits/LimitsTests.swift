import Testing
import ToastCore

@testable import ToastServer

@Suite struct LimitsTests {
    private func server(_ kind: RateClass, _ rate: String) async throws -> TestServer {
        var options = TestServer.Options()
        options.limits.rates = [kind: ServiceLimits.Rate(RateLimit.parse(rate) ?? nil, sparesLocal: true)]
        return try await TestServer(options)
    }

    @Test func `a request beyond the rate is refused with the time to wait`() async throws {
        let server = try await self.server(.read, "1/h:2")
        let first = try await server.send("GET", "/v1/presets")
        #expect(first["RateLimit-Policy"] == #""read";q=2;w=7200"#)
        #expect(first["RateLimit"]?.hasPrefix(#""read";r=1;t=3"#) == true)
        _ = try await server.send("GET", "/v1/presets")
        let third = try await server.send("GET", "/v1/presets")
        #expect(third.status == 429)
        #expect(third.problem == "rate-limited")
        #expect(third["Retry-After"].flatMap(Int.init) == third.json["retryAfter"]?.integer.map(Int.init))
        // Another address is counted separately, and this machine is not counted.
        #expect(try await server.send("GET", "/v1/presets", from: "198.51.100.9").status == 200)
        let local = try await server.send("GET", "/v1/presets", from: "127.0.0.1")
        #expect(local.status == 200)
        #expect(local["RateLimit"] == nil)
    }

    @Test func `an EventSource beyond the rate gets a stream that says when to reconnect`() async throws {
        let server = try await self.server(.read, "1/h:1")
        _ = try await server.send("GET", "/v1/presets")
        let path = "/v1/channels/ops/stream"
        let response = try await server.send("GET", path, ["Accept": "text/event-stream"])
        #expect(response.status == 200)
        #expect(!response.isStream)
        #expect(response.text.hasPrefix("retry: "))
        #expect(try await server.send("GET", path).status == 429)
    }

    @Test func `each toast of a batch counts`() async throws {
        let server = try await self.server(.publish, "1/h:3")
        let path = "/v1/channels/ops/toasts"
        let batch = #"[{"message": "a"}, {"message": "b"}]"#
        #expect(try await server.send("POST", path, json: batch).status == 201)
        #expect(try await server.send("POST", path, json: batch).problem == "rate-limited")
    }

    @Test func `each event of a batch of CloudEvents counts, also when one is invalid`() async throws {
        let server = try await self.server(.publish, "1/h:4")
        let event = #"{"specversion": "1.0", "id": "1", "source": "/ci", "type": "built"}"#
        let head = ["Content-Type": "application/cloudevents-batch+json"]
        for (batch, status) in [("[\(event), {}]", 422), ("[\(event), \(event)]", 201), ("[\(event)]", 429)] {
            let response = try await server.send("POST", "/v1/channels/ops/toasts", head, body: batch)
            #expect(response.status == status)
        }
    }

    @Test func `an event of CloudEvents counts as one toast, whatever its data`() async throws {
        let server = try await self.server(.publish, "1/h:3")
        for id in ["1", "2"] {
            let event = ["ce-specversion": "1.0", "ce-id": id, "ce-source": "/ci", "ce-type": "built"]
            let response = try await server.send("POST", "/v1/channels/ops/toasts", event, json: "[1, 2, 3]")
            #expect(response.status == 201)
        }
    }

    @Test func `a request to an unknown path counts as a read`() async throws {
        let server = try await self.server(.read, "1/h:1")
        #expect(try await server.send("POST", "/v1/nothing").status == 404)
        #expect(try await server.send("POST", "/v1/nothing").status == 429)
    }

    @Test func `probes and files are not counted`() async throws {
        let server = try await self.server(.read, "1/h:1")
        for _ in 0..<3 {
            #expect(try await server.send("GET", "/livez").status == 200)
            #expect(try await server.send("GET", "/app.js").status == 200)
        }
    }

    @Test func `a full queue refuses with the time to wait`() async throws {
        let server = try await TestServer()
        _ = try await server.send("PUT", "/v1/channels/ops/settings", json: #"{"capacity": 1}"#)
        _ = try await server.publish()
        let response = try await server.send("POST", "/v1/channels/ops/toasts", json: #"{"message": "Hi"}"#)
        #expect(response.status == 429)
        #expect(response.problem == "queue-full")
        #expect(response["Retry-After"] == "5")
        #expect(response.json["retryAfter"] == 5)
    }
}
