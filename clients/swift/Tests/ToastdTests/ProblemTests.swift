import Foundation
import Testing

@testable import Toastd

@Suite(.timeLimit(.minutes(1))) struct ProblemTests {
    @Test func aProblemHasItsWholeDocument() async throws {
        let document =
            #"{"type":"urn:toastd:problem:toast-already-presented","title":"Busy.","status":409,"retryAfter":3,"#
            + #""toast":\#(ScriptedServer.toast("t9", state: "presented")),"instance":"urn:toastd:request:7"}"#
        let problem = try await Self.problem(ScriptedServer.answer("409 Conflict", document))
        #expect(problem.toast?.id == "t9")
        #expect(problem.retryAfter == 3)
        #expect(problem.document?["instance"] == "urn:toastd:request:7")
        #expect(ToastdError.problem(problem).localizedDescription == "Busy.")
    }

    @Test func withoutFaultsTheDetailIsTheServersSentence() async throws {
        let document = #"{"type":"urn:toastd:problem:invalid-toast","title":"No.","detail":"Not so.","errors":[]}"#
        #expect(try await Self.problem(ScriptedServer.answer("422 No", document)).detail == "Not so.")
    }

    @Test func aPageOfAProxyIsAProblem() async throws {
        let page = ScriptedServer.answer("403 Forbidden", "<html>").replacing("application/json", with: "text/html")
        let problem = try await Self.problem(page)
        #expect(problem.type == "about:blank" && problem.detail.isEmpty && problem.document == nil)
        #expect(ToastdError.problem(problem).localizedDescription == "The server answered 403.")
    }

    @Test func everyErrorSaysWhatHappened() {
        let lost = ToastdError.connectionLost("no route")
        #expect(lost.localizedDescription == "The connection was lost: no route")
        #expect(ToastdError.unexpectedAnswer("A page.").localizedDescription == "A page.")
    }

    private static func problem(_ answer: String) async throws -> ToastProblem {
        let server = try ScriptedServer([answer])
        return try await ToastdTests.problem(of: {
            try await ToastServer(server.url).channel("ops").publish("Deployed")
        })
    }
}
