import Testing
import ToastClient
import ToastCore

/// What people write on the command line, and what becomes of it.
@Suite struct DraftTests {
    @Test(
        arguments: [("90", 90), ("1.5", 1.5), ("90s", 90), ("5m", 300), ("0.5h", 1800), ("0", 0)] as [(String, Double)]
    )
    func aLengthOfTimeIsANumberWithOrWithoutAUnit(text: String, seconds: Double) {
        #expect(Seconds(text)?.count == seconds)
    }

    @Test(arguments: ["", "s", "-5", "5d", "m5", "5 m", "1e999", "inf", "nan", "0x10h", "99999999999", "3000000h"])
    func anythingElseIsNoLengthOfTime(text: String) {
        #expect(Seconds(text) == nil)
    }

    @Test func aDurationMayBeAWordThatTheServerKnows() {
        #expect(Draft.duration("5m") == 300)
        #expect(Draft.duration("indefinite") == "indefinite")
    }

    @Test func aButtonIsAnIDAndATitle() {
        #expect(Draft.Action("yes=Deploy = now").map { [$0.id, $0.title] } == ["yes", "Deploy = now"])
        #expect(Draft.Action("undo").map { [$0.id, $0.title] } == ["undo", "undo"])
        #expect(Draft.Action("=Deploy") == nil)
        #expect(Draft.Action("yes=") == nil)
    }

    @Test func progressIsAPartOfAWholeOrUnknown() {
        #expect(Draft.progress("3/12") == ["value": 3, "total": 12])
        #expect(Draft.progress("25%") == ["value": 25, "total": 100])
        #expect(Draft.progress("0.25") == ["value": 0.25])
        #expect(Draft.progress("?") == ["indeterminate": true])
    }

    @Test(arguments: ["", "half", "1/2/3", "1/", "%", "nan"])
    func anythingElseIsNoProgress(text: String) {
        #expect(Draft.progress(text) == nil)
    }

    @Test func whatIsSetByHandLiesOverTheDocument() throws {
        var draft = Draft(["message": "old", "data": 7])
        draft.set("message", "new")
        draft.set("role", nil)
        let action = try #require(Draft.Action("yes=Delete"))
        draft.set([action], destructive: ["yes"])
        let button: JSON = ["id": "yes", "title": "Delete", "role": "destructive"]
        #expect(draft.members == ["message": "new", "data": 7, "actions": [button]])
    }
}

/// Where a server is.
@Suite struct ServerURLTests {
    @Test(
        arguments: [
            ("127.0.0.1:8080", "http://127.0.0.1:8080"), ("localhost:1", "http://localhost:1"),
            ("[::1]:8080", "http://[::1]:8080"), ("https://toasts.example/", "https://toasts.example"),
            ("HTTPS://example.org/toasts//", "HTTPS://example.org/toasts"),
        ]
    )
    func aURLMayLeaveOutItsSchemeAndEndInSlashes(text: String, url: String) {
        #expect(ServerURL(text)?.description == url)
    }

    @Test(
        arguments: [
            "", "http://", "ftp://example.org", "http://user:secret@example.org", "http://example.org?x", "http://a b",
            "http://example.org#x", "http:///path", "http://\u{E4}.example", "http://:80",
        ]
    )
    func whatHasNoPlaceInItIsRefused(text: String) {
        #expect(ServerURL(text) == nil)
    }

    @Test func aNameInAPathIsEscaped() {
        #expect("a b/../\u{E4}".percentEncoded == "a%20b%2F..%2F%C3%A4")
    }
}
