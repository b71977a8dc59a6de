/// The text of a key: a format, or several from which numbers choose.
///
/// Formats leave places for arguments as Apple's do: `%@`, `%d`, `%2$@` (``TextFormat``).
public enum CatalogEntry: Hashable, Sendable {
    /// One format for all arguments.
    case format(String)

    /// A format for each plural form.
    case plural(PluralForms)

    /// A format with parts that depend on a number each: `%#@files@ in %#@folders@`.
    case substituted(format: String, parts: [String: PluralForms])

    func format(for arguments: [JSON], in language: LanguageTag) -> String {
        switch self {
        case .format(let format): format
        case .plural(let forms): forms.form(for: arguments, in: language)
        case .substituted(let format, let parts):
            TextFormat.replacingParts(of: format) { name in parts[name]?.form(for: arguments, in: language) }
        }
    }
}

/// A format for each plural category that a text distinguishes.
public struct PluralForms: Hashable, Sendable {
    /// The argument whose number decides, counted from 0; `nil` for the first that is shown as a number.
    public private(set) var argument: Int?

    /// The format for all other numbers.
    public let other: String

    private let special: [PluralCategory: String]

    /// Formats by their category, chosen by an argument; `nil` when there is none for `other`.
    public init?(_ forms: [PluralCategory: String], argument: Int? = nil) {
        guard let other = forms[.other] else { return nil }
        self.other = other
        self.special = forms.filter { $0.key != .other }
        self.argument = argument
    }

    /// The format of a category, if there is one.
    public subscript(category: PluralCategory) -> String? {
        category == .other ? self.other : self.special[category]
    }

    /// The same forms, chosen by an argument.
    func choosing(by argument: Int) -> Self {
        var forms = self
        forms.argument = argument
        return forms
    }

    func form(for arguments: [JSON], in language: LanguageTag) -> String {
        guard let number = self.number(in: arguments) else { return self.other }
        if number.n == 0, let zero = self[.zero] { return zero }
        return self[PluralRules.category(of: number, in: language)] ?? self.other
    }

    /// The number that decides: of the argument that is named, else of the first that the format shows as a whole
    /// number, else of the first argument that is one.
    private func number(in arguments: [JSON]) -> PluralOperands? {
        if let index = self.argument ?? TextFormat.firstNumber(in: self.other) {
            return arguments.indices.contains(index) ? PluralOperands(arguments[index]) : nil
        }
        return arguments.lazy.compactMap { PluralOperands($0) }.first
    }
}
