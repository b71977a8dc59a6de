import Testing
import ToastCore

@Suite struct SettingsTests {
    private static let path = "/v1/channels/ops/settings"
    private let server: TestServer

    init() async throws { self.server = try await TestServer() }

    @Test func `PUT replaces, PATCH merges, DELETE resets`() async throws {
        let put = try await self.server.send("PUT", Self.path, json: #"{"capacity": 7, "mode": "priority"}"#)
        #expect(put.status == 200)
        #expect(put.json["own"]?["capacity"] == 7)
        #expect(put.json["effective"]?["capacity"] == 7)
        #expect(put.json["sources"]?["capacity"] == "channel")
        let patch = try await self.server.send("PATCH", Self.path, json: #"{"capacity": 8, "mode": null}"#)
        #expect(patch.json["own"]?["capacity"] == 8)
        #expect(patch.json["own"]?["mode"] == nil)
        let again = try await self.server.send("PUT", Self.path, json: "{}")
        #expect(again.json["own"]?["capacity"] == nil)
        _ = try await self.server.send("PUT", Self.path, json: #"{"capacity": 9}"#)
        #expect(try await self.server.send("DELETE", Self.path).json["own"]?["capacity"] == nil)
    }

    @Test func `a channel that begins anew has the server's defaults`() async throws {
        #expect(try await self.server.send("PATCH", "/v1/settings", json: #"{"capacity": 5}"#).status == 200)
        #expect(try await self.server.send("GET", Self.path).json["effective"]?["capacity"] == 5)
        #expect(try await self.server.send("DELETE", "/v1/channels/ops").status == 204)
        let settings = try await self.server.send("GET", Self.path)
        #expect(settings.json["effective"]?["capacity"] == 5)
        #expect(settings.json["sources"]?["capacity"] == "defaults")
    }

    @Test func `GET shows what was set, under its entity tag`() async throws {
        let put = try await self.server.send("PUT", Self.path, json: #"{"capacity": 7}"#)
        let get = try await self.server.send("GET", Self.path)
        #expect(get.json == put.json)
        let tag = try #require(get["ETag"])
        #expect(tag == put["ETag"])
        #expect(try await self.server.send("GET", Self.path, ["If-None-Match": tag]).status == 304)
    }

    @Test func `a change may require the version that was read`() async throws {
        let tag = try #require(try await self.server.send("GET", Self.path)["ETag"])
        let change = #"{"capacity": 7}"#
        #expect(try await self.server.send("PUT", Self.path, ["If-Match": tag], json: change).status == 200)
        let stale = try await self.server.send("PATCH", Self.path, ["If-Match": tag], json: change)
        #expect(stale.status == 412)
        #expect(stale.json["detail"] == "The settings are not what If-Match names.")
        let any = try await self.server.send("PATCH", Self.path, ["If-None-Match": "*"], json: change)
        #expect(any.json["detail"] == "The settings are what If-None-Match rules out.")
    }

    @Test func `faults of settings and webhooks are reported together`() async throws {
        let body = #"{"capacity": 0, "mode": "odd", "webhooks": [{"url": "ftp://a"}]}"#
        let response = try await self.server.send("PUT", Self.path, json: body)
        #expect(response.status == 422)
        #expect(response.problem == "invalid-settings")
        #expect(Set(response.pointers) == ["/capacity", "/mode", "/webhooks/0/url"])
        #expect(try await self.server.send("GET", Self.path).json["own"]?["capacity"] == nil)
    }

    @Test func `a webhook's secret is shown once`() async throws {
        let body = #"{"webhooks": [{"url": "https://hooks.example/a"}]}"#
        let put = try await self.server.send("PUT", Self.path, json: body)
        #expect(put.json["own"]?["webhooks"]?.array?.first?["secret"]?.string?.isEmpty == false)
        let get = try await self.server.send("GET", Self.path)
        #expect(get.json["own"]?["webhooks"]?.array?.first?["url"] == "https://hooks.example/a")
        #expect(get.json["own"]?["webhooks"]?.array?.first?["secret"] == nil)
    }

    @Test func `the deliveries of a webhook are listed by its id`() async throws {
        let body = #"{"webhooks": [{"url": "https://hooks.example/a"}]}"#
        let put = try await self.server.send("PUT", Self.path, json: body)
        let id = try #require(put.json["own"]?["webhooks"]?.array?.first?["id"]?.string)
        let list = try await self.server.send("GET", "/v1/channels/ops/webhooks/\(id)/deliveries")
        #expect(list.json["waitingCount"] == 0)
        let none = try await self.server.send("GET", "/v1/channels/ops/webhooks/nothing/deliveries")
        #expect(none.problem == "webhook-not-found")
    }

    @Test func `a property list replaces the theme and nothing else`() async throws {
        _ = try await self.server.send("PUT", Self.path, json: #"{"capacity": 7}"#)
        let list = "<plist version=\"1.0\"><dict><key>background</key><string>#102030</string></dict></plist>"
        let type = ["Content-Type": "application/x-plist"]
        let response = try await self.server.send("PUT", Self.path, type, body: list)
        #expect(response.json["own"]?["theme"]?["background"] == "#102030")
        #expect(response.json["own"]?["capacity"] == 7)
    }

    @Test func `another media type is refused with those that are taken`() async throws {
        let response = try await self.server.send("PUT", Self.path, ["Content-Type": "text/plain"], body: "x")
        #expect(response.status == 415)
        #expect(
            response.json["detail"] == "Send application/json, application/x-plist, application/xml or text/xml."
        )
    }
}

@Suite struct DefaultsTests {
    private static let path = "/v1/settings"
    private let server: TestServer

    init() async throws { self.server = try await TestServer() }

    @Test func `a default applies to channels without a value of their own`() async throws {
        let patch = try await self.server.send("PATCH", Self.path, json: #"{"capacity": 7}"#)
        #expect(patch.status == 200)
        #expect(patch.json["own"]?["capacity"] == 7)
        let channel = try await self.server.send("GET", "/v1/channels/ops/settings")
        #expect(channel.json["effective"]?["capacity"] == 7)
        #expect(channel.json["own"]?["capacity"] == nil)
    }

    @Test func `a change may require the version that was read`() async throws {
        let tag = try #require(try await self.server.send("GET", Self.path)["ETag"])
        #expect(try await self.server.send("GET", Self.path, ["If-None-Match": tag]).status == 304)
        let change = #"{"capacity": 7}"#
        #expect(try await self.server.send("PATCH", Self.path, ["If-Match": tag], json: change).status == 200)
        let stale = try await self.server.send("PATCH", Self.path, ["If-Match": tag], json: change)
        #expect(stale.problem == "precondition-failed")
    }

    @Test func `a fault is named with its pointer`() async throws {
        let response = try await self.server.send("PATCH", Self.path, json: #"{"capacity": "x"}"#)
        #expect(response.problem == "invalid-settings")
        #expect(response.pointers == ["/capacity"])
    }
}
