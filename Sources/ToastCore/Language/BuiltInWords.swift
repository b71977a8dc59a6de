/// The words that toastd brings along: what its roles are called, on screen and spoken, and what a viewer needs.
///
/// One table, so that a title and its spoken prefix can not drift apart. A catalog of the server's owner overrides any
/// of them, and adds languages, by the same keys.
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
    var titleKey: String {
        switch self {
        case .success: "role.success.title"
        case .error: "role.error.title"
        case .warning: "role.warning.title"
        case .info: "role.info.title"
        }
    }

    /// The key of the word that a spoken toast of the role begins with.
    var prefixKey: String {
        switch self {
        case .success: "role.success.prefix"
        case .error: "role.error.prefix"
        case .warning: "role.warning.prefix"
        case .info: "role.info.prefix"
        }
    }
}
