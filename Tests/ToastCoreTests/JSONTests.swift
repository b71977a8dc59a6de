import TestSupport
import Testing

@testable import ToastCore

@Suite struct JSONTests {
    @Test(arguments: [
        "null", "true", "false", "0", "-1", "9223372036854775807", "-9223372036854775808", "0.1", "-2.5", "1e+300",
        "5e-324", "1e+19", #""""#, #""a""#, #""é😀""#, #""\"\\\n\r\t\u0000\u001f""#, "[]", "[1,[2],{}]", "{}",
        #"{"b":1,"a":{"c":[null]}}"#, #"{"~/":{"":0}}"#,
    ])
    func writesBackWhatItReads(text: String) throws {
        #expect(try String(decoding: JSON(parsing: Array(text.utf8)).bytes, as: UTF8.self) == text)
    }

    @Test(arguments: [
        (" [ 1 , 2 ]\r\n\t", "[1,2]"), ("4.0", "4"), ("4e0", "4"), ("-0", "0"), ("-0.0", "0"), ("1E2", "100"),
        ("0.10", "0.1"), ("12345678901234567890", "1.2345678901234567e+19"), (#""\u00e9\/\b""#, #""é/\u0008""#),
        (#""\ud83d\ude00""#, #""😀""#),
    ])
    func writesTheOneFormOfAValue(text: String, form: String) throws {
        let value = try JSON(parsing: Array(text.utf8))
        #expect(String(decoding: value.bytes, as: UTF8.self) == form)
        #expect(try JSON(parsing: value.bytes) == value)
    }

    @Test(arguments: [
        "", " ", "{", "[", "[1", "[1,", "[1,]", "[,1]", "{,}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, "{a:1}", "{1:1}",
        "nul", "nulll", "True", "undefined", "NaN", "Infinity", "-Infinity", "+1", "-", "01", "-01", "1.", ".5", "1e",
        "1e+", "0x10", "1 2", "[] []", "{}x", "1e999", "-1e999", #""a"#, #"""#, #""\"#, #""\x""#, #""\u12""#,
        #""\u12g4""#, #""\ud800""#, #""\udc00""#, #""\ud800\u0041""#, #""\ud800x""#, "\"a\nb\"", "\"\u{0}\"", "'a'",
        "/**/1", #"{"a":1,"a":2}"#, "\u{FEFF}1", #"{"a":1 "b":2}"#, "[1 2]",
    ])
    func refusesWhatIsNoJSON(text: String) {
        #expect(throws: JSONSyntaxError.self) { try JSON(parsing: Array(text.utf8)) }
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22],
            [0x22, 0x5C, 0x6E, 0xC3, 0x22], [0xFF, 0xFE], [0x22, 0xE2, 0x82],
        ] as [[UInt8]]
    )
    func refusesWhatIsNoUTF8(bytes: [UInt8]) {
        #expect(throws: JSONSyntaxError.self) { try JSON(parsing: bytes) }
    }

    /// Lengths around the width of a vector, and beyond the first capacity of a writer.
    @Test(arguments: [1, 7, 8, 15, 16, 17, 31, 32, 33, 64, 600])
    func escapesWhatNeedsItWhereverItStands(length: Int) throws {
        for byte in [0x00, 0x1F, 0x22, 0x5C] as [UInt8] {
            for position in Set([0, length / 2, length - 1]) {
                var bytes = [UInt8](repeating: UInt8(ascii: "x"), count: length)
                bytes[position] = byte
                let value = JSON.string(String(decoding: bytes, as: UTF8.self))
                #expect(value.bytes.count > length + 2)
                #expect(try JSON(parsing: value.bytes) == value)
                // Unescaped it is refused; a quotation mark ends the text, and what follows is refused.
                let plain = [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]
                #expect(throws: JSONSyntaxError.self) { try JSON(parsing: plain) }
            }
        }
    }

    @Test(arguments: ["\u{301}", #"\u0301"#])
    func combiningMarksInARowAreLimited(mark: String) throws {
        func text(_ count: Int) -> [UInt8] { Array("\"m\(String(repeating: mark, count: count))m\"".utf8) }
        #expect(try JSON(parsing: text(64)).string?.unicodeScalars.count == 66)
        #expect(throws: JSONSyntaxError.self) { try JSON(parsing: text(65)) }
        // Documents that an earlier version stored stay readable.
        #expect(try JSON(stored: text(65)).string?.unicodeScalars.count == 67)
        let apart = Array("\"\(String(repeating: "m" + String(repeating: mark, count: 60), count: 9))\"".utf8)
        #expect(throws: Never.self) { try JSON(parsing: apart) }
    }

    @Test func tellsWhereTheFaultIs() {
        let twice = JSONSyntaxError(
            offset: 17,
            detail: "The object has this member twice.",
            pointer: "/a~1b/1/c"
        )
        #expect(throws: twice) { try JSON(parsing: Array(#"{"a/b":[0,{"c":1,"c":2}]}"#.utf8)) }
        let error = #expect(throws: JSONSyntaxError.self) { try JSON(parsing: Array(#"{"a":[1,tru]}"#.utf8)) }
        #expect(error?.offset == 8)
        #expect(error?.pointer == "/a/1")
        #expect(error?.isTooDeep == false)
    }

    @Test func takesNoMoreStackThanTheDepthAllows() throws {
        let deepest = String(repeating: "[", count: 16) + String(repeating: "]", count: 16)
        #expect(throws: Never.self) { try JSON(parsing: Array(deepest.utf8)) }
        for opening in ["[", #"{"a":"#] {
            let bomb = String(repeating: opening, count: 100_000)
            let error = #expect(throws: JSONSyntaxError.self) { try JSON(parsing: Array(bomb.utf8)) }
            #expect(error?.isTooDeep == true)
            #expect(error?.pointer == String(repeating: opening == "[" ? "/0" : "/a", count: 16))
        }
    }

    @Test func findsADuplicateAmongManyMembers() {
        let members = (0..<5000).map { #""m\#($0)":0"# }.joined(separator: ",")
        #expect(throws: Never.self) { try JSON(parsing: Array("{\(members)}".utf8)) }
        let error = #expect(throws: JSONSyntaxError.self) {
            try JSON(parsing: Array(#"{\#(members),"m17":0}"#.utf8))
        }
        #expect(error?.pointer == "/m17")
    }

    @Test func neverTrapsOnMutilatedDocuments() throws {
        var generator = SplitMix64(seed: 11)
        let document = Array(#"{"message":"Ä\u00e9\n","n":[-1.5e3,true,null,{"a":"b"}]}"#.utf8)
        for _ in 0..<20_000 {
            var bytes = document
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[index] = .random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                default: bytes.insert(document.randomElement(using: &generator) ?? 0, at: index)
                }
            }
            guard let value = try? JSON(parsing: bytes) else { continue }
            #expect(try JSON(parsing: value.bytes) == value)
        }
    }
}

@Suite struct JSONObjectTests {
    @Test func keepsTheOrderOfItsMembers() {
        var object: JSONObject = ["b": 1, "a": 2, "c": 3]
        object["a"] = nil
        object["d"] = 4
        object["b"] = 5
        #expect(object.map(\.key) == ["b", "c", "d"])
        #expect(object["b"] == 5)
        #expect(object["a"] == nil)
    }
}
