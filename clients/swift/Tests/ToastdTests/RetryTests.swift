import Foundation
import Testing

@testable import Toastd

@Suite(.timeLimit(.minutes(1))) struct RetryTests {
    private static let toast = ScriptedServer.answer(
        "200 OK",
        #"{"id":"t1","channel":"ops","revision":1,"state":"queued","createdAt":"2026-01-01T00:00:00.000Z"}"#
    )

    @Test func aPressIsSentOnceBecauseTheServerMayHaveRecordedIt() async throws {
        let server = try ScriptedServer([nil, Self.toast])
        let error = try await #require(throws: ToastdError.self) {
            try await ToastServer(server.url).channel("ops").act("t1", "undo")
        }
        guard case .connectionLost = error else { throw error }
        #expect(server.requests.count == 1)
    }

    @Test(arguments: ["ops", "actions"]) func aDismissalIsSentAgain(channel: String) async throws {
        let server = try ScriptedServer([nil, Self.toast])
        #expect(try await ToastServer(server.url).channel(channel).dismiss("t1").id == "t1")
        #expect(server.requests.count == 2)
    }

    @Test func aKeyInUseIsTriedAgainUnderTheSameKey() async throws {
        let server = try ScriptedServer([ScriptedServer.problem("409 Conflict", "idempotency-key-in-use"), Self.toast])
        #expect(try await ToastServer(server.url).channel("ops").publish("Deployed").id == "t1")
        let keys = server.requests.map { request in
            request.split(whereSeparator: \.isNewline).first { $0.lowercased().hasPrefix("idempotency-key:") }
        }
        #expect(keys.count == 2 && keys[0] != nil && keys[0] == keys[1])
    }

    @Test func anotherConflictIsARefusal() async throws {
        let server = try ScriptedServer([ScriptedServer.problem("409 Conflict", "toast-already-presented"), Self.toast])
        await #expect(throws: ToastdError.problem(status: 409, type: "toast-already-presented", detail: "No.")) {
            try await ToastServer(server.url).channel("ops").publish("Deployed")
        }
        #expect(server.requests.count == 1)
    }

    @Test(arguments: ["toasts.example", "toasts.example:8080", "localhost:8080", "ftp://toasts.example", "http:///a"])
    func anAddressWithoutSchemeOrHostIsRefused(address: String) async throws {
        let channel = ToastServer(try #require(URL(string: address))).channel("ops")
        let refusal = ToastdError.unexpectedAnswer(
            "\(address) is no address of a server: it needs http:// or https://, and a host."
        )
        await #expect(throws: refusal) { try await channel.publish("Deployed") }
        await #expect(throws: refusal) { for try await _ in channel.events() {} }
    }
}
