import Foundation
import ToastClient
import ToastCore
import ToastServer

/// Reads settings one after the other, and remembers the value, the source and the fault of each.
///
/// A fault does not stop it: the default replaces the value, so that one run finds all faults.
struct SettingsReader {
    /// A setting with its value.
    struct Entry: Sendable {
        let key: String
        let value: String
        /// The source, such as `--loops`, `TOASTD_LOOPS` or a file's path; nil for the default.
        let source: String?
    }

    private let flags: [String: String]
    private let environment = ProcessInfo.processInfo.environment

    /// The settings, in the order of reading.
    private(set) var entries: [Entry] = []
    private(set) var faults: [String] = []

    let file: ConfigurationFile?

    /// A reader of flags, the environment, and the file that either of them names.
    init(_ flags: [String: String]) throws(SettingsError) {
        self.flags = flags
        let path = flags["config"] ?? self.environment[SettingName.variable("config")]
        self.file = try path.map { path throws(SettingsError) in try ConfigurationFile(path: path) }
    }

    /// The text of a setting; nil for the default, whose text is remembered.
    mutating func read(_ key: String, default standard: String) -> String? {
        let given = self.given(key)
        self.entries.append(Entry(key: key, value: given?.value ?? standard, source: given?.source))
        return given?.value
    }

    /// The text of a setting in the first source that sets it: a flag, a variable, or the file.
    private func given(_ key: String) -> (value: String, source: String)? {
        if let value = self.flags[key] { return (value, SettingName.flag(key)) }
        let variable = SettingName.variable(key)
        if let value = self.environment[variable] { return (value, variable) }
        guard let file, let value = file.members[key]?.readable else { return nil }
        return (value, file.path)
    }

    /// Records that the value of a setting is invalid.
    mutating func refuse(_ key: String, _ expected: String) {
        var place = ""
        if let entry = self.entries.last(where: { $0.key == key }), let source = entry.source {
            place = entry.value.isEmpty ? " (\(source) is empty)" : " (\(source) has \(entry.value.printable))"
        }
        self.faults.append("\(key): expected \(expected)\(place)")
    }
}

struct ConfigurationFile: Sendable {
    let path: String
    let members: JSONObject

    init(path: String) throws(SettingsError) {
        self.path = path
        guard !path.isEmpty else { throw SettingsError(faults: ["config: expected a path, but it is empty"]) }
        let data: [UInt8]
        do throws(FileFault) { data = try FileFault.read(path) } catch {
            throw SettingsError(faults: [error.description])
        }
        let document: JSON
        do throws(JSONSyntaxError) { document = try JSON(parsing: data) } catch {
            throw SettingsError(faults: ["\(path): \(data.place(of: error.offset)): \(error.detail)"])
        }
        guard let members = document.object else {
            throw SettingsError(faults: ["\(path): expected an object of settings"])
        }
        self.members = members
    }
}

/// Everything that is wrong with the settings.
struct SettingsError: Error, CustomStringConvertible {
    let faults: [String]

    var description: String { self.faults.joined(separator: "\n") }
}
