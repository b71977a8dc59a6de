import Glibc
import TestSupport
import Testing
import ToastCore
import ToastHub
import ToastStore

@testable import ToastServer

/// What is recorded of a request: its id, lines in the log, and metrics.
@Suite struct ObservationTests {
    /// The header fields of a WebSocket's handshake.
    private static let upgrade = [
        "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    ]

    @Test func `a request keeps the id that its client sent, or gets a new one`() async throws {
        let server = try await TestServer()
        #expect(try await server.send("GET", "/livez", ["X-Request-Id": "abc"])["X-Request-Id"] == "abc")
        let first = try await server.send("GET", "/livez")["X-Request-Id"]
        #expect(first?.count == 13)
        for unfit in ["a b", "", String(repeating: "a", count: 129), "ä"] {
            let name = try await server.send("GET", "/livez", ["X-Request-Id": unfit])["X-Request-Id"]
            #expect(name?.count == 13)
            #expect(name != first)
        }
    }

    @Test func `requests and problems are counted by route`() async throws {
        let server = try await TestServer()
        _ = try await server.publish()
        _ = try await server.send("GET", "/v1/nothing")
        let metrics = try await server.send("GET", "/metrics")
        #expect(metrics["Content-Type"]?.hasPrefix("text/plain") == true)
        let route = #"route="/v1/channels/{channel}/toasts",method="POST",status="2xx""#
        #expect(metrics.text.contains("http_server_request_duration_seconds_count{\(route)} 1\n"))
        #expect(metrics.text.contains("toastd_problems_total{type=\"not-found\"} 1\n"))
        #expect(metrics.text.contains("toastd_toasts_published_total 1\n"))
        #expect(metrics.text.contains("toastd_ready 1\n"))
        let accept = ["Accept": "application/openmetrics-text; version=1.0.0"]
        #expect(try await server.send("GET", "/metrics", accept).text.hasSuffix("# EOF\n"))
    }

    @Test func `metrics are served before all loops serve`() async throws {
        var options = TestServer.Options()
        options.meteredLoops = 2
        let server = try await TestServer(options)
        _ = try await server.publish()
        #expect(try await server.send("GET", "/metrics").text.contains("toastd_toasts_published_total 1\n"))
    }

    @Test func `refusals in the forms of ntfy and Slack are counted, too`() async throws {
        var options = TestServer.Options()
        options.adapters.ntfy = true
        let server = try await TestServer(options)
        #expect(try await server.send("POST", "/account", body: "x").json["code"] == 40009)
        #expect(try await server.send("POST", "/", body: "x").json["code"] == 40024)
        #expect(try await server.send("POST", "/ops", ["Priority": "9"], body: "x").json["code"] == 40007)
        #expect(try await server.send("GET", "/ops/json?poll=1&since=yesterday").json["code"] == 40008)
        let hook = try await server.send("PUT", "/v1/channels/ops/hooks/chat", json: #"{"format": "slack"}"#)
        let path = try #require(hook.json["path"]?.string)
        #expect(try await server.send("POST", path, json: "{").text == "invalid_payload")
        #expect(try await server.send("POST", path, json: "{}").text == "no_text")
        let metrics = try await server.send("GET", "/metrics").text
        let counts = ["invalid-channel-name": 1, "invalid-json": 2, "invalid-parameter": 2, "invalid-toast": 1]
        for (type, count) in counts {
            #expect(metrics.contains("toastd_problems_total{type=\"\(type)\"} \(count)\n"))
        }
    }

    /// The lines that a server logs for some requests.
    private func log(
        _ format: LogFormat,
        adapters: Adapters = Adapters(),
        hasDescriptors: Bool = true,
        store: (any Store)? = nil,
        _ requests: (TestServer) async throws -> Void
    ) async throws -> [String] {
        var ends: [CInt] = [0, 0]
        try #require(pipe(&ends) == 0)
        let sink = LogSink(format: format, descriptor: ends[1])
        var options = TestServer.Options()
        options.log = sink
        options.adapters = adapters
        options.hasDescriptors = hasDescriptors
        options.store = store
        try await requests(try await TestServer(options))
        sink.close()
        close(ends[1])
        defer { close(ends[0]) }
        var (bytes, buffer): ([UInt8], [UInt8]) = ([], [UInt8](repeating: 0, count: 65_536))
        while case let count = read(ends[0], &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func `every request has a line in the access log`() async throws {
        let lines = try await self.log(.text) { server in
            _ = try await server.send("GET", "/v1/presets?ticket=secret", ["X-Request-Id": "a"])
            _ = try await server.send("GET", "/v1/no%20thing", ["X-Request-Id": "b"])
            _ = try await server.send("GET", "/v1/%zz?ticket=secret", ["X-Request-Id": "c"])
        }
        #expect(lines.count == 3)
        #expect(lines[0].contains(" level=info logger=access message=request request=a source=192.0.2.7 "))
        #expect(lines[0].contains(" caller=anonymous method=GET path=/v1/presets route=/v1/presets status=200 bytes="))
        #expect(lines[1].contains(#" method=GET path="/v1/no thing" route=/{file} status=404 "#))
        #expect(lines[2].contains(" request=c source=192.0.2.7 method=GET path=/v1/%zz route=refused status=400 "))
        #expect(!lines.contains { $0.contains("secret") })
    }

    @Test func `a WebSocket is logged with the status that its client gets`() async throws {
        var adapters = Adapters()
        adapters.ntfy = true
        let lines = try await self.log(.text, adapters: adapters) { server in
            for path in ["/v1/channels/ops/socket", "/ops/ws", "/ops/json"] {
                let answer = try await server.send("GET", path, Self.upgrade)
                #expect(answer.isStream)
            }
        }
        #expect(lines.count == 3)
        for (line, status) in zip(lines, [101, 101, 200]) {
            #expect(line.contains(#" message="stream opened" "#))
            #expect(line.contains(" status=\(status) "))
        }
    }

    @Test func `a stream without a descriptor is recorded as the response that its client gets`() async throws {
        let lines = try await self.log(.text, hasDescriptors: false) { server in
            #expect(try await server.send("GET", "/v1/channels/ops/stream").text.hasPrefix("retry: "))
            let answer = try await server.send("GET", "/v1/channels/ops/socket", Self.upgrade)
            #expect(answer.problem == "too-many-streams")
            let metrics = try await server.send("GET", "/metrics").text
            #expect(metrics.contains("toastd_problems_total{type=\"too-many-streams\"} 2\n"))
            let route = #"route="/v1/channels/{channel}/socket",method="GET",status="5xx""#
            #expect(metrics.contains("http_server_request_duration_seconds_count{\(route)} 1\n"))
        }
        #expect(lines.count == 3)
        for (line, status) in zip(lines, [200, 503]) {
            #expect(line.contains(" message=request "))
            #expect(line.contains(" status=\(status) "))
        }
    }

    @Test func `hooks that could not be put back after a failed deletion are reported`() async throws {
        let store = RefusingStore(MemoryStore())
        let lines = try await self.log(.text, store: store) { server in
            let path = "/v1/channels/ops/hooks"
            #expect(try await server.send("PUT", path + "/chat", json: #"{"format": "slack"}"#).status == 201)
            #expect(try await server.send("DELETE", "/v1/channels/ops").status == 503)
            store.refuseDocuments(false)
            try await server.hub.hooks.retryRestoration()
            #expect(try await server.send("GET", path).json["hooks"]?.array?.map { $0["name"] } == ["chat"])
        }
        let errors = lines.filter { $0.contains(" level=error logger=toastd ") }
        #expect(errors.count == 1)
        #expect(errors.first?.contains(#" channel=ops hooks=chat reason="A test refuses the document.""#) == true)
    }

    @Test func `the access log has the ids of a trace`() async throws {
        let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        let lines = try await self.log(.json) { server in
            _ = try await server.send("GET", "/livez", ["traceparent": trace])
            _ = try await server.send("GET", "/livez", ["traceparent": "00-x"])
        }
        let json = try JSON(parsing: Array(lines[0].utf8))
        #expect(json["trace"] == "0af7651916cd43dd8448eb211c80319c")
        #expect(json["span"] == "b7ad6b7169203331")
        #expect(json["status"] == 200)
        #expect(json["level"] == "info")
        #expect(try JSON(parsing: Array(lines[1].utf8))["trace"] == nil)
    }

    @Test func `changes of settings and refusals are in the audit log`() async throws {
        let lines = try await self.log(.text) { server in
            let path = "/v1/channels/ops/settings"
            _ = try await server.send("PUT", path, json: #"{"mode": "stack", "capacity": 7}"#)
            _ = try await server.send("PUT", path, ["Origin": "https://evil.example"], json: "{}")
        }
        let audit = lines.filter { $0.contains("logger=audit") }
        #expect(audit.count == 2)
        #expect(audit[0].contains(#"message="settings replaced""#))
        #expect(audit[0].contains(#"members="capacity,mode""#))
        #expect(audit[1].contains(#"message="permission denied""#))
        #expect(audit[1].contains("problem=origin-not-allowed"))
    }
}
