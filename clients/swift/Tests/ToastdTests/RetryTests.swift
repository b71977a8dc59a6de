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

    @Test func aChangeOfOneRevisionIsSentOnceBecauseTheSecondWouldBeRefused() async throws {
        let server = try ScriptedServer([nil, Self.toast])
        let error = try await #require(throws: ToastdError.self) {
            try await ToastServer(server.url).channel("ops").patch("t1", "Deployed", revision: 1)
        }
        guard case .connectionLost = error else { throw error }
        #expect(server.requests.count == 1)
    }

    @Test func aQuestionIsOverWhenItsTimeIsWhateverTheServerAsksFor() async throws {
        let busy = "HTTP/1.1 503 Busy\r\nRetry-After: 60\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        let server = try ScriptedServer([busy, Self.toast.replacing("200 OK", with: "202 Accepted")])
        let start = ContinuousClock.now
        #expect(try await ToastServer(server.url).channel("ops").ask("Go on?", wait: .seconds(2)).id == "t1")
        #expect((.seconds(1.9)...(.seconds(20))).contains(ContinuousClock.now - start))
        #expect(server.requests.map(Self.preference) == ["prefer: wait=2", "prefer: wait=1"])
    }

    @Test func aLongQuestionIsAskedAgainBeforeAProxyGivesItUp() async throws {
        let server = try ScriptedServer([Self.toast.replacing("200 OK", with: "202 Accepted"), Self.toast])
        _ = try await ToastServer(server.url).channel("ops").ask("Go on?")
        #expect(server.requests.map(Self.preference) == ["prefer: wait=45", "prefer: wait=45"])
    }

    private static func preference(_ request: String) -> String? {
        request.lowercased().split(whereSeparator: \.isNewline).first { $0.hasPrefix("prefer:") }.map(String.init)
    }

    @Test func aPauseThatIsNoNumberIsNone() async throws {
        let busy = "HTTP/1.1 503 Busy\r\nRetry-After: nan\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        let server = try ScriptedServer([busy, Self.toast])
        #expect(try await ToastServer(server.url).channel("ops").publish("Deployed").id == "t1")
    }

    @Test func aRedirectIsAnErrorThatNamesIt() async throws {
        let redirect =
            "HTTP/1.1 301 Moved\r\nLocation: /elsewhere\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        let server = try ScriptedServer([redirect, redirect, Self.toast])
        let channel = ToastServer(server.url).channel("ops")
        let detail = "The server redirects to /elsewhere: use that address."
        let refusal = ToastdError.problem(status: 301, type: "about:blank", detail: detail)
        await #expect(throws: refusal) { try await channel.publish("Deployed") }
        await #expect(throws: refusal) { for try await _ in channel.events() {} }
        #expect(server.requests.count == 2)
    }

    @Test func aStreamResumesAfterWhatItLeftOut() async throws {
        let event = #"data: {"type":"acted","id":"t1","action":"undo","at":"","cursor":"a-1"}"# + "\n\n"
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
        let server = try ScriptedServer(["\(head)\(event)id: a-9\n\n", head + event])
        var iterator = ToastServer(server.url).channel("ops").events().makeAsyncIterator()
        _ = try await (iterator.next(), iterator.next())
        #expect(server.requests.map { $0.contains("since=a-9") } == [false, true])
    }

    @Test func aStreamOfAnotherTypeIsAnError() async throws {
        let server = try ScriptedServer([Self.toast, Self.toast])
        let type = "application/json"
        await #expect(
            throws: ToastdError.unexpectedAnswer("The answer is not a stream of events, but has the type \"\(type)\".")
        ) { for try await _ in ToastServer(server.url).channel("ops").events() {} }
        #expect(server.requests.count == 1)
    }

    @Test(arguments: ["", ".", ".."]) func aNameThatLeadsElsewhereIsRefused(name: String) async throws {
        let server = try ScriptedServer([Self.toast])
        let refusal = ToastdError.unexpectedAnswer("\"\(name)\" is no name of a channel, toast, action or holder.")
        let client = ToastServer(server.url)
        await #expect(throws: refusal) { try await client.channel(name).publish("Deployed") }
        await #expect(throws: refusal) { for try await _ in client.channel(name).events() {} }
        await #expect(throws: refusal) { try await client.channel("ops").delete(name) }
        await #expect(throws: refusal) { try await client.channel("ops").act("t1", name) }
        #expect(server.requests.isEmpty)
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
