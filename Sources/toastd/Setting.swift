import ArgumentParser
import Foundation

/// A setting of the server: what it is for, how a value is read, and the default.
///
/// Its name is the name of the property that declares it in a ``SettingsTable``. A class, because the address of the
/// object is the key of its value in ``ServerSettings``.
final class Setting<Value: Sendable>: AnySetting {
    let help: String
    let expected: String
    let shownDefault: String
    let flagType: FlagType
    let isLive: Bool
    private let standard: @Sendable (ServerSettings) -> (value: Value, text: String)
    private let parse: @Sendable (String) -> Value?

    /// A setting.
    ///
    /// - Parameters:
    ///   - help: What it is for, as `toastd serve --help` shows it.
    ///   - expected: Which values are valid, in words.
    ///   - shownDefault: The default as the help shows it; empty for none.
    ///   - flagType: What the command line accepts; an `Int` is checked before anything is read.
    ///   - isLive: Whether SIGHUP changes it while the server runs.
    ///   - standard: The default, which may depend on the settings declared before, and how people write it.
    ///   - parse: Reads a value; nil for one that is not valid.
    init(
        _ help: String,
        expecting expected: String,
        shownDefault: String,
        flagType: FlagType = String.self,
        isLive: Bool = false,
        standard: @escaping @Sendable (ServerSettings) -> (value: Value, text: String),
        parse: @escaping @Sendable (String) -> Value?
    ) {
        self.help = help
        self.expected = expected
        self.shownDefault = shownDefault
        self.flagType = flagType
        self.isLive = isLive
        self.standard = standard
        self.parse = parse
    }

    /// A setting whose default is written as its other values are.
    convenience init(
        _ standard: String,
        _ help: String,
        expecting expected: String,
        flagType: FlagType = String.self,
        isLive: Bool = false,
        parse: @escaping @Sendable (String) -> Value?
    ) {
        guard let value = parse(standard) else { preconditionFailure("\(standard) is not \(expected)") }
        self.init(
            help,
            expecting: expected,
            shownDefault: standard,
            flagType: flagType,
            isLive: isLive,
            standard: { _ in (value, standard) },
            parse: parse
        )
    }

    func read(_ text: String) -> (any Sendable)? { self.parse(text) }

    func standard(in settings: ServerSettings) -> (value: any Sendable, text: String) { self.standard(settings) }
}

extension Setting where Value == Int {
    /// A whole number; `shown` describes a default that stands for something else.
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
            flagType: Int.self,
            isLive: isLive,
            standard: { _ in (standard, String(standard)) },
            parse: { Int($0).flatMap { range.contains($0) ? $0 : nil } }
        )
    }

    /// A whole number that SIGHUP changes while the server runs.
    convenience init(live standard: Int, _ shown: String? = nil, in range: ClosedRange<Int>, _ help: String) {
        self.init(standard, shown, in: range, isLive: true, help)
    }
}

extension Setting where Value == String? {
    /// A file or a directory; none by default.
    convenience init(path help: String) {
        self.init(help, expecting: "a path", shownDefault: "", standard: { _ in (nil, "") }, parse: { .some($0) })
    }
}

/// A type that the command line converts the value of a flag to.
typealias FlagType = any (ExpressibleByArgument & Decodable & Sendable).Type

/// A setting of any type.
protocol AnySetting: AnyObject, Sendable {
    /// What it is for.
    var help: String { get }
    /// Which values are valid, in words.
    var expected: String { get }
    /// The default as the help shows it; empty for none.
    var shownDefault: String { get }
    var flagType: FlagType { get }
    /// Whether SIGHUP changes it while the server runs.
    var isLive: Bool { get }

    /// The value of a text; nil when it is not valid.
    func read(_ text: String) -> (any Sendable)?

    /// The default, beside the settings that were read before, and how people write it.
    func standard(in settings: ServerSettings) -> (value: any Sendable, text: String)
}

/// A table of settings: each property that is a ``Setting`` declares one.
///
/// Flag, variable, member of the file, `--help`, `check-config` and the tables of docs/ follow from it.
protocol SettingsTable: Sendable {
    /// The table.
    static var table: Self { get }
}

extension SettingsTable {
    /// The settings with their names, as they are declared.
    static var rows: [(name: String, setting: any AnySetting)] {
        Mirror(reflecting: Self.table).children.compactMap { name, value in
            guard let name, let setting = value as? any AnySetting else { return nil }
            return (name, setting)
        }
    }
}

/// What a setting is called where it can be set.
enum SettingName {
    /// Its flag.
    static func flag(_ name: String) -> String { "--" + self.words(name).joined(separator: "-") }

    /// Its environment variable.
    static func variable(_ name: String) -> String { "TOASTD_" + self.words(name).joined(separator: "_").uppercased() }

    private static func words(_ name: String) -> [String] {
        name.reduce(into: [""]) { words, letter in
            if letter.isUppercase { words.append("") }
            words[words.count - 1] += letter.lowercased()
        }
    }
}
