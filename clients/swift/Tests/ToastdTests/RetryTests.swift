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

    @Test func aPressIsSentOnceAlsoWhenTheServerClosesTheConnectionThatItKept() async throws {
        let kept = Self.toast.replacing("Connection: close", with: "Connection: keep-alive")
        let server = try ScriptedServer([kept, nil, Self.toast])
        let channel = ToastServer(server.url).channel("ops")
        _ = try await channel.toast("t1")
        let error = try await #require(throws: ToastdError.self) { try await channel.act("t1", "undo") }
        guard case .connectionLost = error else { throw error }
        #expect(server.requests.count == 2)
    }

    @Test func aRequestEndsWhenItsTimeIsOver() async throws {
        let (listener, port) = try TestServer.boundSocket()
        defer { close(listener) }
        // The machine accepts connections for it, and nobody answers.
        try #require(listen(listener, 16) == 0)
        let server = ToastServer(try #require(URL(string: "http://127.0.0.1:\(port)")))
        let call = Call(method: "GET", path: ["v1"], timeout: 1, isRepeatable: false)
        let start = ContinuousClock.now
        guard case .failure(.connectionLost) = try await server.outcome(of: call) else {
            throw TestServer.Failure(log: "no lost connection")
        }
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test func anEmptyTokenIsNotSentAndIsNoAnonymousCaller() async throws {
        let server = try ScriptedServer([Self.toast, Self.toast])
        let channel = ToastServer(server.url, token: { "" }).channel("ops")
        let refusal = ToastdError.unexpectedAnswer("The token is empty; nil stands for no token.")
        await #expect(throws: refusal) { try await channel.publish("Deployed") }
        await #expect(throws: refusal) { for try await _ in channel.events() {} }
        #expect(server.requests.isEmpty)
    }

    @Test func anEmptyKeyIsReplacedByANewOne() async throws {
        let server = try ScriptedServer([nil, Self.toast])
        #expect(try await ToastServer(server.url).channel("ops").publish("Deployed", key: "").id == "t1")
        let keys = server.requests.map(Self.key)
        #expect(keys.count == 2 && keys[0] == keys[1])
        #expect((keys[0]?.count ?? 0) > "idempotency-key: ".count)
    }

    @Test func aRequestAsksForNoLanguageOfThisMachine() async throws {
        let server = try ScriptedServer([Self.toast])
        _ = try await ToastServer(server.url).channel("ops").toast("t1")
        let languages = server.requests[0].lowercased().split(whereSeparator: \.isNewline)
            .filter { $0.hasPrefix("accept-language:") }
        #expect(languages == ["accept-language: *"])
    }

    @Test(arguments: ["ops", "actions"]) func aDismissalIsSentAgain(channel: String) async throws {
        let server = try ScriptedServer([nil, Self.toast])
        #expect(try await ToastServer(server.url).channel(channel).dismiss("t1").id == "t1")
        #expect(server.requests.count == 2)
    }

    @Test func aKeyInUseIsTriedAgainUnderTheSameKey() async throws {
        let server = try ScriptedServer([ScriptedServer.problem("409 Conflict", "idempotency-key-in-use"), Self.toast])
        #expect(try await ToastServer(server.url).channel("ops").publish("Deployed").id == "t1")
        let keys = server.requests.map(Self.key)
        #expect(keys.count == 2 && keys[0] != nil && keys[0] == keys[1])
    }

    @Test(arguments: Publication.allCases)
    func aPublicationOfSeveralIsSentAgainUnderTheSameKey(publication: Publication) async throws {
        let server = try ScriptedServer([nil, publication.answer])
        try await publication.send(to: ToastServer(server.url))
        let keys = server.requests.map(Self.key)
        #expect(keys.count == 2 && keys[0] != nil && keys[0] == keys[1])
    }

    /// The publications of more than one toast in one request.
    enum Publication: CaseIterable {
        case batch, severalChannels

        var answer: String {
            switch self {
            case .batch: ScriptedServer.answer("201 Created", #"{"toasts":[\#(ScriptedServer.toast())]}"#)
            case .severalChannels:
                ScriptedServer.answer(
                    "201 Created",
                    #"{"summary":{"channelCount":1,"acceptedCount":1,"refusedCount":0},"results":[]}"#
                )
            }
        }

        func send(to server: ToastServer) async throws {
            switch self {
            case .batch: try await server.channel("ops").publishBatch(["Deployed"])
            case .severalChannels: _ = try await server.publish("Deployed", to: ["ops"])
            }
        }
    }

    @Test func aChangeOfSeveralToastsIsSentAgain() async throws {
        let answer = #"{"updatedCount":1,"toasts":[\#(ScriptedServer.toast())]}"#
        let server = try ScriptedServer([nil, ScriptedServer.answer("200 OK", answer)])
        let updated = try await ToastServer(server.url).channel("ops").patchAll(reuseIdentifier: "disk", "Deployed")
        #expect(updated.updatedCount == 1 && updated.toasts.map(\.id) == ["t1"])
        #expect(server.requests.count == 2)
    }

    @Test func aChannelIsClearedOnceBecauseMoreMayBePublishedMeanwhile() async throws {
        let server = try ScriptedServer([nil, ScriptedServer.answer("200 OK", #"{"dismissedCount":7}"#)])
        let error = try await #require(throws: ToastdError.self) {
            try await ToastServer(server.url).channel("ops").clear()
        }
        guard case .connectionLost = error else { throw error }
        #expect(server.requests.count == 1)
    }

    @Test func anAnswerWithoutItsMembersIsUnexpected() async throws {
        let server = try ScriptedServer(Array(repeating: ScriptedServer.answer("200 OK", "{}"), count: 4))
        let client = ToastServer(server.url)
        let requests: [@Sendable () async throws -> Void] = [
            { try await client.channel("ops").publishBatch(["Deployed"]) },
            { try await client.channel("ops").patchAll(reuseIdentifier: "disk", "Deployed") },
            { try await client.channel("ops").clear() },
            { _ = try await client.publish("Deployed", to: ["ops"]) },
        ]
        for request in requests {
            let error = await #expect(throws: ToastdError.self) { try await request() }
            guard case .unexpectedAnswer = error else { throw TestServer.Failure(log: "\(error, default: "none")") }
        }
        #expect(server.requests.count == 4)
    }

    @Test func aStreamOfSeveralChannelsKeepsItsPlaceUntilAllHaveResumed() async throws {
        let resumed = #"data: {"type":"resumed","channel":"ops","at":"","cursor":"b-ops.3"}"# + "\n\n"
        let stream = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n\(resumed)"
        let server = try ScriptedServer([stream, stream])
        let options = StreamOptions(since: "a-lobby.7~ops.3")
        var events = ToastServer(server.url).events(of: ["ops", "lobby"], options).makeAsyncIterator()
        _ = try await (events.next(), events.next())
        let line = "GET /v1/stream?channel=ops&channel=lobby&since=a-lobby.7~ops.3 HTTP/1.1"
        #expect(server.requests.map { String($0.prefix { !$0.isNewline }) } == [line, line])
    }

    @Test func aStreamOfSeveralChannelsKeepsItsPlaceUntilAllHaveBegunAfterAPowerFailure() async throws {
        let (before, whole, last) = ("a-lobby.7~ops.3", "b-lobby.7~ops.2", "b-lobby.7~ops.4")
        let event = { (type: String, channel: String, cursor: String, members: String) in
            "data: {\"type\":\"\(type)\",\"channel\":\"\(channel)\",\"at\":\"\",\"cursor\":\"\(cursor)\"\(members)}\n\n"
        }
        let state = #","presented":[],"queuedCount":0,"effective":{},"reset":true"#
        let reset = event("snapshot", "ops", "b-ops.2", state)
        let press = #","id":"t1","action":"undo""#
        let connections = [
            [reset],
            [reset, event("acted", "ops", "b-ops.3", press)],
            [reset, event("resumed", "lobby", whole, "")],
            // From here on it goes on after each event.
            [event("resumed", "ops", whole, ""), event("acted", "ops", last, press)],
            [event("resumed", "ops", last, "")],
        ]
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
        let server = try ScriptedServer(connections.map { head + $0.joined() })
        let options = StreamOptions(since: before)
        var events = ToastServer(server.url).events(of: ["ops", "lobby"], options).makeAsyncIterator()
        for _ in connections.joined() { _ = try await events.next() }
        let lines = [before, before, before, whole, last].map {
            "GET /v1/stream?channel=ops&channel=lobby&since=\($0) HTTP/1.1"
        }
        #expect(server.requests.map { String($0.prefix { !$0.isNewline }) } == lines)
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

    @Test func anErrorOfTheTokenEndsTheRequestOrTheStream() async throws {
        // What a second attempt would get.
        let answer = ScriptedServer.problem("400 Bad Request", "invalid-parameter")
        let server = try ScriptedServer(Array(repeating: answer, count: 6))
        let requests: [@Sendable (ToastChannel) async throws -> Void] = [
            { try await $0.publish("Deployed") },
            { _ = try await $0.ask("Go on?", wait: .seconds(30)) },
            { for try await _ in $0.events() {} },
        ]
        for request in requests {
            let lost = ToastdError.connectionLost("The issuer of tokens is away.")
            let first = Self.channel(of: server, whoseTokenFirstThrows: lost)
            await #expect(throws: lost) { try await request(first) }
            let second = Self.channel(of: server, whoseTokenFirstThrows: CancellationError())
            await #expect(throws: CancellationError.self) { try await request(second) }
        }
        #expect(server.requests.isEmpty)
    }

    @Test func aStreamEndsWhenItsTaskIsCancelledWhileItWaitsForItsToken() async throws {
        let server = try ScriptedServer([])
        let (asked, signal) = AsyncStream.makeStream(of: Void.self)
        let client = ToastServer(
            server.url,
            token: {
                signal.yield()
                // As the request of a session fails, by which an app may fetch its token.
                do { try await Task.sleep(for: .seconds(600)) } catch { throw URLError(.cancelled) }
                return nil
            }
        )
        let reading = Task { for try await _ in client.channel("ops").events() {} }
        for await _ in asked { break }
        reading.cancel()
        try await reading.value
        #expect(server.requests.isEmpty)
    }

    /// A channel whose token cannot be had the first time.
    private static func channel(of server: ScriptedServer, whoseTokenFirstThrows error: any Error) -> ToastChannel {
        let token = LateToken(error)
        return ToastServer(server.url, token: { try await token.value() }).channel("ops")
    }

    /// Throws an error the first time that it is asked for.
    private actor LateToken {
        private var error: (any Error)?

        init(_ error: any Error) { self.error = error }

        func value() throws -> String? {
            defer { self.error = nil }
            if let error = self.error { throw error }
            return "toastd_KEY"
        }
    }

    /// The line with the idempotency key of a request.
    private static func key(_ request: String) -> Substring? {
        request.split(whereSeparator: \.isNewline).first { $0.lowercased().hasPrefix("idempotency-key:") }
    }
}
