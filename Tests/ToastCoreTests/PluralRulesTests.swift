import Testing

@testable import ToastCore

/// The categories that CLDR has for some numbers, as Babel 2.18 computes them: `z` zero, `1` one, `2` two, `f` few,
/// `m` many, `.` other.
private enum PluralSamples {
    static let numbers: [JSON] =
        (0...30).map { .integer($0) }
        + [91, 100, 101, 102, 103, 104, 111, 112, 119, 121, 200, 1000, 1_000_000, 3_000_000]
        + [0.1, 0.5, 1.1, 1.5, 1.21, 2.3, 2.12, 10.4]

    static let rows = [
        ("en", ".1..................................................."),
        ("de", ".1..................................................."),
        ("fr", "11.........................................mm11111..."),
        ("es", ".1.........................................mm........"),
        ("it", ".1.........................................mm........"),
        ("pt", "11.........................................mm11111..."),
        ("pt-PT", ".1.........................................mm........"),
        ("nl", ".1..................................................."),
        ("sv", ".1..................................................."),
        ("da", ".1...........................................11111..."),
        ("nb", ".1..................................................."),
        ("fi", ".1..................................................."),
        ("pl", "m1fffmmmmmmmmmmmmmmmmmfffmmmmmmmmmfffmmmmmmmm........"),
        ("cs", ".1fff........................................mmmmmmmm"),
        ("sk", ".1fff........................................mmmmmmmm"),
        ("ru", "m1fffmmmmmmmmmmmmmmmm1fffmmmmmm1m1fffmmm1mmmm........"),
        ("uk", "m1fffmmmmmmmmmmmmmmmm1fffmmmmmm1m1fffmmm1mmmm........"),
        ("be", "m1fffmmmmmmmmmmmmmmmm1fffmmmmmm1m1fffmmm1mmmm........"),
        ("tr", ".1..................................................."),
        ("ja", "....................................................."),
        ("zh", "....................................................."),
        ("ko", "....................................................."),
        ("ar", "z12ffffffffmmmmmmmmmmmmmmmmmmmmm...ffmmmm............"),
        ("he", ".12..........................................11......"),
        ("hr", ".1fff................1fff......1.1fff...1....1.1.1f.f"),
        ("sl", ".12ff............................12ff........ffffffff"),
        ("ro", "f1ffffffffffffffffff.............fffffff.....ffffffff"),
        ("lt", ".1ffffffff...........1ffffffff.1.1fff...1....mmmmmmmm"),
        ("lv", "z1........zzzzzzzzzzz1........z1z1...zzz1zzzz1.1.1.z."),
        ("ga", ".12ffffmmmm.........................................."),
        ("cy", "z12f..m.............................................."),
        ("is", ".1...................1.........1.1......1....1.1.1..."),
        ("mk", ".1...................1.........1.1......1....1.1.1..."),
        ("fil", "1111.1.11.1111.1.11.1111.1.11.111111.11.111111111111."),
        ("hi", "11...........................................11......"),
        ("bn", "11...........................................11......"),
        ("fa", "11...........................................11......"),
        ("hu", ".1..................................................."),
        ("el", ".1..................................................."),
        ("id", "....................................................."),
        ("th", "....................................................."),
        ("vi", "....................................................."),
        ("ca", ".1.........................................mm........"),
        ("sr", ".1fff................1fff......1.1fff...1....1.1.1f.f"),
        ("bg", ".1..................................................."),
        ("zu", "11...........................................11......"),
        ("et", ".1..................................................."),
        ("tl", "1111.1.11.1111.1.11.1111.1.11.111111.11.111111111111."),
        ("pa", "11..................................................."),
        ("ceb", "1111.1.11.1111.1.11.1111.1.11.111111.11.111111111111."),
        ("mt", "f12ffffffffmmmmmmmmm...............ffmmm............."),
        ("hy", "11...........................................11111..."),
        ("mg", "11..................................................."),
        ("guw", "11..................................................."),
        ("kok", "11...........................................11......"),
        ("ti", "11..................................................."),
        ("km", "....................................................."),
        ("se", ".12.................................................."),
        ("ht", "11.........................................mm11111..."),
        ("scn", ".1.........................................mm........"),
        ("si", "11...........................................1......."),
        ("prg", "z1........zzzzzzzzzzz1........z1z1...zzz1zzzz1.1.1.z."),
        ("af", ".1..................................................."),
        ("ur", ".1..................................................."),
    ]
}

@Suite struct PluralRulesTests {
    @Test(arguments: PluralSamples.rows)
    func theRulesAreThoseOfCLDR(language: String, categories: String) throws {
        let tag = try #require(LanguageTag(rawValue: language))
        let letters: [PluralCategory: Character] = [
            .zero: "z", .one: "1", .two: "2", .few: "f", .many: "m", .other: ".",
        ]
        let found = PluralSamples.numbers.compactMap { number in
            PluralOperands(number).flatMap { letters[PluralRules.category(of: $0, in: tag)] }
        }
        #expect(String(found) == categories)
    }

    @Test func anUnknownLanguageHasOneAndOther() throws {
        let tag = try #require(LanguageTag(rawValue: "tlh"))
        #expect(PluralRules.category(of: PluralOperands(integer: 1), in: tag) == .one)
        #expect(PluralRules.category(of: PluralOperands(integer: 2), in: tag) == .other)
    }

    @Test func aRegionHasTheRulesOfItsLanguage() throws {
        let tag = try #require(LanguageTag(rawValue: "pl-PL"))
        #expect(PluralRules.category(of: PluralOperands(integer: 3), in: tag) == .few)
    }

    @Test(arguments: [Int64.min, .max, -1, 0]) func noNumberIsTooLarge(number: Int64) throws {
        for row in PluralSamples.rows {
            let tag = try #require(LanguageTag(rawValue: row.0))
            _ = PluralRules.category(of: PluralOperands(integer: number), in: tag)
            _ = PluralRules.category(of: PluralOperands(number: Double(number) * 1e300), in: tag)
        }
    }

    @Test func aSignDoesNotMatter() {
        #expect(PluralRules.category(of: PluralOperands(integer: -1), in: .english) == .one)
        #expect(PluralRules.category(of: PluralOperands(number: -1.5), in: .english) == .other)
    }
}
