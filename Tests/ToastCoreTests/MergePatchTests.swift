import Testing
import ToastCore

/// RFC 7396, Appendix A, on the `data` of a toast.
@Suite struct MergePatchTests {
    @Test(arguments: [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":null}"#, #"{}"#), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
        (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
        (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
        (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#), (#"[1,2]"#, #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
        (#"{}"#, #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ])
    func appendixA(original: String, patch: String, result: String) throws {
        func data(_ text: String) throws -> JSON { ["data": try JSON(parsing: Array(text.utf8))] }
        var draft = try ToastDraft(message: "m")
        var details = draft.details
        details.data = try data(original)["data"]
        draft.details = details
        #expect(try draft.applying(ToastPatch(json: try data(patch))).data == (try data(result)["data"]))
    }

    @Test(.timeLimit(.minutes(1))) func manyMembersTakeNoQuadraticTime() throws {
        var original = JSONObject()
        for number in 0..<50 { original["\(number)"] = 1 }
        let patch = try JSON(parsing: Array("{\((0..<20_000).map { #""\#($0)":2"# }.joined(separator: ","))}".utf8))
        let draft = try ToastDraft(json: ["message": "m", "data": .object(original)])
        let data = try draft.applying(ToastPatch(json: ["data": patch])).data
        #expect(data == patch)
    }
}
