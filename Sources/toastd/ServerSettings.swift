import MicroHTTP
import ToastServer

/// How a server runs: from the command line, else the environment, else a file, else the default.
///
/// Each setting of ``GeneralSettings`` and ``LimitSettings`` is a member of its name.
@dynamicMemberLookup
struct ServerSettings: Sendable {
    enum Store: Equatable, Sendable {
        case memory
        case sqlite(path: String)

        init?(_ text: String) {
            if text == "memory" {
                self = .memory
            } else if text.hasPrefix("sqlite:"), text.count > "sqlite:".count {
                self = .sqlite(path: String(text.dropFirst("sqlite:".count)))
            } else {
                return nil
            }
        }
    }

    /// The values of the settings that were read.
    private var values: [ObjectIdentifier: any Sendable] = [:]

    /// The settings that are not left to their defaults.
    private var given: Set<ObjectIdentifier> = []

    /// The limits that hold from the start until the next one, by the names of the settings.
    private(set) var fixedLimits: [String: String] = [:]

    /// The settings that flags, the environment and a file give.
    ///
    /// - Throws: Everything that makes no sense, or that the file cannot be read.
    init(_ flags: [String: String]) async throws {
        var reader = try await SettingsReader(flags)
        self.init(&reader)
        let faults = reader.faults.map(\.description) + reader.strangeMembers
        guard faults.isEmpty else { throw SettingsErrors(faults: faults) }
    }

    /// The settings of a reader, which remembers what makes no sense; the defaults stand for that.
    init(_ reader: inout SettingsReader) {
        for (name, setting) in GeneralSettings.rows { self.read(name, setting, &reader) }
        for (name, setting) in LimitSettings.rows {
            let value = self.read(name, setting, &reader)
            if !setting.isLive { self.fixedLimits[name] = "\(value)" }
        }
        if self.isOpen, !self.listen.isLoopback {
            reader.refuse(
                "listen",
                "an address of this machine only, because anyone could do anything at \(self.listen); name an --access "
                    + "file (toastd key create makes one), or say what anyone may do with --allow-anonymous"
            )
        }
    }

    @discardableResult
    private mutating func read(
        _ name: String,
        _ setting: any AnySetting,
        _ reader: inout SettingsReader
    ) -> any Sendable {
        let standard = setting.standard(in: self)
        var value = standard.value
        if let text = reader.read(name, default: standard.text) {
            self.given.insert(ObjectIdentifier(setting))
            if let given = setting.read(text) { value = given } else { reader.refuse(name, setting.expected) }
        }
        self.values[ObjectIdentifier(setting)] = value
        return value
    }

    /// The value of a setting.
    subscript<Value>(dynamicMember path: KeyPath<GeneralSettings, Setting<Value>>) -> Value {
        self.value(of: GeneralSettings.table[keyPath: path])
    }

    /// The value of a limit.
    subscript<Value>(dynamicMember path: KeyPath<LimitSettings, Setting<Value>>) -> Value {
        self.value(of: LimitSettings.table[keyPath: path])
    }

    /// The value of a setting.
    func value<Value>(of setting: Setting<Value>) -> Value {
        guard let value = self.values[ObjectIdentifier(setting)] as? Value else {
            preconditionFailure("A default depends on a setting that is declared behind it: \(setting.help)")
        }
        return value
    }

    /// Whether a flag, the environment or the file sets a setting.
    func has(_ setting: any AnySetting) -> Bool { self.given.contains(ObjectIdentifier(setting)) }
}

extension ServerSettings {
    /// When the kernel ends a connection whose peer takes nothing, in seconds.
    ///
    /// It counts a peer that is there and does not read like one that vanished, so it must not be before us.
    var peerTimeout: Int { max(30, self.stallTimeout + 5) }
}
