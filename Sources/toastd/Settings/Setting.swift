import Foundation
import ToastCore

/// A setting of the server: its help, its parser and its default.
///
/// Its name is the name of the property that declares it in a ``SettingsTable``. A class, because the address of the
/// object is the key of its value in ``ServerSettings``.
final class Setting<Value: Sendable>: AnySetting {
    let help: String
    let expected: String
    let shownDefault: String
    let isLive: Bool
    private let standard: @Sendable (ServerSettings) -> (value: Value, text: String)
    private let parse: @Sendable (String) -> Value?

    /// `standard` gives the default and its text; it may use the settings that are declared before.
    init(
        _ help: String,
        expecting expected: String,
        shownDefault: String,
        isLive: Bool = false,
        standard: @escaping @Sendable (ServerSettings) -> (value: Value, text: String),
        parse: @escaping @Sendable (String) -> Value?
    ) {
        self.help = help
        self.expected = expected
        self.shownDefault = shownDefault
        self.isLive = isLive
        self.standard = standard
        self.parse = parse
    }

    /// A setting whose default is parsed from a text.
    convenience init(
        _ standard: String,
        _ help: String,
        expecting expected: String,
        isLive: Bool = false,
        parse: @escaping @Sendable (String) -> Value?
    ) {
        guard let value = parse(standard) else { preconditionFailure("\(standard) is not \(expected)") }
        self.init(
            help,
            expecting: expected,
            shownDefault: standard,
            isLive: isLive,
            standard: { _ in (value, standard) },
            parse: parse
        )
    }

    func read(_ text: String) -> (any Sendable)? { self.parse(text) }

    func standard(in settings: ServerSettings) -> (value: any Sendable, text: String) { self.standard(settings) }
}

extension Setting where Value == Int {
    /// An integer; `shown` describes a default that has a special meaning.
    convenience init(
        _ standard: Int,
        _ shown: String? = nil,
        in range: ClosedRange<Int>,
        isLive: Bool = false,
        _ help: String
    ) {
        self.init(
            help,
            expecting: "a number from \(range.lowerBound) to \(range.upperBound)",
            shownDefault: shown ?? String(standard),
            isLive: isLive,
            standard: { _ in (standard, String(standard)) },
            parse: { Int(digits: $0).flatMap { range.contains($0) ? $0 : nil } }
        )
    }

    /// An integer that SIGHUP changes while the server runs.
    convenience init(live standard: Int, _ shown: String? = nil, in range: ClosedRange<Int>, _ help: String) {
        self.init(standard, shown, in: range, isLive: true, help)
    }
}

extension Setting where Value == String? {
    /// The path of a file or a directory; none by default.
    convenience init(path help: String) {
        self.init(
            help,
            expecting: "a path",
            shownDefault: "",
            standard: { _ in (nil, "") },
            parse: { $0.isEmpty ? nil : .some($0) }
        )
    }
}

/// A setting of any type.
protocol AnySetting: AnyObject, Sendable {
    var help: String { get }
    /// The valid values, in words.
    var expected: String { get }
    /// The default as the help shows it; empty for none.
    var shownDefault: String { get }
    /// Whether SIGHUP changes it while the server runs.
    var isLive: Bool { get }

    /// The value of a text; nil when it is invalid.
    func read(_ text: String) -> (any Sendable)?

    /// The default, given the settings that were read before, and its text.
    func standard(in settings: ServerSettings) -> (value: any Sendable, text: String)
}

/// A table of settings: each property of type ``Setting`` declares one.
///
/// Flags, variables, members of the file, `--help`, `check-config` and the tables in docs/ are derived from it.
protocol SettingsTable: Sendable {
    static var table: Self { get }
}

extension SettingsTable {
    /// The settings with their names, in the order of declaration.
    static var rows: [(name: String, setting: any AnySetting)] {
        Mirror(reflecting: Self.table).children.compactMap { name, value in
            guard let name, let setting = value as? any AnySetting else { return nil }
            return (name, setting)
        }
    }

    /// The text of a setting in the environment, else its default; for commands that take no other setting.
    static func text<Value>(of setting: KeyPath<Self, Setting<Value>>) -> String {
        let environment = ProcessInfo.processInfo.environment
        return environment[Self.variable(of: setting)] ?? Self.table[keyPath: setting].shownDefault
    }

    /// Where ``text(of:)`` comes from, for help texts.
    static func origin<Value>(of setting: KeyPath<Self, Setting<Value>>) -> String {
        "\(Self.variable(of: setting)), default \(Self.table[keyPath: setting].shownDefault)"
    }

    private static func variable<Value>(of setting: KeyPath<Self, Setting<Value>>) -> String {
        let setting = Self.table[keyPath: setting]
        return Self.rows.first { $0.setting === setting }.map { SettingName.variable($0.name) } ?? ""
    }
}

/// The names of a setting on the command line and in the environment.
enum SettingName {
    /// The flag of a setting.
    static func flag(_ name: String) -> String { "--" + self.words(name).joined(separator: "-") }

    /// The environment variable of a setting.
    static func variable(_ name: String) -> String { "TOASTD_" + self.words(name).joined(separator: "_").uppercased() }

    private static func words(_ name: String) -> [String] {
        name.reduce(into: [""]) { words, letter in
            if letter.isUppercase { words.append("") }
            words[words.count - 1] += letter.lowercased()
        }
    }
}
