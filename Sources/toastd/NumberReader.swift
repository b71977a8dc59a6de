import Configuration

/// Reads numbers, and remembers those that hold from the start.
struct NumberReader {
    private let config: ConfigReader
    private(set) var fixed: [String: Int] = [:]

    init(_ config: ConfigReader) {
        self.config = config
    }

    /// Whether anything is said of a setting.
    func has(_ key: ConfigKey) -> Bool {
        self.config.int(forKey: key) != nil
    }

    /// A number that may change while the server runs.
    func running(_ key: ConfigKey, _ standard: Int, in range: ClosedRange<Int>) throws(SettingsError) -> Int {
        try ServerSettings.number(self.config, key, standard, in: range)
    }

    /// A number that holds until the next start.
    mutating func fixed(_ key: ConfigKey, _ standard: Int, in range: ClosedRange<Int>) throws(SettingsError) -> Int {
        let number = try self.running(key, standard, in: range)
        self.fixed[key.description] = number
        return number
    }
}
