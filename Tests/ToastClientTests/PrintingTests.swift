import Foundation
import Testing
import ToastCore

@testable import ToastClient

/// What people read.
@Suite struct PrintingTests {
    private func event(_ text: String) throws -> JSON { try JSON(parsing: Array(text.utf8)) }

    private func writer(showsChannel: Bool = false, isColored: Bool = false) throws -> EventLine {
        EventLine(showsChannel: showsChannel, isColored: isColored, zone: try #require(TimeZone(secondsFromGMT: 3600)))
    }

    private let presented = """
        {"type":"presented","channel":"ops","cursor":"e-2","at":"2026-01-01T12:00:00.250Z","remaining":5.96,
         "toast":{"id":"t1","role":"warning","title":"Disk","message":{"key":"k","text":"Almost full"},
                  "actions":[{"id":"yes","title":"Delete"}]}}
        """

    @Test func aLineSaysWhenWhatAndOfWhichToast() throws {
        var writer = try self.writer()
        let line = writer.line(try self.event(self.presented))
        #expect(line == "13:00:00  presented   warning  Disk: Almost full [Delete]  (6 s)")
    }

    @Test func whatWasHeardOfAToastIsRemembered() throws {
        var writer = try self.writer(showsChannel: true)
        _ = writer.line(try self.event(self.presented))
        let line = writer.line(
            try self.event(
                """
                {"type":"dismissed","channel":"ops","at":"2026-01-01T12:00:01.000Z","id":"t1","dismissReason":"action","action":"yes"}
                """
            )
        )
        #expect(line == "13:00:01  dismissed   ops           warning  Disk: Almost full [Delete]  (action yes)")
    }

    @Test func aToastThatNobodyHeardOfHasItsID() throws {
        var writer = try self.writer()
        let line = writer.line(
            try self.event(#"{"type":"acted","at":"2026-01-01T12:00:01.000Z","id":"t9","action":"no"}"#)
        )
        #expect(line == "13:00:01  acted                t9  (no)")
    }

    @Test func whatConcernsNoToastFollowsTheType() throws {
        var writer = try self.writer()
        let snapshot =
            #"{"type":"snapshot","at":"2026-01-01T12:00:01.000Z","presented":[],"queuedCount":2,"reset":true}"#
        #expect(
            writer.line(try self.event(snapshot)) == "13:00:01  snapshot    0 on screen, 2 waiting, events were missed"
        )
        let shutdown = #"{"type":"shutdown","at":"2026-01-01T12:00:01.000Z","retry":3.24}"#
        #expect(writer.line(try self.event(shutdown)) == "13:00:01  shutdown    the server stops; back in 3.2 s")
    }

    @Test func onlyTheRoleAndTheTimeAreColoured() throws {
        var writer = try self.writer(isColored: true)
        let line = writer.line(try self.event(self.presented))
        #expect(
            line
                == "\u{1B}[2m13:00:00\u{1B}[0m  presented   \u{1B}[33mwarning\u{1B}[0m  Disk: Almost full [Delete]  (6 s)"
        )
    }

    @Test func nothingThatATerminalWouldObeyIsPrinted() throws {
        #expect(
            "a\u{1B}[2Jb\u{9B}c\u{7}\u{202E}d\ne\tf\u{2028}g\u{85}h".printable
                == "a\u{FFFD}[2Jb\u{FFFD}c\u{FFFD}\u{FFFD}d e f g h"
        )
        #expect("\u{1F468}\u{200D}\u{1F469} \u{E4} \u{5E9}".printable == "\u{1F468}\u{200D}\u{1F469} \u{E4} \u{5E9}")
        var writer = try self.writer()
        let hostile =
            #"{"type":"\u001b]0;x","at":"\u001b","toast":{"id":"i","role":"\u001b","message":"\u001b[2J\nroot#"}}"#
        let line = writer.line(try self.event(hostile))
        #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }

    @Test func jsonMeansTheSameWithoutWhatATerminalWouldObey() throws {
        let text = "[\n\"a\u{9B}2J\u{7F}\u{202E}\u{2028}\u{1F468}\u{200D}\u{1F469} \u{E4}\\n\"]"
        let printed = text.printableJSON
        #expect(
            printed == "[ \"a\\u009b2J\\u007f\\u202e\\u2028\u{1F468}\u{200D}\u{1F469} \u{E4}\\n\"]"
        )
        #expect(try self.event(printed) == self.event(text))
    }

    @Test func aRefusalHasTitleDetailAndEachPointer() {
        let body = """
            {"type":"urn:toastd:problem:invalid-toast","title":"The toast is not valid.","status":422,"detail":"d",
             "errors":[{"pointer":"/role","detail":"is unknown"},{"pointer":"","detail":"is empty"}]}
            """
        let refusal = Refusal(status: 422, mediaType: "application/problem+json", body: Array(body.utf8))
        #expect(
            refusal.lines == [
                "The toast is not valid. (422 invalid-toast)", "  /role: is unknown", "  the document: is empty",
            ]
        )
    }

    @Test func aRefusalWithoutFaultsHasItsDetailAndWhenToTryAgain() {
        let body =
            #"{"type":"urn:toastd:problem:queue-full","title":"Full.","status":429,"detail":"1000 wait.","retryAfter":7}"#
        let refusal = Refusal(status: 429, mediaType: "application/problem+json; charset=utf-8", body: Array(body.utf8))
        #expect(refusal.lines == ["Full. (429 queue-full)", "  1000 wait.", "  Try again in 7 s."])
        #expect(refusal.isTemporary)
    }

    @Test func whoeverIsNoToastdIsNotTakenAtItsWord() {
        let page = Refusal(status: 502, mediaType: "text/html", body: Array("<h1>\u{1B}".utf8), retryAfter: 3)
        #expect(page.lines.first == "This is not how toastd answers. Is it behind that address? (status 502)")
        let moved = Refusal(status: 301, mediaType: "", body: [], location: "https://elsewhere.example/\u{1B}")
        #expect(
            moved.lines == [
                "The server is elsewhere: https://elsewhere.example/\u{FFFD}. Name that with --server. (status 301)"
            ]
        )
        #expect(!moved.isTemporary)
    }
}

/// How long a follower stays away.
@Suite struct RestTests {
    @Test(
        arguments: [
            (nil, 0, 3), (2, 0, 2), (2, 1, 4), (2, 3, 16), (2, 9, 30), (60, 0, 60), (60, 4, 60), (0, 0, 3),
            (1e300, 9, 3600),
        ] as [(Double?, Int, Double)]
    )
    func itIsAsLongAsTheServerSaidAndLongerWithEachFailure(wish: Double?, failures: Int, rest: Double) {
        #expect((rest * 0.9...rest * 1.1).contains(Follower.rest(wish, failures: failures)))
    }
}
