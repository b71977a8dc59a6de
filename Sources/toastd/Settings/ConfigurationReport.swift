import Foundation
import Sealing
import ToastAccess
import ToastClient
import ToastCore
import ToastServer
import ToastStore

/// The result of checking the settings and the files that they name.
struct ConfigurationReport {
    /// The settings, and where their values come from.
    private(set) var entries: [SettingsReader.Entry] = []

    /// The faults that keep the server from starting.
    var faults: [String] = []

    /// Possible mistakes.
    private(set) var warnings: [String] = []

    init() {}

    /// Checks everything that the server would read before it opens its store.
    init(_ reader: SettingsReader, _ settings: ServerSettings) async {
        self.entries = reader.entries
        self.faults = reader.faults + reader.strangeMembers
        self.warnings = reader.strangeVariables
        if self.check("public", { try Pages(directory: settings.public) }), let styles = settings.styles {
            self.check("styles") { try Pages(directory: settings.public, ownStyles: styles) }
        }
        if let directory = settings.catalogs {
            self.check("catalogs") {
                try CatalogFiles(directory: directory, limits: settings.serviceLimits.catalogs)
            }
        }
        if let path = settings.settings { self.check("settings") { try SettingsFile.read(path) } }
        await self.checkAccess(settings)
        self.check("mercureKeyFile") { try Adapters(settings) }
        self.checkStore(settings)
        if let warning = settings.accessWarning { self.warnings.append("trustedProxies: \(warning)") }
    }

    /// Reads what a setting names as the server would; returns whether it is valid.
    @discardableResult
    private mutating func check(_ key: String, _ read: () throws -> Any) -> Bool {
        do {
            _ = try read()
            return true
        } catch {
            self.refuse(key, error)
            return false
        }
    }

    private mutating func checkAccess(_ settings: ServerSettings) async {
        guard let path = settings.access else { return }
        do throws(AccessError) {
            let file = try AccessFile(contentsOf: path)
            // A key set at a URL is not fetched.
            let keySet: KeySet? =
                if let path = file.tokens?.jwks?.path(beside: path) { try await KeySet(contentsOf: path) } else { nil }
            _ = try await Authenticator(anonymous: []).adopt(file.adding(keySet))
            for key in keySet?.unusable ?? [] {
                self.warnings.append("access: a key of the key set is not used: \(key)")
            }
            let isOver = file.keys.contains { $0.expires.map { $0 < Date() } ?? false }
            if isOver { self.warnings.append("access: \(path): a key has ended (toastd key list shows which)") }
        } catch {
            self.refuse("access", error)
        }
    }

    private mutating func checkStore(_ settings: ServerSettings) {
        switch settings.store {
        case .memory: break
        case .sqlite(let path): self.checkDatabase(path)
        case .nats: self.checkClusterFiles(settings)
        }
    }

    /// Checks what a node reads before it connects to NATS.
    private mutating func checkClusterFiles(_ settings: ServerSettings) {
        if let path = settings.clusterKeyFile { self.check("clusterKeyFile") { try ClusterKey(contentsOf: path) } }
        let files = [
            ("natsCredentials", settings.natsCredentials), ("natsAuthorities", settings.natsAuthorities),
            ("natsCertificate", settings.natsCertificate), ("natsKey", settings.natsKey),
        ]
        for case (let name, let path?) in files { self.check(name) { try FileFault.read(path) } }
    }

    /// Checks the place of a database, and its file if there is one.
    private mutating func checkDatabase(_ path: String) {
        let files = FileManager.default
        if Self.isDirectory(path) {
            self.refuse("store", "\(path) is a directory")
        } else if files.fileExists(atPath: path),
            !files.isReadableFile(atPath: path) || !files.isWritableFile(atPath: path)
        {
            self.refuse("store", "\(path) cannot be read and written")
        } else {
            self.check("store") { try SQLiteStore.look(at: path) }
        }
        // The server creates missing directories.
        var directory = URL(fileURLWithPath: path).deletingLastPathComponent()
        while directory.path != "/", !files.fileExists(atPath: directory.path) { directory.deleteLastPathComponent() }
        if !Self.isDirectory(directory.path) || !files.isWritableFile(atPath: directory.path) {
            self.refuse("store", "nothing can be written in \(directory.path)")
        }
    }

    private static func isDirectory(_ path: String) -> Bool {
        // A path whose attributes cannot be read is not a directory.
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.type] as? FileAttributeType == .typeDirectory
    }

    private mutating func refuse(_ key: String, _ reason: Any) {
        let source = self.entries.first { $0.key == key }?.source ?? "default"
        self.faults.append("\(key): \(reason) (\(source))")
    }
}

extension ConfigurationReport {
    /// A line for each setting: its name, its value, and where that comes from.
    var lines: [String] {
        let width = (self.entries.map(\.key.count).max() ?? 0) + 2
        let wide = (self.entries.map(\.value.count).max() ?? 0) + 2
        return self.entries.map { entry in
            let value = (entry.value.isEmpty ? "none" : entry.value.printable).padded(to: min(wide, 32))
            return "\(entry.key.padded(to: width))\(value)  \(entry.source?.printable ?? "default")"
        }
    }

    var json: JSON {
        let settings = self.entries.map { entry in
            let source: JSON = entry.source.map { .string($0) } ?? .null
            return JSON.object(["name": .string(entry.key), "value": .string(entry.value), "source": source])
        }
        return [
            "settings": .array(settings), "errors": .array(self.faults.map { .string($0) }),
            "warnings": .array(self.warnings.map { .string($0) }),
        ]
    }
}
