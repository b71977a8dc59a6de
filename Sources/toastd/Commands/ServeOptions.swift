import ArgumentParser

/// The flags of `toastd serve`: one for each setting, and one for the file of settings.
struct ServeOptions: ParsableArguments {
    @OptionGroup
    var general: SettingFlags<GeneralSettings>

    @OptionGroup(title: "Cluster")
    var cluster: SettingFlags<ClusterSettings>

    @OptionGroup(title: "Limits")
    var limits: SettingFlags<LimitSettings>

    @Option(help: "A JSON file with any of these settings. (TOASTD_CONFIG)")
    var config: String?

    /// The values of the flags, by the names of the settings.
    var flags: [String: String] {
        var values = self.general.values
        for others in [self.cluster.values, self.limits.values] { values.merge(others) { value, _ in value } }
        values["config"] = self.config
        return values
    }
}

/// A flag for each setting of a table.
///
/// ArgumentParser reads the definitions from the mirror of `init()`, which lists the table here, and decodes each value
/// by its name, as for a structure with an `@Option` for each.
struct SettingFlags<Table: SettingsTable>: ParsableArguments, CustomReflectable {
    /// The given values, by the names of the settings.
    private(set) var values: [String: String] = [:]

    init() {}

    init(from decoder: any Decoder) throws {
        let flags = try decoder.container(keyedBy: Name.self)
        for (name, _) in Table.rows {
            self.values[name] = try flags.decode(Option<String?>.self, forKey: Name(stringValue: name)).wrappedValue
        }
    }

    var customMirror: Mirror {
        Mirror(self, children: Table.rows.map { (label: $0.name, value: Self.option($0.name, $0.setting)) })
    }

    private static func option(_ name: String, _ setting: any AnySetting) -> Any {
        let standard = setting.shownDefault.isEmpty ? "" : ", default \(setting.shownDefault)"
        return Option<String?>(help: ArgumentHelp("\(setting.help) (\(SettingName.variable(name))\(standard))"))
    }

    /// The name of a setting, as a coding key.
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }
    }
}
