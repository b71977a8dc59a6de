import Testing
import ToastClient

/// The rules of WHATWG HTML §9.2.6.
@Suite struct EventStreamReaderTests {
    private typealias Item = EventStreamReader.Item

    private func items(_ pieces: String...) -> [Item] {
        var reader = EventStreamReader()
        return pieces.flatMap { reader.read(Array($0.utf8)) }
    }

    @Test func anEventHasDataAndAnID() {
        let text = "id: e-1\nevent: presented\ndata: {}\n\n"
        #expect(self.items(text) == [.event(data: "{}", id: "e-1")])
    }

    @Test(arguments: ["\n", "\r", "\r\n"])
    func linesEndInAnyOfThreeWaysAndPiecesAnywhere(end: String) {
        let text = ": hello\(end)retry: 1500\(end)id: e-1\(end)data: a\(end)data:b\(end)\(end)data: c\(end)\(end)"
        let expected: [Item] = [
            .retry(milliseconds: 1500), .event(data: "a\nb", id: "e-1"),
            .event(data: "c", id: "e-1"),
        ]
        var reader = EventStreamReader()
        #expect(text.utf8.flatMap { reader.read([$0]) } == expected)
        #expect(self.items(text) == expected)
    }

    @Test(arguments: ["data: xxxxxxxx", "data: xxxxxxxx\n", "data\n", "event: xxxxxxx"])
    func anEventWithoutAnEndIsNotKept(piece: String) {
        var reader = EventStreamReader()
        let pieces = Array(String(repeating: piece, count: 65_536).utf8)
        for _ in 0..<128 where !reader.isFlooded { #expect(reader.read(pieces).isEmpty) }
        #expect(reader.isFlooded)
        // The rest of the event is skipped, too: its beginning is missing.
        #expect(reader.read(Array("\n\ndata: a\n\n".utf8)).isEmpty)
    }

    @Test func aCharacterMayComeInTwoPieces() {
        var reader = EventStreamReader()
        let bytes = Array("data: \u{E4}\n\n".utf8)
        #expect(reader.read(Array(bytes.prefix(7))).isEmpty)
        #expect(reader.read(Array(bytes.dropFirst(7))) == [.event(data: "\u{E4}", id: "")])
    }

    @Test func anIDWithoutDataIsAPosition() {
        let text = "id: e-1\ndata: a\n\nid: e-9\n\n: idle\n\nevent: x\n\ndata: b\n\n"
        let expected: [Item] = [.event(data: "a", id: "e-1"), .position(id: "e-9"), .event(data: "b", id: "e-9")]
        #expect(self.items(text) == expected)
    }

    @Test func whatIsNotFinishedIsNoEvent() {
        #expect(self.items("data: a\n").isEmpty)
        #expect(self.items("event: x\n\n").isEmpty)
        #expect(self.items("event: x\n\ndata: a\n\n") == [.event(data: "a", id: "")])
    }

    @Test func anAccentBehindTheColonOrTheSpaceIsPartOfTheText() {
        #expect(self.items("data:\u{301}a\n\n") == [.event(data: "\u{301}a", id: "")])
        #expect(self.items("data: \u{301}a\n\n") == [.event(data: "\u{301}a", id: "")])
    }

    @Test func onlyOneSpaceAndOneByteOrderMarkAreDropped() {
        #expect(self.items("\u{FEFF}data:  a\n\n") == [.event(data: " a", id: "")])
    }

    @Test func aRetryThatIsNoNumberAndAnIDWithANullAreIgnored() {
        let text = "retry: soon\nretry: -1\nretry: -0\nretry: +5\nretry:\nid: a\0b\ndata\n\n"
        #expect(self.items(text) == [.event(data: "", id: "")])
    }
}
