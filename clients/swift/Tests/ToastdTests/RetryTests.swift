import Foundation
import Testing

@testable import Toastd

@Suite(.timeLimit(.minutes(1))) struct RetryTests {
    private static let toast = ScriptedServer.answer("200 OK", ScriptedServer.toast())

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

    @Test func aPauseThatIsNoNumberIsNone() async throws {
        let busy = "HTTP/1.1 503 Busy\r\nRetry-After: nan\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        let server = try ScriptedServer([busy, Self.toast])
        #expect(try await ToastServer(server.url).channel("ops").publish("Deployed").id == "t1")
    }

    @Test func aServerThatAsksForALongPauseHasRefused() async throws {
        let busy = ScriptedServer.answer("429 Busy", "{}", fields: "Retry-After: 60\r\n")
        let server = try ScriptedServer([busy, Self.toast])
        let refusal = try await problem(of: { try await ToastServer(server.url).channel("ops").publish("Deployed") })
        #expect(refusal.status == 429 && refusal.retryAfter == 60)
        #expect(server.requests.count == 1)
    }

    @Test func aRedirectIsAnErrorThatNamesIt() async throws {
        let redirect =
            "HTTP/1.1 301 Moved\r\nLocation: /elsewhere\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        let server = try ScriptedServer([redirect, redirect, Self.toast])
        let channel = ToastServer(server.url).channel("ops")
        let refusals = [
            try await problem(of: { try await channel.publish("Deployed") }),
            try await problem(of: { for try await _ in channel.events() {} }),
        ]
        for refusal in refusals {
            #expect(refusal.status == 301 && refusal.type == "about:blank")
            #expect(refusal.detail == "The server redirects to /elsewhere: use that address.")
        }
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
        let refusal = try await problem(of: { try await ToastServer(server.url).channel("ops").publish("Deployed") })
        #expect(refusal.status == 409 && refusal.type == "toast-already-presented" && refusal.detail == "No.")
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
