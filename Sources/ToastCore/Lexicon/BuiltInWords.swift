/// The words that toastd contains: titles and spoken prefixes of roles, and the words of the viewer.
///
/// Catalogs of the operator override them, and add languages, by the same keys.
enum BuiltInWords {
    static let table: [(key: String, english: String, german: String)] = [
        ("role.success.title", "Success", "Erfolg"),
        ("role.success.prefix", "success,", "Erfolg,"),
        ("role.error.title", "Error", "Fehler"),
        ("role.error.prefix", "error,", "Fehler,"),
        ("role.warning.title", "Warning", "Warnung"),
        ("role.warning.prefix", "warning,", "Warnung,"),
        ("role.info.title", "Info", "Info"),
        ("role.info.prefix", "information,", "Information,"),

        ("close", "Close", "Schließen"),
        ("now", "now", "jetzt"),
        ("progress", "Progress", "Fortschritt"),
        ("notifications", "Notifications", "Mitteilungen"),
        ("disconnected", "Notifications disconnected", "Mitteilungen unterbrochen"),
        ("reconnected", "Notifications reconnected", "Mitteilungen wieder verbunden"),
    ]

    static let english = Catalog(Dictionary(uniqueKeysWithValues: table.map { ($0.key, .format($0.english)) }))

    static let german = Catalog(Dictionary(uniqueKeysWithValues: table.map { ($0.key, .format($0.german)) }))
}

extension Role {
    /// The key of the role's own title.
    var titleKey: String { "role.\(self.rawValue).title" }

    /// The key of the word that the announcement of a toast of this role begins with.
    var prefixKey: String { "role.\(self.rawValue).prefix" }
}
