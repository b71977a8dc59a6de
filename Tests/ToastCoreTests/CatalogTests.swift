import Testing

@testable import ToastCore

@Suite struct FlatCatalogTests {
    private func catalog(_ text: String) throws(CatalogError) -> Catalog { try Catalog(json: Array(text.utf8)) }

    @Test func formatsAndPluralFormsAreRead() throws {
        let catalog = try self.catalog(
            #"{"hi": "Hello, %@", "n": {"one": "%d file", "other": "%d files", "argument": 2}}"#
        )
        #expect(catalog["hi"] == .format("Hello, %@"))
        #expect(catalog["n"] == .plural(.make("%d file", "%d files", 1)))
        #expect(catalog.count == 2)
    }

    @Test func whatIsWrittenReadsBackEqual() throws {
        let text =
            #"{"a\"b":"x\ny","both":{"format":"%#@f@ of %@","parts":{"f":{"argument":1,"one":"a","other":"b"}}},"n":{"zero":"0","other":"%d"}}"#
        let catalog = try self.catalog(text)
        #expect(String(decoding: catalog.encoded, as: UTF8.self) == text)
        #expect(try Catalog(json: catalog.encoded) == catalog)
    }

    @Test func partsTakeTheArgumentOfTheirPlace() throws {
        let catalog = try self.catalog(
            #"{"k": {"format": "%@: %#@a@, %#@b@", "parts": {"b": {"other": "%3$d"}, "a": {"one": "one", "other": "%2$d"}}}}"#
        )
        let lexicon = Lexicon(catalogs: [.english: catalog], default: .english)
        #expect(lexicon.text(.localized(key: "k", arguments: ["x", 1, 7], default: nil)) == "x: one, 7")
    }

