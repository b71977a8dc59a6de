import Configuration
import Foundation
import SystemPackage
import ToastClient
import ToastCore
import ToastServer

/// Reads settings one after the other, and remembers each: what it is, who said so, and whether it makes sense.
///
/// What makes none is remembered too, and the default takes its place, so that one look finds everything.
struct SettingsReader {
    /// A setting as it holds.
    struct Entry: Sendable {
        let key: String
        let value: String
        /// Who said so, as `--loops`, `TOASTD_LOOPS` or a file's path; nil for nobody.
        let source: String?
    }

    /// What one of those says who may say something.
    private struct Layer {
        let config: ConfigReader
        let name: (String) -> String

        /// The value of a setting as text; a file may hold numbers as numbers.
        func value(of key: String) -> String? {
            let key = ConfigKey(key)
            return self.config.string(forKey: key) ?? self.config.int(forKey: key).map { String($0) }
                ?? self.config.double(forKey: key).map { String($0) }
                ?? self.config.bool(forKey: key).map { String($0) }
        }
    }

    /// Who may say something; the first counts.
    private var layers: [Layer]

    /// The settings, in the order in which they were read.
    private(set) var entries: [Entry] = []

    /// What makes no sense.
    private(set) var faults: [SettingsError] = []

    /// The limits that hold from the start until the next one.
    private(set) var fixed: [String: Int] = [:]

    /// The file, if there is one.
    let file: ConfigurationFile?

    /// A reader of flags, the environment, and the file that either of them names.
    init(_ flags: [AbsoluteConfigKey: ConfigValue]) async throws {
        let environment = EnvironmentVariablesProvider().prefixKeys(with: "toastd")
        self.layers = [
            Layer(config: ConfigReader(provider: InMemoryProvider(values: flags)), name: Self.flag),
            Layer(config: ConfigReader(provider: environment), name: Self.variable),
        ]
        self.file = try self.layers.lazy.compactMap { $0.value(of: "config") }.first.map(ConfigurationFile.init)
        guard let file else { return }
        let provider = try await FileProvider<JSONSnapshot>(filePath: FilePath(file.path))
        self.layers.append(Layer(config: ConfigReader(provider: provider), name: { _ in file.path }))
    }

    /// The flag that sets a setting.
    static func flag(_ key: String) -> String { "--" + self.words(key).joined(separator: "-") }

    /// The variable that sets a setting.
    static func variable(_ key: String) -> String { "TOASTD_" + self.words(key).joined(separator: "_").uppercased() }

    private static func words(_ key: String) -> [String] {
        key.reduce(into: [""]) { words, letter in
            if letter.isUppercase { words.append("") }
            words[words.count - 1] += letter.lowercased()
        }
    }

    /// A setting that need not be there.
    mutating func text(_ key: String) -> String? {
        self.find(key, "")
    }

    /// A setting that has to make sense.
    ///
    /// - Parameters:
    ///   - key: Its name.
    ///   - standard: What holds when nobody says anything.
    ///   - text: How people would write that.
    ///   - expected: What makes sense, in words.
    ///   - parse: Reads it; nil when it makes no sense.
    /// - Returns: What holds.
    mutating func read<Value>(
        _ key: String,
        _ standard: Value,
        as text: String,
        _ expected: String,
        _ parse: (String) -> Value?
    ) -> Value {
        guard let said = self.find(key, text) else { return standard }
        if let value = parse(said) { return value }
        self.refuse(key, expected)
        return standard
    }

    /// A whole number.
    mutating func number(_ key: String, _ standard: Int, in range: ClosedRange<Int>) -> Int {
        let expected = "a number from \(range.lowerBound) to \(range.upperBound)"
        return self.read(key, standard, as: String(standard), expected) { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// A limit that holds until the next start, whatever is read meanwhile.
    mutating func fixed(_ key: String, _ standard: Int, in range: ClosedRange<Int>) -> Int {
        let number = self.number(key, standard, in: range)
        self.fixed[key] = number
        return number
    }

    /// A rate; `nil` inside for no limit, `nil` as a whole when nothing is said.
    ///
    /// - Parameters:
    ///   - key: Its name.
    ///   - text: What holds then, as people would write it.
    /// - Returns: The rate.
    mutating func rate(_ key: String, as text: String) -> RateLimit?? {
        guard let said = self.find(key, text) else { return nil }
        if let limit = RateLimit.parse(said) { return .some(limit) }
        self.refuse(key, "a rate as 50/s, 50/s:200 or 12/min:60, or none")
        return nil
    }

    /// Whether anything is said of a setting.
    func has(_ key: String) -> Bool {
        self.layers.contains { $0.value(of: key) != nil }
    }

    /// Remembers that a setting makes no sense.
    mutating func refuse(_ key: String, _ expected: String) {
        var fault = SettingsError(key: key, expected: expected)
        if let entry = self.entries.last(where: { $0.key == key }), let source = entry.source {
            fault.place = entry.value.isEmpty ? "\(source) is empty" : "\(source) has \(entry.value.printable)"
        }
        self.faults.append(fault)
    }

    private mutating func find(_ key: String, _ standard: String) -> String? {
        for layer in self.layers {
            guard let value = layer.value(of: key) else { continue }
            self.entries.append(Entry(key: key, value: value, source: layer.name(key)))
            return value
        }
        self.entries.append(Entry(key: key, value: standard, source: nil))
        return nil
    }
}

/// The file with settings, as it was read for its own sake.
struct ConfigurationFile: Sendable {
    let path: String
    let members: JSONObject

    init(path: String) throws(ConfigurationFileError) {
        self.path = path
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ConfigurationFileError(path: path, reason: "cannot be read")
        }
        let document: JSON
        do throws(JSONSyntaxError) { document = try JSON(parsing: Array(data)) } catch {
            throw ConfigurationFileError(
                path: path,
                reason: "\(TextPlace(of: error.offset, in: data)): \(error.detail)"
            )
        }
        guard let members = document.object else {
            throw ConfigurationFileError(path: path, reason: "expected an object of settings")
        }
        self.members = members
    }
}

/// A file of settings that cannot be used at all.
struct ConfigurationFileError: Error, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "\(self.path): \(self.reason)" }
}

/// A setting that makes no sense.
struct SettingsError: Error, CustomStringConvertible {
    let key: String
    let expected: String
    /// Who said what instead; nil when nobody did.
    var place: String?

    init(key: String, expected: String) {
        self.key = key
        self.expected = expected
    }

    var description: String { "\(self.key): expected \(self.expected)" + (self.place.map { " (\($0))" } ?? "") }
}

/// Everything that makes no sense.
struct SettingsErrors: Error, CustomStringConvertible {
    let faults: [String]

    var description: String { self.faults.joined(separator: "\n") }
}
