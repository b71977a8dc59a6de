import Foundation
import Testing

@testable import Toastd

@Suite(.timeLimit(.minutes(1))) struct QuestionTests {
    private static let waiting = ScriptedServer.answer("202 Accepted", ScriptedServer.toast())
    private static let end = ScriptedServer.answer("200 OK", ScriptedServer.toast(state: "dismissed"))

    @Test func aQuestionIsOverWhenItsTimeIsWhateverTheServerAsksFor() async throws {
        let busy = "HTTP/1.1 503 Busy\r\nRetry-After: 60\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        let server = try ScriptedServer([busy, Self.waiting])
        let start = ContinuousClock.now
        #expect(try await ToastServer(server.url).channel("ops").ask("Go on?", wait: .seconds(2)).id == "t1")
        #expect((.seconds(1.9)...(.seconds(20))).contains(ContinuousClock.now - start))
        #expect(server.requests.map(Self.preference) == ["prefer: wait=2", "prefer: wait=1"])
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
        let busy = ScriptedServer.answer("503 Busy", "{}", fields: "Retry-After: 2\r\n")
        let server = try ScriptedServer([Self.waiting, busy, busy, Self.end])
        let channel = ToastServer(server.url).channel("ops")
        #expect(try await channel.ask("Go on?", wait: nil, repetition: .seconds(1.5)).state == "dismissed")
        #expect(server.requests.last.map(Self.line) == "GET /v1/channels/ops/toasts/t1 HTTP/1.1")
    }

    private static func preference(_ request: String) -> String? {
        request.lowercased().split(whereSeparator: \.isNewline).first { $0.hasPrefix("prefer:") }.map(String.init)
    }

    private static func line(_ request: String) -> String { String(request.prefix { !$0.isNewline }) }
}
