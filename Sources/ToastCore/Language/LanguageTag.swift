/// The name of a language: `de`, `pt-BR`, `zh-Hant` (BCP 47).
///
/// Checked as far as a lookup requires, RFC 5646 §2.1: a language of two or three letters, then subtags of up to eight
/// letters and digits. Normalized as in §2.1.1, so that tags are equal whatever their case was. The language
/// need not exist.
public struct LanguageTag: RawRepresentable, Hashable, Comparable, Sendable, JSONWritable, CustomStringConvertible {
    /// The tag: lower case, but `Hant` for a script and `BR` for a region.
    public let rawValue: String

    /// The longest tag, in bytes; RFC 5646 §4.4.1 wants room for 35.
    public static let maximumLength = 35

    /// English, in which all words of the service exist.
    public static let english = Self(normal: "en")

    /// German.
    public static let german = Self(normal: "de")

    /// Reads a tag; `nil` when the text is none.
    public init?(rawValue: String) {
        let subtags = rawValue.split(separator: "-", omittingEmptySubsequences: false)
        guard rawValue.utf8.count <= Self.maximumLength, let language = subtags.first,
            (2...3).contains(language.utf8.count), language.utf8.allSatisfy(\.isLetter),
            subtags.allSatisfy({ (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy { $0.isLetter || $0.isDigit } }),
            // A singleton introduces another subtag.
            subtags.last?.utf8.count != 1
        else { return nil }
        self.rawValue = Self.normal(subtags)
    }

    private init(normal: String) {
        self.rawValue = normal
    }

    /// The tag.
    public var description: String { self.rawValue }

    /// The order of the bytes.
    public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }

    /// The language alone, without script and region.
    var language: Substring { self.rawValue.prefix { $0 != "-" } }

    /// "All subtags … use lowercase letters with two exceptions: two-letter and four-letter subtags that neither appear
    /// at the start of the tag nor occur after singletons" (RFC 5646 §2.1.1).
    private static func normal(_ subtags: [Substring]) -> String {
        var parts: [String] = []
        var isBehindSingleton = false
        for subtag in subtags {
            let lower = subtag.lowercased()
            switch lower.utf8.count {
            case 2 where !parts.isEmpty && !isBehindSingleton: parts.append(lower.uppercased())
            case 4 where !parts.isEmpty && !isBehindSingleton:
                parts.append(lower.prefix(1).uppercased() + lower.dropFirst())
            default: parts.append(lower)
            }
            isBehindSingleton = isBehindSingleton || lower.utf8.count == 1
        }
        return parts.joined(separator: "-")
    }
}

extension LanguageTag {
    /// The tags to look under, the best first: this one, then ever fewer of its subtags.
    ///
    /// RFC 4647 §3.4: "the language range is progressively truncated from the end", and a single letter that is then
    /// the last is removed too. Added are the script of a region of Chinese, because catalogs say `zh-Hant` where
    /// browsers say `zh-TW`, and the other code of a language that has two, such as Norwegian, Hebrew or Indonesian.
    var fallbacks: [Self] {
        var tags = self.truncations
        if self.language == "zh" {
            let script = Self(normal: self.impliesTraditionalScript ? "zh-Hant" : "zh-Hans")
            if !tags.contains(script), !self.rawValue.hasPrefix("zh-Han") {
                // Plain `zh` is in practice simplified: a fallback after `zh-Hant`, but before `zh-Hans`.
                tags.insert(script, at: self.impliesTraditionalScript ? tags.count - 1 : tags.count)
            }
        }
        if let other = Self.otherCodes[String(self.language)] { tags.append(Self(normal: other)) }
        return tags
    }

    private var truncations: [Self] {
        let subtags = self.rawValue.split(separator: "-")
        let ends = subtags.indices.reversed().filter { subtags[$0].utf8.count > 1 }
        return ends.map { Self(normal: subtags[...$0].joined(separator: "-")) }
    }

    /// Taiwan, Hong Kong and Macau write traditional characters (CLDR, likely subtags).
    private var impliesTraditionalScript: Bool {
        self.rawValue.split(separator: "-").dropFirst().contains { ["TW", "HK", "MO", "Hant"].contains($0) }
    }

    /// Codes of the same language, from the registry of subtags and from practice.
    private static let otherCodes = [
        "nb": "no", "no": "nb", "he": "iw", "iw": "he", "id": "in", "in": "id", "yi": "ji", "ji": "yi", "fil": "tl",
        "tl": "fil",
    ]
}
