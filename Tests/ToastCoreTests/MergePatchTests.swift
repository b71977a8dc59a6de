import Testing

@testable import ToastCore

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
        #expect(try draft.applying(ToastPatch(json: try data(patch))).details.data == (try data(result)["data"]))
    }

    @Test func namesOfOtherCodePointsAreOtherNames() throws {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        let original: JSON = .object([composed: 1])
        #expect(JSON.object([decomposed: .null]).merged(onto: original) == original)
        let both: JSON = .object([composed: 2, decomposed: 3])
        #expect(both.merged(onto: original) == both)
        #expect(both != .object([decomposed: 2, composed: 3]))
    }

    @Test(.timeLimit(.minutes(1))) func spellingsOfOneNameTakeNoQuadraticTime() throws {
        // All of these are equal as `String`: the order of marks of different classes counts for nothing.
        let marks = ["\u{323}", "\u{301}", "\u{345}", "\u{5B0}", "\u{64B}", "\u{711}", "\u{327}"]
        var names: [String] = [""]
        for mark in marks {
            names = names.flatMap { name in
                let scalars = Array(name.unicodeScalars)
                return (0...scalars.count).map { place in
                    var text = String.UnicodeScalarView(scalars[..<place])
                    text.append(contentsOf: mark.unicodeScalars)
                    text.append(contentsOf: scalars[place...])
                    return String(text)
                }
            }
        }
        #expect(Set(names).count == 1 && names.count == 5040)
        let text = "{" + names.map { "\"\($0)\":1" }.joined(separator: ",") + "}"
        let object = try JSON(parsing: Array(text.utf8))
        #expect(object.merged(onto: object).object?.count == names.count)
    }

    @Test(.timeLimit(.minutes(1))) func manyMembersTakeNoQuadraticTime() throws {
        var original = JSONObject()
        for number in 0..<50 { original["\(number)"] = 1 }
        let patch = try JSON(parsing: Array("{\((0..<20_000).map { #""\#($0)":2"# }.joined(separator: ","))}".utf8))
        let draft = try ToastDraft(json: ["message": "m", "data": .object(original)])
        var limits = Limits.standard
        limits.documentBytes = 1_000_000
        let data = try draft.applying(ToastPatch(json: ["data": patch], limits: limits)).details.data
        #expect(data == patch)
    }
}
