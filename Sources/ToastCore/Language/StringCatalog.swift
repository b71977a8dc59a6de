/// The texts of a string catalog of Xcode, `Localizable.xcstrings`: one document, many languages.
///
/// Formats, plural variations and substitutions (`%#@files@` with `%arg`) are read, and of variations by device the one
/// named `other`, else the first. A key without a translation has no entry, so it falls back as any missing key does.
public struct StringCatalog: Sendable {
    /// The texts of each language.
    public private(set) var catalogs: [LanguageTag: Catalog] = [:]

    /// Reads a catalog in UTF-8; throws everything that is wrong with it.
    public init(parsing bytes: [UInt8], limits: CatalogLimits = .standard) throws(CatalogError) {
        let json = try JSON(catalog: bytes, limits)
        var issues = limits.issues
        issues.member("sourceLanguage") { issues in _ = issues.language(json["sourceLanguage"] ?? .null) }
        issues.member("strings") { issues in self.read(json["strings"] ?? .null, limits, &issues) }
        do throws(ValidationError) { try issues.check() } catch { throw .invalid(error) }
    }

    /// Reads the keys one by one into a catalog for each language.
    private mutating func read(_ value: JSON, _ limits: CatalogLimits, _ issues: inout Issues) {
        guard let strings = issues.object(value), issues.count(strings.count, limits) else { return }
        for (key, value) in strings {
            issues.member(key) { issues in
                guard let object = issues.object(value) else { return }
                // Xcode also writes keys that nobody has translated, among them an empty one.
                guard let localizations = object["localizations"], issues.key(key, limits) else { return }
                issues.member("localizations") { issues in self.read(localizations, of: key, limits, &issues) }
            }
        }
    }

    private mutating func read(_ value: JSON, of key: String, _ limits: CatalogLimits, _ issues: inout Issues) {
        guard let localizations = issues.object(value) else { return }
        for (name, value) in localizations {
            issues.member(name) { issues in
                guard let language = issues.language(.string(name)) else { return }
                guard self.catalogs[language] != nil || self.catalogs.count < limits.languages else {
                    return issues.note("There are at most \(limits.languages) languages.", past: .catalog)
                }
                guard self.catalogs[language]?[key] == nil else { return issues.note("The key was there before.") }
                self.catalogs[language, default: Catalog()][key] = issues.localization(value)
            }
        }
    }
}

extension Issues {
    fileprivate mutating func language(_ value: JSON) -> LanguageTag? {
        value.string.flatMap { LanguageTag(rawValue: $0) } ?? self.refuse("A language tag is expected.")
    }

    /// `{"stringUnit"}` or `{"variations"}`, either perhaps with `substitutions`.
    fileprivate mutating func localization(_ value: JSON) -> CatalogEntry? {
        guard let entry = self.node(value) else { return nil }
        guard let substitutions = value["substitutions"] else { return entry }
        guard case .format(let format) = entry else {
            return self.refuse("Plural variations beside substitutions are not supported.", at: "/variations")
        }
        let order = TextFormat.parts(of: format)
        let parts = self.member("substitutions") { issues in
            issues.parts(substitutions) { issues, name, value in
                issues.substitution(value, order.first { $0.name == name }?.index ?? 0)
            }
        }
        return parts.flatMap { self.substituted(format, $0) }
    }

    private mutating func node(_ value: JSON) -> CatalogEntry? {
        guard let object = self.object(value) else { return nil }
        if let unit = object["stringUnit"] {
            return self.member("stringUnit") { issues in issues.unit(unit) }.map(CatalogEntry.format)
        }
        guard let variations = object["variations"] else {
            return self.refuse("A stringUnit or variations are expected.")
        }
        return self.member("variations") { issues in
            if let plural = variations["plural"] {
                return issues.member("plural") { issues in issues.plural(plural) }.map(CatalogEntry.plural)
            }
            // A server is no device, so the variation for other devices applies.
            guard let device = variations["device"]?.object,
                let name = device["other"] != nil ? "other" : device.first?.key,
                let node = device[name]
            else { return issues.refuse("Variations by plural or by device are expected.") }
            return issues.member("device") { issues in issues.member(name) { issues in issues.node(node) } }
        }
    }

    /// `{"state", "value"}`; nothing when it is still to be translated.
    private mutating func unit(_ value: JSON) -> String? {
        guard let unit = self.object(value) else { return nil }
        if unit["state"]?.string == "new", unit["value"]?.string?.isEmpty ?? true { return nil }
        return self.member("value", of: unit) { $0.format($1) }
    }

    /// `{"one": {"stringUnit"}, "other": {"stringUnit"}}`.
    private mutating func plural(_ value: JSON) -> PluralForms? {
        guard let object = self.object(value) else { return nil }
        return self.forms(object) { issues, value in
            guard case .format(let format)? = issues.node(value) else { return nil }
            return format
        }
    }

    /// `{"argNum", "formatSpecifier", "variations": {"plural"}}`.
    private mutating func substitution(_ value: JSON, _ place: Int) -> PluralForms? {
        var index: Int? = place
        if let number = value["argNum"] {
            index = self.member("argNum") { issues in
                issues.integer(number, in: 1...issues.limits.arguments).map { $0 - 1 }
            }
        }
        let specifier = self.member("formatSpecifier") { issues in
            issues.specifier(value["formatSpecifier"] ?? "lld")
        }
        let forms = self.member("variations") { issues in
            issues.member("plural") { issues in issues.plural(value["variations"]?["plural"] ?? .null) }
        }
        guard let index, let specifier, let forms else { return nil }
        let numbered = forms.replacing("%arg", with: "%\(index + 1)$\(specifier)").choosing(by: index)
        guard PluralCategory.allCases.allSatisfy({ numbered[$0]?.hasAtMost(self.limits.textLength) ?? true }) else {
            return self.refuse("With %arg replaced, a form has at most \(self.limits.textLength) characters.")
        }
        return numbered
    }

    /// What follows the percent sign and the number of a place: `lld`, `@`, `.1f`.
    private mutating func specifier(_ value: JSON) -> String? {
        // `%arg` is replaced by it up to a thousand times, so a long one would take a gigabyte.
        guard let text = value.string, text.utf8.count <= 16,
            case .place(let source, _)? = FormatParser.pieces(of: "%1$" + text).first,
            source.count == text.utf8.count + 3
        else { return self.refuse("A format specifier such as lld is expected.") }
        return text
    }
}

extension PluralForms {
    /// The forms with a word replaced, except after a doubled percent sign.
    fileprivate func replacing(_ word: String, with text: String) -> Self {
        var forms: [PluralCategory: String] = [:]
        for category in PluralCategory.allCases {
            forms[category] = self[category].map { Self.replace(word, in: $0, with: text) }
        }
        return Self(forms, argument: self.argument) ?? self
    }

    private static func replace(_ word: String, in format: String, with text: String) -> String {
        let percent = Array("%%".utf8)
        let pieces = Array(format.utf8).split(separator: percent, omittingEmptySubsequences: false)
        let replaced = pieces.map { $0.replacing(Array(word.utf8), with: Array(text.utf8)) }
        return String(decoding: Array(replaced.joined(separator: percent)), as: UTF8.self)
    }
}
