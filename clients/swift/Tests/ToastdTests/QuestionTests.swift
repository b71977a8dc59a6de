import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@testable import Toastd

@Suite(.timeLimit(.minutes(1))) struct QuestionTests {
    private static let waiting = ScriptedServer.answer("202 Accepted", ScriptedServer.toast())
    private static let end = ScriptedServer.answer("200 OK", ScriptedServer.toast(state: "dismissed"))

    @Test func aQuestionIsOverWhenItsTimeIsWhateverTheServerAsksFor() async throws {
        let busy = "HTTP/1.1 503 Busy\r\nRetry-After: 60\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        let server = try ScriptedServer([busy, Self.waiting])
        let start = ContinuousClock.now
        #expect(try await ToastServer(server.url).channel("ops").ask("Go on?", wait: .seconds(5)).id == "t1")
        #expect((.seconds(4.9)...(.seconds(30))).contains(ContinuousClock.now - start))
        let preferences = server.requests.map(Self.preference)
        // The first request may be made late on a busy machine.
        #expect(preferences.count == 2 && preferences.last == "prefer: wait=1")
    }

    @Test func aLongQuestionIsAskedAgainBeforeAProxyGivesItUp() async throws {
        let server = try ScriptedServer([Self.waiting, Self.end])
        _ = try await ToastServer(server.url).channel("ops").ask("Go on?")
        #expect(server.requests.map(Self.preference) == ["prefer: wait=45", "prefer: wait=45"])
    }

    @Test func aQuestionIsReadAndNotPublishedAgainWhenItsKeyMayBeForgotten() async throws {
        let server = try ScriptedServer([
            Self.waiting, Self.waiting.replacing("202 Accepted", with: "200 OK"), Self.end,
        ])
        let channel = ToastServer(server.url).channel("ops")
        #expect(try await channel.ask("Go on?", wait: nil, repetition: .zero).state == "dismissed")
        let reading = "GET /v1/channels/ops/toasts/t1 HTTP/1.1"
        #expect(server.requests.map(Self.line) == ["POST /v1/channels/ops/toasts HTTP/1.1", reading, reading])
        #expect(server.requests.map(Self.preference) == Array(repeating: "prefer: wait=45", count: 3))
    }

    @Test func aQuestionIsReadWhenTheServerIsAwayUntilItsKeyMayBeForgotten() async throws {
        let away = ScriptedServer.answer("503 Busy", "{}", fields: "Retry-After: 60\r\n")
        let back = ScriptedServer.answer("503 Busy", "{}", fields: "Retry-After: 0\r\n")
        let server = try ScriptedServer([Self.waiting, away, back, Self.end])
        let channel = ToastServer(server.url).channel("ops")
        #expect(try await channel.ask("Go on?", wait: nil, repetition: .seconds(8)).state == "dismissed")
        let (publication, reading) = (
            "POST /v1/channels/ops/toasts HTTP/1.1", "GET /v1/channels/ops/toasts/t1 HTTP/1.1"
        )
        #expect(server.requests.map(Self.line) == [publication, publication, reading, reading])
    }

    @Test func aRequestAsksForTheTimeThatIsLeftWhenItsTokenHasCome() async throws {
        let until = ContinuousClock.now + .seconds(3)
        let url = try #require(URL(string: "http://toasts.example"))
        let server = ToastServer(
            url,
            token: {
                try await Task.sleep(until: until - .seconds(1), clock: .continuous)
                return "toastd_KEY"
            }
        )
        let call = Call(method: "GET", path: ["v1", "channels", "ops", "toasts", "t1"], until: until)
        let request = try await server.request(call)
        #expect(request.value(forHTTPHeaderField: "Prefer") == "wait=1")
        #expect(request.timeoutInterval == 31)
    }

    private static func preference(_ request: String) -> String? {
        request.lowercased().split(whereSeparator: \.isNewline).first { $0.hasPrefix("prefer:") }.map(String.init)
    }

    private static func line(_ request: String) -> String { String(request.prefix { !$0.isNewline }) }
}
