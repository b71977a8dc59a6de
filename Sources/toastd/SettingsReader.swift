import Configuration
import Foundation
import SystemPackage
import ToastClient
import ToastCore

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

    /// A place where settings are set.
    private struct Layer {
        let name: (String) -> String
        /// The value of a setting as text.
        let value: (String) -> String?

        /// The flags of the command line.
        init(_ flags: [String: String]) {
            self.name = SettingName.flag
            self.value = { flags[$0] }
        }

        /// What a library reads; a file may hold numbers as numbers.
        init(_ config: ConfigReader, name: @escaping (String) -> String) {
            self.name = name
            self.value = { key in
                let key = ConfigKey(key)
                return config.string(forKey: key) ?? config.int(forKey: key).map { String($0) }
                    ?? config.double(forKey: key).map { String($0) } ?? config.bool(forKey: key).map { String($0) }
            }
        }
    }

    /// Where settings are set; the first that sets one counts.
    private var layers: [Layer]

    /// The settings, in the order in which they were read.
    private(set) var entries: [Entry] = []

    /// What makes no sense.
    private(set) var faults: [SettingsError] = []

    /// The file, if there is one.
    let file: ConfigurationFile?

    /// A reader of flags, the environment, and the file that either of them names.
    init(_ flags: [String: String]) async throws {
        let environment = EnvironmentVariablesProvider().prefixKeys(with: "toastd")
        self.layers = [
            Layer(flags), Layer(ConfigReader(provider: environment), name: SettingName.variable),
        ]
        self.file = try self.layers.lazy.compactMap { $0.value("config") }.first.map(ConfigurationFile.init)
        guard let file else { return }
        let provider = try await FileProvider<JSONSnapshot>(filePath: FilePath(file.path))
        self.layers.append(Layer(ConfigReader(provider: provider)) { _ in file.path })
    }

    /// The text that a setting is set to; nil when its default holds, which is remembered as text.
    mutating func read(_ key: String, default standard: String) -> String? {
        for layer in self.layers {
            guard let value = layer.value(key) else { continue }
            self.entries.append(Entry(key: key, value: value, source: layer.name(key)))
            return value
        }
        self.entries.append(Entry(key: key, value: standard, source: nil))
        return nil
    }

    /// Remembers that a setting makes no sense.
    mutating func refuse(_ key: String, _ expected: String) {
        var fault = SettingsError(key: key, expected: expected)
        if let entry = self.entries.last(where: { $0.key == key }), let source = entry.source {
            fault.place = entry.value.isEmpty ? "\(source) is empty" : "\(source) has \(entry.value.printable)"
        }
        self.faults.append(fault)
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
