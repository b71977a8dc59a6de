import Testing
import ToastClient
import ToastCore

@Suite struct DraftTests {
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

    @Test func membersOverrideTheDocument() throws {
        var draft = Draft(["message": "old", "data": 7])
        draft.set("message", "new")
        draft.set("role", nil)
        let action = try #require(Draft.Action("yes=Delete"))
        draft.set([action], destructive: ["yes"])
        let button: JSON = ["id": "yes", "title": "Delete", "role": "destructive"]
        #expect(draft.members == ["message": "new", "data": 7, "actions": [button]])
    }
}
