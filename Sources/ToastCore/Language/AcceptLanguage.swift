/// The languages that a reader wants, as `Accept-Language` says it (RFC 9110 §12.5.4).
///
/// Invalid parts of the field are ignored: a reader gets an answer in some language in any case.
public struct AcceptLanguage: Equatable, Sendable {
    struct Range: Equatable, Sendable {
        /// `nil` for `*`.
        let tag: LanguageTag?
        /// In thousandths.
        let quality: Int
    }

    /// The ranges by descending quality; those of the same quality in the order of the field.
    let ranges: [Range]

    /// The most ranges that are read.
    static let maximumRanges = 32

    /// Reads a field.
    public init(_ field: String) {
        let ranges = field.split(separator: ",").prefix(Self.maximumRanges).compactMap(Self.range)
        self.ranges = ranges.enumerated().sorted {
            ($1.element.quality, $0.offset) < ($0.element.quality, $1.offset)
        }.map(\.element)
    }

    /// Whether every part of a text is valid: for requests in which the sender is told of errors.
    ///
    /// A range is a name of letters, digits and hyphens, or `*`, perhaps with a weight. The language need not exist,
    /// because pages declare any.
    public static func isList(_ text: String) -> Bool {
        let elements = text.split(separator: ",", omittingEmptySubsequences: false)
        return elements.count <= Self.maximumRanges && elements.allSatisfy(Self.isRange)
    }

    private static func isRange(_ element: Substring) -> Bool {
        let parts = element.split(separator: ";", omittingEmptySubsequences: false).map(\.withoutBlanks)
        guard let name = parts.first, !name.isEmpty,
            name == "*" || name.utf8.allSatisfy({ $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") })
        else { return false }
        return parts.count == 1 || parts.count == 2 && Self.quality(parts[1]) != nil
    }

    /// The best of the available languages; `nil` when none matches.
    ///
    /// RFC 4647 §3.4, lookup: each range in turn is shortened until it matches an available language. `*` is skipped,
    /// because it expresses no choice; a quality of 0 means "not acceptable".
    func bestMatch(among isAvailable: (LanguageTag) -> Bool) -> LanguageTag? {
        let refused = Set(self.ranges.filter { $0.quality == 0 }.compactMap(\.tag))
        for range in self.ranges where range.quality > 0 {
            let match = range.tag?.fallbacks.first { isAvailable($0) && !refused.contains($0) }
            if let match { return match }
        }
        return nil
    }

    private static func range(_ element: Substring) -> Range? {
        let parts = element.split(separator: ";", omittingEmptySubsequences: false).map(\.withoutBlanks)
        guard let name = parts.first, let quality = parts.count > 1 ? Self.quality(parts[1]) : 1000 else { return nil }
        if name == "*" { return Range(tag: nil, quality: quality) }
        // "If the language range contains subtags that are wildcards, they are removed" (RFC 4647 §3.4).
        let subtags = name.split(separator: "-", omittingEmptySubsequences: false).filter { $0 != "*" }
        guard let tag = LanguageTag(rawValue: subtags.joined(separator: "-")) else { return nil }
        return Range(tag: tag, quality: quality)
    }

    /// `weight = "q=" ( "0" [ "." 0*3DIGIT ] ) / ( "1" [ "." 0*3("0") ] )`, in thousandths.
    private static func quality(_ weight: Substring) -> Int? {
        guard weight.lowercased().hasPrefix("q=") else { return nil }
        let digits = weight.dropFirst(2).split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let fraction = digits.count == 2 ? digits[1] : ""
        guard let whole = digits.first, whole == "0" || whole == "1", fraction.utf8.count <= 3,
            fraction.utf8.allSatisfy(\.isDigit)
        else { return nil }
        let padded = fraction + String(repeating: "0", count: 3 - fraction.utf8.count)
        let thousandths = (whole == "1" ? 1000 : 0) + (Int(padded) ?? 0)
        return thousandths <= 1000 ? thousandths : nil
    }
}

extension Substring {
    /// The text without the blanks and tabs around it.
    package var withoutBlanks: Substring {
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let start = self.drop(while: isBlank)
        guard let end = start.lastIndex(where: { !isBlank($0) }) else { return "" }
        return start[...end]
    }
}
