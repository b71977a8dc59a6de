import MicroHTTP
import ToastCore
import ToastServer

/// The settings of a server: from the command line, else the environment, else a file, else the default.
///
/// Each setting of ``GeneralSettings``, ``ClusterSettings`` and ``LimitSettings`` is a member of the same name.
@dynamicMemberLookup
struct ServerSettings: Sendable {
    enum Store: Equatable, Sendable {
        case memory
        case sqlite(path: String)
        /// A NATS cluster: addresses of servers, and what all streams and subjects begin with.
        case nats(servers: [String], prefix: String)

        init?(_ text: String) {
            if text == "memory" {
                self = .memory
            } else if text.hasPrefix("sqlite:") {
                let path = String(text.dropFirst("sqlite:".count))
                // `//host/db` and `db?mode=ro` are parts of URLs, which this is not: they would become file names.
                guard !path.isEmpty, !path.hasPrefix("//"), !path.contains("?") else { return nil }
                self = .sqlite(path: path)
            } else if let (servers, prefix) = Self.cluster(text) {
                self = .nats(servers: servers, prefix: prefix)
            } else {
                return nil
            }
        }

        /// Reads `nats://HOST:PORT,HOST:PORT?prefix=NAME`, or the same with `tls://`.
        ///
        /// Credentials are not part of it, because this text is shown in logs and reports.
        private static func cluster(_ text: String) -> (servers: [String], prefix: String)? {
            guard let scheme = ["nats://", "tls://"].first(where: { text.hasPrefix($0) }) else { return nil }
            let parts = text.dropFirst(scheme.count).split(separator: "?", omittingEmptySubsequences: false)
            let hosts = parts[0].split(separator: ",", omittingEmptySubsequences: false)
            guard parts.count <= 2, hosts.allSatisfy({ !$0.isEmpty && !$0.contains("@") && !$0.contains("/") }) else {
                return nil
            }
            var prefix = "toastd"
            if parts.count == 2 {
                guard parts[1].hasPrefix("prefix="), let name = ChannelName(rawValue: String(parts[1].dropFirst(7)))
                else { return nil }
                prefix = name.rawValue
            }
            return (hosts.map { scheme + $0 }, prefix)
        }
    }

    /// The values of the settings that were read.
    private var values: [ObjectIdentifier: any Sendable] = [:]

    /// The settings that a flag, the environment or the file sets.
    private var given: Set<ObjectIdentifier> = []

    /// The texts of the settings that only a restart changes, by their names.
    private(set) var fixedSettings: [String: String] = [:]

    /// Reads the settings from flags, the environment and a file.
    ///
    /// - Throws: All faults of the settings, or why the file cannot be read.
    init(_ flags: [String: String]) throws(SettingsError) {
        var reader = try SettingsReader(flags)
        self.init(&reader)
        let faults = reader.faults + reader.strangeMembers
        guard faults.isEmpty else { throw SettingsError(faults: faults) }
    }

    /// The settings of a reader, which collects the faults; invalid values are replaced by defaults.
    init(_ reader: inout SettingsReader) {
        self.init(&reader, of: GeneralSettings.self, ClusterSettings.self, LimitSettings.self)
        if case .nats = self.store, self.clusterKeyFile == nil {
            reader.refuse("clusterKeyFile", "a file with a secret that all nodes of the cluster in --store have")
        }
        if self.isOpen, !self.listen.isLoopback {
            reader.refuse(
                "listen",
                "an address of this machine only, because anyone could do anything at \(self.listen); name an --access "
                    + "file (toastd key create makes one), or say what anyone may do with --allow-anonymous"
            )
        }
    }

    /// The settings of some tables, with the faults in the reader.
    init(_ reader: inout SettingsReader, of tables: any SettingsTable.Type...) {
        for table in tables {
            for (name, setting) in table.rows { self.read(name, setting, &reader) }
        }
        // All callers pass the settings of the cluster, which have these two.
        switch (self.natsCertificate, self.natsKey) {
        case (nil, _?): reader.refuse("natsCertificate", "the file with the certificate of --nats-key")
        case (_?, nil): reader.refuse("natsKey", "the file with the key of --nats-certificate")
        default: break
        }
    }

    private mutating func read(_ name: String, _ setting: any AnySetting, _ reader: inout SettingsReader) {
        let standard = setting.standard(in: self)
        var value = standard.value
        let text = reader.read(name, default: standard.text)
        if let text {
            self.given.insert(ObjectIdentifier(setting))
            if let given = setting.read(text) { value = given } else { reader.refuse(name, setting.expected) }
        }
        self.values[ObjectIdentifier(setting)] = value
        if !setting.isLive { self.fixedSettings[name] = text ?? standard.text }
    }

    subscript<Value>(dynamicMember path: KeyPath<GeneralSettings, Setting<Value>>) -> Value {
        self.value(of: GeneralSettings.table[keyPath: path])
    }

    subscript<Value>(dynamicMember path: KeyPath<ClusterSettings, Setting<Value>>) -> Value {
        self.value(of: ClusterSettings.table[keyPath: path])
    }

    subscript<Value>(dynamicMember path: KeyPath<LimitSettings, Setting<Value>>) -> Value {
        self.value(of: LimitSettings.table[keyPath: path])
    }

    func value<Value>(of setting: Setting<Value>) -> Value {
        guard let value = self.values[ObjectIdentifier(setting)] as? Value else {
            preconditionFailure("A default depends on a setting that is declared after it: \(setting.help)")
        }
        return value
    }

    /// Whether a flag, the environment or the file sets a setting.
    func has(_ setting: any AnySetting) -> Bool { self.given.contains(ObjectIdentifier(setting)) }
}

extension ServerSettings {
    /// When the kernel closes a connection whose peer acknowledges nothing, in seconds.
    ///
    /// The kernel cannot tell a peer that does not read from one that vanished, so this must be longer than
    /// `stallTimeout`.
    var peerTimeout: Int { max(30, self.stallTimeout + 5) }
}