    @Test(
        arguments: [
            ("[]", ""), (#"{"a": 1}"#, "/a"), (#"{"a/b": null}"#, "/a~1b"), (#"{"": "x"}"#, "/"),
            (#"{"\#(String(repeating: "x", count: 1025))": 1}"#, "/" + String(repeating: "x", count: 1024)),
            (#"{"a": {"one": "x"}}"#, "/a"), (#"{"a": {"other": 1}}"#, "/a/other"),
            (#"{"a": {"other": "x", "lots": "y"}}"#, "/a/lots"),
            (#"{"a": {"other": "x", "argument": 0}}"#, "/a/argument"),
            (#"{"a": {"other": "x", "argument": 17}}"#, "/a/argument"),
            (#"{"a": {"format": "%#@x@", "parts": {}}}"#, "/a"),
            // The stored document cannot express which argument such a part counts, so it could not be read again.
            (#"{"a": {"format": "%0$#@x@", "parts": {"x": {"other": "y"}}}}"#, "/a"),
            (#"{"a": {"format": "%17$#@x@", "parts": {"x": {"other": "y"}}}}"#, "/a"),
            (#"{"a": {"format": "x"}}"#, "/a/parts"), (#"{"a": {"format": "x", "parts": {}, "y": 1}}"#, "/a/y"),
        ]
    )
    func aFaultIsNamedByItsPointer(text: String, pointer: String) {
        let error = #expect(throws: CatalogError.self) { try self.catalog(text) }
        guard case .invalid(let error)? = error else {
            Issue.record("There is another error.")
            return
        }
        #expect(error.issues.map(\.pointer) == [pointer])
    }

    @Test func whatIsNoJSONIsToldApart() {
        let error = #expect(throws: CatalogError.self) { try self.catalog(#"{"a": "x",}"#) }
        #expect(error == .notJSON(JSONSyntaxError(offset: 10, detail: "A member name is expected here.")))
    }

    @Test func aCatalogIsBounded() {
        var limits = CatalogLimits()
        limits.keys = 1
        limits.formatLength = 4
        limits.keyLength = 2
        #expect(throws: CatalogError.self) { try Catalog(json: Array(#"{"a": "1", "b": "2"}"#.utf8), limits: limits) }
        #expect(throws: CatalogError.self) { try Catalog(json: Array(#"{"a": "12345"}"#.utf8), limits: limits) }
        #expect(throws: CatalogError.self) { try Catalog(json: Array(#"{"abc": "1"}"#.utf8), limits: limits) }
        limits.documentBytes = 1
        #expect(throws: CatalogError.self) { try Catalog(json: Array("{}".utf8), limits: limits) }
    }

    @Test func aByteOrderMarkIsIgnored() throws {
        #expect(try Catalog(json: [0xEF, 0xBB, 0xBF] + Array(#"{"a":"b"}"#.utf8))["a"] == .format("b"))
    }
}

@Suite struct StringsTests {
    private static let text = #"""
        /* A comment; "not" = "read"; */
        "greeting" = "Hello, %@";  // and another
        plain.key-1 = unquoted;
        'single' = 'it\'s';
        "escapes" = "a\"b\\c\n\t\U00e9\Ud83d\Ude00\q";
        "own";
        "lines" = "one
        two";
        """#

    private static let expected: [String: CatalogEntry] = [
        "greeting": .format("Hello, %@"), "plain.key-1": .format("unquoted"), "single": .format("it's"),
        "escapes": .format("a\"b\\c\n\té😀q"), "own": .format("own"), "lines": .format("one\ntwo"),
    ]

    @Test func whatPeopleWriteIsRead() throws {
        #expect(try Catalog(strings: Array(Self.text.utf8)) == Catalog(Self.expected))
    }

    @Test(arguments: [false, true], [false, true])
    func itMayBeUTF16(isLittleEndian: Bool, hasMark: Bool) throws {
        let units = (hasMark ? [0xFEFF] : []) + Array(Self.text.utf16)
        let bytes = units.flatMap { unit in
            let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
            return isLittleEndian ? pair.reversed() : pair
        }
        #expect(try Catalog(strings: bytes) == Catalog(Self.expected))
        let encoding = isLittleEndian ? TextEncoding.utf16LittleEndian : .utf16BigEndian
        #expect(try Catalog(strings: bytes, encoding: encoding) == Catalog(Self.expected))
    }

    @Test(arguments: ["k\(Self.marks)", "k = v\(Self.marks)", #"k = "\#(String(repeating: #"\U0301"#, count: 65))""#])
    func combiningMarksInARowAreLimited(text: String) {
        #expect(throws: CatalogError.self) { try Catalog(strings: Array((text + ";").utf8)) }
    }

    private static let marks = String(repeating: "\u{301}", count: 65)

    @Test func aMarkOfUTF8IsNoPartOfTheFirstKey() throws {
        #expect(try Catalog(strings: [0xEF, 0xBB, 0xBF] + Array("a = b;".utf8))["a"] == .format("b"))
    }

    @Test(
        arguments: [
            ("\"a\" = \"b\"", 1), ("\"a\" \"b\";", 1), ("\n\n\"a\" = ;", 3), ("a = b;\n\"c", 2), ("/* x\n*", 1),
            ("a = b;\r\na = c;", 2), ("a = b;\r\r\r= d;", 4), (#""a" = "\U00g0";"#, 1), (#""a" = "\Ud83d";"#, 1),
            (#""a" = "\101";"#, 1), ("a = {b = c;};", 1), ("\"\" = b;", 1), ("{ a = b; }", 1), ("a = b;;", 1),
            (#""a" = "\"#, 1), (#""a" = "\U"#, 1),
        ]
    )
    func aFaultIsNamedByItsLine(text: String, line: Int) {
        let error = #expect(throws: CatalogError.self) { try Catalog(strings: Array(text.utf8)) }
        guard case .line(line, _)? = error else {
            Issue.record("The error is \(String(describing: error)).")
            return
        }
    }

    @Test(arguments: [Array("bplist00".utf8), [0x22, 0xFF], [0xFF, 0xFE, 0x22], [0xFF, 0xFE, 0x00, 0xD8]])
    func whatIsNoTextIsRefused(bytes: [UInt8]) {
        #expect(throws: CatalogError.self) { try Catalog(strings: bytes) }
    }

    @Test func everyCutOfAFileIsReadOrRefused() {
        let bytes = Array(Self.text.utf8)
        for count in bytes.indices { _ = try? Catalog(strings: Array(bytes.prefix(count))) }
    }
}

@Suite struct StringCatalogTests {
    private static let text = #"""
        {"sourceLanguage": "en", "version": "1.0", "strings": {
          "": {},
          "untouched": {"extractionState": "stale"},
          "saved": {"comment": "c", "localizations": {
            "en": {"stringUnit": {"state": "translated", "value": "%@ was saved"}},
            "de": {"stringUnit": {"state": "translated", "value": "%@ wurde gesichert"}},
            "fr": {"stringUnit": {"state": "new", "value": ""}}}},
          "files": {"localizations": {
            "en": {"variations": {"plural": {
              "one": {"stringUnit": {"state": "translated", "value": "%lld file"}},
              "other": {"stringUnit": {"state": "translated", "value": "%lld files"}}}}},
            "pl": {"variations": {"plural": {
              "one": {"stringUnit": {"state": "translated", "value": "%lld plik"}},
              "few": {"stringUnit": {"state": "translated", "value": "%lld pliki"}},
              "many": {"stringUnit": {"state": "translated", "value": "%lld plików"}},
              "other": {"stringUnit": {"state": "translated", "value": "%lld pliku"}}}}}}},
          "both": {"localizations": {"en": {
            "stringUnit": {"state": "translated", "value": "%@ has %#@files@ in %#@folders@"},
            "substitutions": {
              "folders": {"argNum": 3, "formatSpecifier": "lld", "variations": {"plural": {
                "one": {"stringUnit": {"state": "translated", "value": "%arg folder"}},
                "other": {"stringUnit": {"state": "translated", "value": "%arg folders"}}}}},
              "files": {"formatSpecifier": "lld", "variations": {"plural": {
                "one": {"stringUnit": {"state": "translated", "value": "%arg file"}},
                "other": {"stringUnit": {"state": "translated", "value": "%arg files (100%%arg)"}}}}}}}}},
          "tap": {"localizations": {"en": {"variations": {"device": {
            "iphone": {"stringUnit": {"state": "translated", "value": "Tap"}},
            "other": {"stringUnit": {"state": "translated", "value": "Click"}}}}}}}}}
        """#

    private func text(_ key: String, _ arguments: [JSON], _ language: String) throws -> String {
        let catalog = try StringCatalog(parsing: Array(Self.text.utf8))
        let lexicon = Lexicon(catalogs: catalog.catalogs, default: .english)
        let tag = try #require(LanguageTag(rawValue: language))
        return lexicon.text(.localized(key: key, arguments: arguments, default: nil), in: tag)
    }

    @Test func oneFileHoldsAllLanguages() throws {
        let catalog = try StringCatalog(parsing: Array(Self.text.utf8))
        #expect(
            catalog.catalogs.mapValues(\.count).sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
                == ["de 1", "en 4", "fr 0", "pl 1"]
        )
        #expect(try self.text("saved", ["a"], "de") == "a wurde gesichert")
    }

    @Test(
        arguments: [
            ("files", [1], "en", "1 file"), ("files", [3], "en", "3 files"), ("files", [3], "pl", "3 pliki"),
            ("files", [5], "pl", "5 plików"), ("files", [1.5], "pl", "1.5 pliku"), ("tap", [], "en", "Click"),
            ("both", ["Ann", 1, 2], "en", "Ann has 1 file in 2 folders"),
            ("both", ["Ann", 2, 1], "en", "Ann has 2 files (100%arg) in 1 folder"),
            ("saved", ["a"], "fr", "a was saved"), ("untouched", [], "en", "untouched"),
        ] as [(String, [JSON], String, String)]
    )
    func variationsAndSubstitutionsAreUnderstood(key: String, arguments: [JSON], language: String, text: String) throws
    {
        #expect(try self.text(key, arguments, language) == text)
    }

    @Test(
        arguments: [
            (#"{"strings": {}}"#, "/sourceLanguage"), (#"{"sourceLanguage": "en"}"#, "/strings"),
            (#"{"sourceLanguage": "en", "strings": []}"#, "/strings"),
            (
                #"{"sourceLanguage": "en", "strings": {"a": {"localizations": {"e": {}}}}}"#,
                "/strings/a/localizations/e"
            ),
            (
                #"{"sourceLanguage": "en", "strings": {"a": {"localizations": {"en": {}}}}}"#,
                "/strings/a/localizations/en"
            ),
            (
                #"{"sourceLanguage": "en", "strings": {"a": {"localizations": {"en": {"stringUnit": {"value": 1}}}}}}"#,
                "/strings/a/localizations/en/stringUnit/value"
            ),
            (
                #"{"sourceLanguage": "en", "strings": {"a": {"localizations": {"en": {"variations": {"plural": {"one": {"stringUnit": {"value": "x"}}}}}}}}}"#,
                "/strings/a/localizations/en/variations/plural"
            ),
            (
                #"{"sourceLanguage": "en", "strings": {"a": {"localizations": {"en": {"stringUnit": {"value": "%#@x@"}, "substitutions": {"x": {"formatSpecifier": "zz", "variations": {"plural": {"other": {"stringUnit": {"value": "x"}}}}}}}}}}}"#,
                "/strings/a/localizations/en/substitutions/x/formatSpecifier"
            ),
            (
                #"{"sourceLanguage": "en", "strings": {"a": {"localizations": {"en": {"stringUnit": {"value": "%#@x@"}, "substitutions": {"x": {"formatSpecifier": "llllllllllllllllld", "variations": {"plural": {"other": {"stringUnit": {"value": "x"}}}}}}}}}}}"#,
                "/strings/a/localizations/en/substitutions/x/formatSpecifier"
            ),
            (
                // A form that is short enough only until the number of its argument is inserted.
                #"{"sourceLanguage": "en", "strings": {"a": {"localizations": {"en": {"stringUnit": {"value": "%#@x@"}, "substitutions": {"x": {"variations": {"plural": {"other": {"stringUnit": {"value": "%arg"#
                    + String(repeating: "x", count: 4091) + #""}}}}}}}}}}}"#,
                "/strings/a/localizations/en/substitutions/x"
            ),
        ]
    )
    func aFaultIsNamedByItsPointer(text: String, pointer: String) {
        let error = #expect(throws: CatalogError.self) { try StringCatalog(parsing: Array(text.utf8)) }
        guard case .invalid(let error)? = error else {
            Issue.record("The error is \(String(describing: error)).")
            return
        }
        #expect(error.issues.map(\.pointer) == [pointer])
    }
}
