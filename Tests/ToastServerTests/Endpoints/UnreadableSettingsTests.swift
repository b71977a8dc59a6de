import Synchronization
import Testing
import ToastCore
import ToastHub

/// Warnings need a channel's settings, which may be unreadable although the change itself is carried out: for example
/// when the channel's owner changes in between.
@Suite struct UnreadableSettingsTests {
    private let gate = UnreadableSettings()
    private let server: TestServer
    private let ops: ChannelName

    init() async throws {
        var options = TestServer.Options()
        options.gate = self.gate
        self.server = try await TestServer(options)
        self.ops = try #require(ChannelName(rawValue: "ops"))
        self.gate.serve(self.server.hub)
    }

    @Test func `a stored change is answered as successful, without warnings about the settings`() async throws {
        let path = "/v1/channels/ops/toasts"
        let id = try #require(await self.server.publish()["id"]?.string)
        let patch = #"{"message": "Bye", "reuseIdentifier": "build", "style": "nosuch"}"#
        let response = try await self.server.send("PATCH", "\(path)/\(id)", json: patch)
        #expect(response.status == 200)
        #expect(response.json["message"] == "Bye")
        #expect(response.json["warnings"]?.array?.map { $0["pointer"] } == ["/style"])
        let several = try await self.server.send("PATCH", "\(path)?reuseIdentifier=build", json: patch)
        #expect(several.json["updatedCount"] == 1)
        #expect(several.json["warnings"]?.array?.map { $0["pointer"] } == ["/style"])
    }

    @Test func `a socket is told that nothing was changed only when nothing was`() async throws {
        let toast: JSON = ["message": "Deployed", "reuseIdentifier": "build"]
        let answer = try await self.server.command(["command": "publish", "toast": toast], on: self.ops)
        #expect(answer["type"] == "error")
        #expect(try await self.server.send("GET", "/v1/channels/ops/toasts").json["toasts"] == [])
    }
}

/// A gate that carries out all requests but reading settings.
private final class UnreadableSettings: ChannelGate {
    private struct Reference { weak var hub: Hub? }

    private let reference = Mutex(Reference())

    func serve(_ hub: Hub) { self.reference.withLock { $0.hub = hub } }

    var failure: StoreError? { nil }
    func owns(_ name: ChannelName) -> Bool { true }
    func serves(_ name: ChannelName) -> Bool { true }
    func perform(_ request: ChannelRequest, on name: ChannelName) async throws(ChannelError) -> ChannelAnswer {
        if case .read(.configuration) = request { throw .store(.unavailable("The owner has just left.")) }
        guard let hub = self.reference.withLock({ $0.hub }) else { throw .store(.unavailable("No hub.")) }
        return try await hub.performHere(request, on: name)
    }
    func channels(after name: ChannelName?, limit: Int) async throws(StoreError) -> [ChannelName] { [] }
    func leave(_ name: ChannelName, _ observer: any ChannelObserver, _ listener: ChannelListener) {}
}
