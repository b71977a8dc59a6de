import Foundation
import Testing

@testable import Toastd

@Suite(.timeLimit(.minutes(1))) struct ListTests {
    private static let change = ScriptedServer.problem("404 Not Found", "toast-not-found")

    @Test func aListBeginsAnewWhenTheEndOfAPageIsGone() async throws {
        let server = try ScriptedServer([
            Self.page(["a", "b"], next: "b"), Self.change, Self.page(["a", "c"], next: "c"), Self.page(["d"]),
        ])
        #expect(try await ToastServer(server.url).channel("ops").toasts().map(\.id) == ["a", "c", "d"])
        #expect(server.requests.map { $0.contains("after=") } == [false, true, false, true])
    }

    @Test func aToastOfTwoPagesIsListedOnceInItsLaterState() async throws {
        let server = try ScriptedServer([
            Self.page(["a", "b"], next: "b"), Self.page(["a", "c"], state: "presented"),
        ])
        let toasts = try await ToastServer(server.url).channel("ops").toasts()
        #expect(toasts.map { "\($0.id) \($0.state)" } == ["a presented", "b queued", "c presented"])
    }

    @Test func aListThatNeverStandsStillIsGivenUp() async throws {
        let change = [Self.page(["a", "b"], next: "b"), Self.change]
        let server = try ScriptedServer(Array(repeating: change, count: 7).flatMap(\.self))
        let refusal = try await problem(of: { _ = try await ToastServer(server.url).channel("ops").toasts() })
        #expect(refusal.type == "toast-not-found")
        #expect(server.requests.count == 12)
    }

    private static func page(_ ids: [String], next: String? = nil, state: String = "queued") -> String {
        let toasts = ids.map { ScriptedServer.toast($0, state: state) }.joined(separator: ",")
        let last = next.map { #","next":"\#($0)""# } ?? ""
        return ScriptedServer.answer("200 OK", #"{"cursor":"a-1","toasts":[\#(toasts)]\#(last)}"#)
    }
}
