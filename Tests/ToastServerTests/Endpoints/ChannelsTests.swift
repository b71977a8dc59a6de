import TestSupport
import Testing
import ToastCore
import ToastStore

@Suite struct ChannelsTests {
    private let server: TestServer

    init() async throws { self.server = try await TestServer() }

    @Test func `channels are listed by name, page by page`() async throws {
        for name in ["c", "a", "b"] { _ = try await self.server.publish(to: name) }
        let first = try await self.server.send("GET", "/v1/channels?limit=2")
        #expect(first.json["channels"]?.array?.map { $0["name"] } == ["a", "b"])
        #expect(first.json["next"] == "b")
        let second = try await self.server.send("GET", "/v1/channels?limit=2&after=b")
        #expect(second.json["channels"]?.array?.map { $0["name"] } == ["c"])
        #expect(second.json["next"] == nil)
        #expect(try await self.server.send("GET", "/v1/channels?after=a%20b").problem == "invalid-channel-name")
    }

    @Test func `a channel tells how many toasts it has`() async throws {
        _ = try await self.server.publish()
        let channel = try await self.server.send("GET", "/v1/channels/ops").json
        #expect(channel["queuedCount"] == 1)
        #expect(channel["presentedCount"] == 0)
        #expect(channel["cursor"]?.string?.isEmpty == false)
    }

    @Test func `a deleted channel has neither toasts nor settings`() async throws {
        _ = try await self.server.publish()
        _ = try await self.server.send("PUT", "/v1/channels/ops/settings", json: #"{"capacity": 7}"#)
        #expect(try await self.server.send("DELETE", "/v1/channels/ops").status == 204)
        #expect(try await self.server.send("GET", "/v1/channels").json["channels"] == [])
        #expect(try await self.server.send("GET", "/v1/channels/ops/toasts").json["toasts"] == [])
        #expect(try await self.server.send("GET", "/v1/channels/ops/settings").json["own"]?["capacity"] == nil)
    }

    @Test func `a channel that could not be deleted keeps its hooks`() async throws {
        let store = GatedStore(MemoryStore(), isImmediate: true)
        var options = TestServer.Options()
        options.store = store
        let server = try await TestServer(options)
        let path = "/v1/channels/ops/hooks"
        #expect(try await server.send("PUT", path + "/chat", json: #"{"format": "slack"}"#).status == 201)
        store.fail(with: .unavailable("A test wants it so."))
        #expect(try await server.send("DELETE", "/v1/channels/ops").status == 503)
        store.fail(with: nil)
        #expect(try await server.send("GET", path).json["hooks"]?.array?.map { $0["name"] } == ["chat"])
        #expect(try await server.send("DELETE", "/v1/channels/ops").status == 204)
        #expect(try await server.send("GET", path).json["hooks"] == [])
    }

    @Test func `presets and styles are listed`() async throws {
        let presets = try await self.server.send("GET", "/v1/presets").json["presets"]?.array ?? []
        let name = try #require(presets.first?["name"]?.string)
        #expect(try await self.server.send("GET", "/v1/presets/\(name)").json == presets.first)
        #expect(try await self.server.send("GET", "/v1/presets/nothing").problem == "preset-not-found")
        let styles = try await self.server.send("GET", "/v1/styles").json["styles"]
        #expect(styles == [["name": "plain", "own": false, "stylesheet": "/styles/plain.css"]])
    }
}
