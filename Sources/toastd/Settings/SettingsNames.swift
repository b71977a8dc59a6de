import Foundation
import ToastCore

/// Finds unknown names, which are probably misspelt.
extension SettingsReader {
    /// Variables that are not settings of a server but belong to other commands.
    private static let otherVariables: Set<String> = ["TOASTD_CONFIG", "TOASTD_SERVER", "TOASTD_TOKEN"]

    /// Unknown members of the file, and members of the wrong type; valid after all settings were read.
    var strangeMembers: [String] {
        guard let file else { return [] }
        let keys = self.entries.map(\.key)
        return file.members.compactMap { name, value in
            if !keys.contains(name) { return "\(file.path): \(name) is no setting\(Self.guess(name, among: keys))" }
            guard value.array != nil || value.object != nil || value == .null else { return nil }
            return "\(file.path): \(name): expected a text or a number"
        }
    }

    /// Unknown variables that look like settings; valid after all settings were read.
    ///
    /// The server starts in spite of them: Kubernetes sets such variables for a service of this name.
    var strangeVariables: [String] {
        let variables = self.entries.map { SettingName.variable($0.key) }
        let names = ProcessInfo.processInfo.environment.keys.sorted().filter { $0.hasPrefix("TOASTD_") }
        return names.filter { !variables.contains($0) && !Self.otherVariables.contains($0) }.map {
            "\($0) is no setting\(Self.guess($0, among: variables))"
        }
    }

    /// The name that was probably meant.
    private static func guess(_ name: String, among names: [String]) -> String {
        let close = names.min { Self.distance($0, name) < Self.distance($1, name) }
        guard let close, Self.distance(close, name) <= 3 else { return "" }
        return "; is \(close) meant?"
    }

    /// The edit distance of two words (Levenshtein).
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
