import Foundation
import ToastCore

/// Names that nobody asks for are words that were written wrong.
extension SettingsReader {
    /// Variables that are no settings of a server: those of the commands that speak to one.
    private static let otherVariables: Set<String> = ["TOASTD_CONFIG", "TOASTD_SERVER", "TOASTD_TOKEN"]

    /// Members of the file that are no settings, or whose values are none; known when all settings were read.
    var strangeMembers: [String] {
        guard let file else { return [] }
        let keys = self.entries.map(\.key)
        return file.members.compactMap { name, value in
            if !keys.contains(name) { return "\(file.path): \(name) is no setting\(Self.guess(name, among: keys))" }
            guard value.array != nil || value.object != nil || value == .null else { return nil }
            return "\(file.path): \(name): expected a text or a number"
        }
    }

    /// Variables that look like settings and are none; known when all settings were read.
    ///
    /// The server starts with them: Kubernetes makes variables of this kind for a service of this name.
    var strangeVariables: [String] {
        let variables = self.entries.map { SettingName.variable($0.key) }
        let names = ProcessInfo.processInfo.environment.keys.sorted().filter { $0.hasPrefix("TOASTD_") }
        return names.filter { !variables.contains($0) && !Self.otherVariables.contains($0) }.map {
            "\($0) is no setting\(Self.guess($0, among: variables))"
        }
    }

    /// The name that was perhaps meant.
    private static func guess(_ name: String, among names: [String]) -> String {
        let close = names.min { Self.distance($0, name) < Self.distance($1, name) }
        guard let close, Self.distance(close, name) <= 3 else { return "" }
        return "; is \(close) meant?"
    }

    /// How many letters have to be put in, taken out or changed to make one word of another (Levenshtein).
    private static func distance(_ one: String, _ other: String) -> Int {
        let letters = Array(other.lowercased())
        var row = Array(0...letters.count)
        for (index, letter) in one.lowercased().enumerated() {
            var diagonal = index
            row[0] = index + 1
            for place in letters.indices {
                let change = diagonal + (letters[place] == letter ? 0 : 1)
                diagonal = row[place + 1]
                row[place + 1] = min(change, row[place] + 1, diagonal + 1)
            }
        }
        return row[letters.count]
    }
}
