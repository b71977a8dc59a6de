import Testing
import ToastClient
import ToastCore

@Suite struct PrintableTests {
    @Test func controlCharactersAreReplaced() {
        #expect(
            "a\u{1B}[2Jb\u{9B}c\u{7}\u{202E}d\ne\tf\u{2028}g\u{85}h".printable
                == "a\u{FFFD}[2Jb\u{FFFD}c\u{FFFD}\u{FFFD}d e f g h"
        )
        #expect("\u{1F468}\u{200D}\u{1F469} \u{E4} \u{5E9}".printable == "\u{1F468}\u{200D}\u{1F469} \u{E4} \u{5E9}")
    }

    @Test func printableJSONHasTheSameValue() throws {
        let text = "[\n\"a\u{9B}2J\u{7F}\u{202E}\u{2028}\u{1F468}\u{200D}\u{1F469} \u{E4}\\n\"]"
        let printed = text.printableJSON
        #expect(
            printed == "[ \"a\\u009b2J\\u007f\\u202e\\u2028\u{1F468}\u{200D}\u{1F469} \u{E4}\\n\"]"
        )
        #expect(try JSON(parsing: Array(printed.utf8)) == JSON(parsing: Array(text.utf8)))
    }
}
