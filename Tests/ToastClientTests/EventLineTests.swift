import Foundation
import Testing
import ToastCore

@testable import ToastClient

@Suite struct EventLineTests {
    private func event(_ text: String) throws -> JSON { try JSON(parsing: Array(text.utf8)) }

    private func writer(showsChannel: Bool = false, isColored: Bool = false) throws -> EventLine {
        EventLine(showsChannel: showsChannel, isColored: isColored, zone: try #require(TimeZone(secondsFromGMT: 3600)))
    }

    private let presented = """
        {"type":"presented","channel":"ops","cursor":"e-2","at":"2026-01-01T12:00:00.250Z","remaining":5.96,
         "toast":{"id":"t1","role":"warning","title":"Disk","message":{"key":"k","text":"Almost full"},
                  "actions":[{"id":"yes","title":"Delete"}]}}
        """

    @Test func aLineHasTheTimeTheTypeAndTheToast() throws {
        var writer = try self.writer()
        let line = writer.line(try self.event(self.presented))
        #expect(line == "13:00:00  presented   warning  Disk: Almost full [Delete]  (6 s)")
    }

    @Test func theTextOfAToastIsRemembered() throws {
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

    @Test func anUnknownToastIsShownByItsID() throws {
        var writer = try self.writer()
        let line = writer.line(
            try self.event(#"{"type":"acted","at":"2026-01-01T12:00:01.000Z","id":"t9","action":"no"}"#)
        )
        #expect(line == "13:00:01  acted                t9  (no)")
    }

    @Test func anEventWithoutAToastHasItsDetails() throws {
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

    @Test func aLineHasNoControlCharacters() throws {
        var writer = try self.writer()
        let hostile =
            #"{"type":"\u001b]0;x","at":"\u001b","toast":{"id":"i","role":"\u001b","message":"\u001b[2J\nroot#"}}"#
        let line = writer.line(try self.event(hostile))
        #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }
}
