import Foundation
import ToastAccess
import ToastClient
import ToastCore
import ToastServer

/// What there is to say about settings, and about the files that they name.
struct ConfigurationReport {
    /// What holds, and who said so.
    private(set) var entries: [SettingsReader.Entry] = []

    /// What keeps the server from starting, or is not what its operator meant.
    var faults: [String] = []

    /// What may not be what its operator meant.
    private(set) var warnings: [String] = []

    /// Nothing is known.
    init() {}

    /// Looks everything through that the server would read before it opens its store.
    init(_ reader: SettingsReader, _ settings: ServerSettings) async {
        self.entries = reader.entries
        self.faults = reader.faults.map(\.description) + reader.strangeMembers
        self.warnings = reader.strangeVariables
        self.checkPages(settings)
        self.checkCatalogs(settings)
        self.checkDefaults(settings)
        await self.checkAccess(settings)
        self.checkStore(settings)
        if let warning = settings.accessWarning { self.warnings.append("trustedProxies: \(warning)") }
    }

    private mutating func checkPages(_ settings: ServerSettings) {
        do throws(PagesError) { _ = try Pages(directory: settings.public) } catch {
            self.refuse("public", error)
            return
        }
        guard let styles = settings.styles else { return }
        do throws(PagesError) { _ = try Pages(directory: settings.public, ownStyles: styles) } catch {
            self.refuse("styles", error)
        }
    }

    private mutating func checkCatalogs(_ settings: ServerSettings) {
        guard let directory = settings.catalogs else { return }
        let limits = settings.serviceLimits.catalogs
        do throws(CatalogFiles.Fault) { _ = try CatalogFiles(directory: directory, limits: limits) } catch {
            self.refuse("catalogs", error)
        }
    }

    private mutating func checkDefaults(_ settings: ServerSettings) {
        guard let path = settings.settings else { return }
        do throws(SettingsFile.Fault) { _ = try SettingsFile.read(path) } catch { self.refuse("settings", error) }
    }

    private mutating func checkAccess(_ settings: ServerSettings) async {
        guard let path = settings.access else { return }
        do throws(AccessError) {
            let file = try AccessFile(contentsOf: path)
            let keySet = try await self.keySet(of: file, beside: path)
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

    /// The key set that an access file names; nil when there is none, or it would have to be fetched.
    private func keySet(of file: AccessFile, beside path: String) async throws(AccessError) -> KeySet? {
        guard let path = file.tokens?.jwks?.path(beside: path) else { return nil }
        return try await KeySet(contentsOf: path)
    }

    /// Looks at where the store would be, and leaves it alone.
    private mutating func checkStore(_ settings: ServerSettings) {
        guard case .sqlite(let path) = settings.store else { return }
        let files = FileManager.default
        if Self.isDirectory(path) {
            self.refuse("store", "\(path) is a directory")
        } else if files.fileExists(atPath: path),
            !files.isReadableFile(atPath: path) || !files.isWritableFile(atPath: path)
        {
            self.refuse("store", "\(path) cannot be read and written")
        }
        // The server makes directories that are not there.
        var directory = URL(fileURLWithPath: path).deletingLastPathComponent()
        while directory.path != "/", !files.fileExists(atPath: directory.path) { directory.deleteLastPathComponent() }
        if !Self.isDirectory(directory.path) || !files.isWritableFile(atPath: directory.path) {
            self.refuse("store", "nothing can be written in \(directory.path)")
        }
    }

    private static func isDirectory(_ path: String) -> Bool {
        // What cannot be looked at is none.
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.type] as? FileAttributeType == .typeDirectory
    }

    private mutating func refuse(_ key: String, _ reason: Any) {
        let source = self.entries.first { $0.key == key }?.source ?? "default"
        self.faults.append("\(key): \(reason) (\(source))")
    }
}

extension ConfigurationReport {
    /// A line for each setting: its name, what holds, who said so.
    var lines: [String] {
        let width = (self.entries.map(\.key.count).max() ?? 0) + 2
        let wide = (self.entries.map(\.value.count).max() ?? 0) + 2
        return self.entries.map { entry in
            let value = (entry.value.isEmpty ? "none" : entry.value.printable).padded(to: min(wide, 32))
            return "\(entry.key.padded(to: width))\(value)  \(entry.source?.printable ?? "default")"
        }
    }

    /// The same for programs.
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
