/// Which form a language uses for a number: the cardinal rules of CLDR 48.
///
/// The compact notation of CLDR ("1.2M", operand e) never occurs here and is left out. A language that is not in the
/// table has the rule of English: `one` for 1, `other` for the rest. That is right for most of them, such as Afrikaans
/// and Uzbek, and wrong for a few, such as Breton and Scottish Gaelic. CLDR's `n = 1` is the same rule, because numbers
/// in JSON have no trailing zeros.
enum PluralRules {
    static func category(of number: PluralOperands, in language: LanguageTag) -> PluralCategory {
        let rule = language.rawValue == "pt-PT" ? Self.italian : Self.rules[String(language.language)]
        return (rule ?? Self.english)(number)
    }

    private typealias Rule = @Sendable (PluralOperands) -> PluralCategory

    private static let rules: [String: Rule] = {
        let table: [(languages: String, rule: Rule)] = [
            ("bm bo dz hnj id ig ii in ja jbo jv kde kea km ko lkt lo ms my nqo osa", { _ in .other }),
            ("sah ses sg su th to tpi vi wo yo yue zh", { _ in .other }),
            ("am as bn doi fa gu hi kn kok pcm zu", { $0.i == 0 || $0.n == 1 ? .one : .other }),
            ("ak bho csw guw ln mg nso pa ti wa", { $0.i <= 1 && $0.v == 0 ? .one : .other }),
            ("ff hy kab", { $0.i <= 1 ? .one : .other }),
            ("si", { $0.n == 0 || $0.n == 1 || ($0.i == 0 && $0.f == 1) ? .one : .other }),
            ("iu naq sat se sma smj smn sms", { $0.n == 1 ? .one : $0.n == 2 ? .two : .other }),
            ("da", { $0.n == 1 || ($0.f != 0 && $0.i <= 1) ? .one : .other }),
            ("es", { $0.n == 1 ? .one : Self.romance($0) }),
            ("fr ht pt", { $0.i <= 1 ? .one : Self.romance($0) }),
            ("ca it lld scn vec", Self.italian),
            ("pl", Self.polish),
            ("cs sk", Self.czech),
            ("ru uk be", Self.russian),
            ("hr sr bs sh", Self.croatian),
            ("sl", Self.slovenian),
            ("ro mo", Self.romanian),
            ("lt", Self.lithuanian),
            ("lv prg", Self.latvian),
            ("ar", Self.arabic),
            ("he iw", Self.hebrew),
            ("mt", Self.maltese),
            ("ga", Self.irish),
            ("cy", Self.welsh),
            ("is mk", Self.icelandic),
            ("ceb fil tl", Self.filipino),
        ]
        var rules: [String: Rule] = [:]
        for row in table {
            for language in row.languages.split(separator: " ") { rules[String(language)] = row.rule }
        }
        return rules
    }()
}

extension PluralRules {
    /// A rule for whole numbers; all numbers with a fraction have one category.
    private static func whole(
        fractions: PluralCategory = .other,
        _ rule: @escaping @Sendable (UInt64) -> PluralCategory
    ) -> Rule {
        { $0.v == 0 ? rule($0.i) : fractions }
    }

    private static let english: Rule = { $0.i == 1 && $0.v == 0 ? .one : .other }

    private static let italian: Rule = { $0.i == 1 && $0.v == 0 ? .one : Self.romance($0) }

    /// Millions are many: "1 000 000 de fichiers".
    private static let romance: Rule = { $0.i != 0 && $0.i % 1_000_000 == 0 && $0.v == 0 ? .many : .other }

    private static let polish = Self.whole { $0 == 1 ? .one : $0.endsInFew ? .few : .many }

    private static let czech = Self.whole(fractions: .many) { $0 == 1 ? .one : (2...4).contains($0) ? .few : .other }

    private static let russian = Self.whole { $0.endsInOne ? .one : $0.endsInFew ? .few : .many }

    private static let croatian: Rule = {
        $0.decisive.endsInOne ? .one : $0.decisive.endsInFew ? .few : .other
    }

    private static let slovenian = Self.whole(fractions: .few) { number in
        switch number % 100 {
        case 1: .one
        case 2: .two
        case 3, 4: .few
        default: .other
        }
    }

    private static let romanian: Rule = { number in
        if number.i == 1, number.v == 0 { return .one }
        let isFew = number.v != 0 || number.n == 0 || (1...19).contains(number.i % 100)
        return isFew ? .few : .other
    }

    private static let lithuanian: Rule = { number in
        guard number.f == 0 else { return .many }
        guard !(11...19).contains(number.i % 100) else { return .other }
        switch number.i % 10 {
        case 1: return .one
        case 2...9: return .few
        default: return .other
        }
    }

    private static let latvian: Rule = { number in
        guard number.v == 0 || number.v == 2 else { return number.f % 10 == 1 ? .one : .other }
        if number.v == 0 && number.i % 10 == 0 || (11...19).contains(number.decisive % 100) { return .zero }
        return number.decisive % 10 == 1 ? .one : .other
    }

    private static let arabic = Self.whole { number in
        switch (number, number % 100) {
        case (0, _): .zero
        case (1, _): .one
        case (2, _): .two
        case (_, 3...10): .few
        case (_, 11...99): .many
        default: .other
        }
    }

    private static let maltese = Self.whole { number in
        switch (number, number % 100) {
        case (1, _): .one
        case (2, _): .two
        case (0, _), (_, 3...10): .few
        case (_, 11...19): .many
        default: .other
        }
    }

    private static let hebrew: Rule = { number in
        if number.i == 1 && number.v == 0 || number.i == 0 && number.v != 0 { return .one }
        return number.i == 2 && number.v == 0 ? .two : .other
    }

    private static let irish = Self.whole { number in
        switch number {
        case 1: .one
        case 2: .two
        case 3...6: .few
        case 7...10: .many
        default: .other
        }
    }

    private static let welsh = Self.whole { number in
        switch number {
        case 0: .zero
        case 1: .one
        case 2: .two
        case 3: .few
        case 6: .many
        default: .other
        }
    }

    private static let icelandic: Rule = { $0.decisive.endsInOne ? .one : .other }

    private static let filipino: Rule = { number in
        if number.v == 0, (1...3).contains(number.i) { return .one }
        return [4, 6, 9].contains(number.decisive % 10) ? .other : .one
    }
}

extension PluralOperands {
    /// The digits of the fraction; those of the whole number when there is no fraction.
    fileprivate var decisive: UInt64 { self.v == 0 ? self.i : self.f }
}

extension UInt64 {
    /// 1, 21, 31 …, but not 11.
    fileprivate var endsInOne: Bool { self % 10 == 1 && self % 100 != 11 }

    /// 2 to 4, 22 to 24 …, but not 12 to 14.
    fileprivate var endsInFew: Bool { (2...4).contains(self % 10) && !(12...14).contains(self % 100) }
}
