import ArgumentParser
import Foundation
import ToastAccess

/// `toastd key`: makes, lists and takes back API keys.
struct Key: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make, list and revoke API keys.",
        discussion: "Send SIGHUP to a running server so that it reads the file again.",
        subcommands: [Create.self, List.self, Revoke.self]
    )

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Make a key and print it, once.")

        @Option(help: "The access file; made if it is not there. (TOASTD_ACCESS, default data/access.json)")
        var access = AccessOptions.standardPath

        @Option(help: "What people call the key.")
        var name: String

        @Option(help: "What it may do: publish, subscribe, respond, manage, with commas between.")
        var scopes: String

        @Option(help: "On which channels: names, or beginnings with a *, with commas between.")
        var channels = "*"

        @Option(help: "For how many days; for ever when left out.")
        var days: Int?

        func validate() throws {
            guard (1...36_500).contains(self.days ?? 1) else { throw ValidationError("--days: expected 1 to 36500.") }
        }

        func run() async throws {
            var file = try AccessOptions.read(self.access, mayBeMissing: true)
            let grant = try AccessOptions.grant(scopes: self.scopes, channels: self.channels)
            let end = self.days.map { Date(timeIntervalSinceNow: Double($0) * 86_400) }
            let key = APIKey()
            file.keys.append(AccessFile.Key(key, name: self.name, grants: [grant], expires: end))
            try AccessOptions.write(file, to: self.access)
            try Terminal.print(key.text)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List keys, without their secrets.")

        @Option(help: "The access file. (TOASTD_ACCESS, default data/access.json)")
        var access = AccessOptions.standardPath

        func run() async throws {
            for key in try AccessOptions.read(self.access).keys {
                let grants = key.grants.map { grant in
                    grant.scopes.map(\.rawValue).sorted().joined(separator: ",") + " on "
                        + grant.channels.map(\.rawValue).joined(separator: ",")
                }
                let end = key.expires.map { ", until \($0.ISO8601Format())" } ?? ""
                try Terminal.print("\(key.id)  \(key.name): \(grants.joined(separator: "; "))\(end)")
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Take a key back.")

        @Option(help: "The access file. (TOASTD_ACCESS, default data/access.json)")
        var access = AccessOptions.standardPath

        @Argument(help: "The key's id, as `toastd key list` has it.")
        var id: String

        func run() async throws {
            var file = try AccessOptions.read(self.access)
            guard file.keys.contains(where: { $0.id == self.id }) else {
                throw ValidationError("\(self.access) has no key \(self.id).")
            }
            file.keys.removeAll { $0.id == self.id }
            try AccessOptions.write(file, to: self.access)
        }
    }
}

/// What the commands about access have in common.
enum AccessOptions {
    /// Where the access file is unless the command says otherwise.
    static var standardPath: String { ProcessInfo.processInfo.environment["TOASTD_ACCESS"] ?? "data/access.json" }

    static func read(_ path: String, mayBeMissing: Bool = false) throws -> AccessFile {
        guard !mayBeMissing || FileManager.default.fileExists(atPath: path) else { return AccessFile() }
        return try AccessFile(contentsOf: path)
    }

    /// Writes the file, and says what may keep a server from reading it.
    static func write(_ file: AccessFile, to path: String) throws {
        let isNew = !FileManager.default.fileExists(atPath: path)
        let ownership = try file.write(to: path)
        let configured = ProcessInfo.processInfo.environment["TOASTD_ACCESS"]
        if let configured, URL(fileURLWithPath: configured).path != URL(fileURLWithPath: path).path {
            Terminal.tell("Warning: TOASTD_ACCESS names \(configured). A server with it does not read \(path).")
        } else if configured == nil, isNew {
            Terminal.tell("Note: a server reads this file when it is told to: toastd serve --access \(path)")
        }
        guard ownership.isPrivate else { return }
        if ownership.owner != ownership.directoryOwner {
            Terminal.tell(
                "Warning: only \(ownership.owner) can read \(path), and its directory belongs to "
                    + "\(ownership.directoryOwner). If the server runs as that user: "
                    + "chown \(ownership.directoryOwner) \(path)"
            )
        } else if isNew, ownership.owner == "root" {
            Terminal.tell("Note: only root can read it. For a server that runs as another user: chown USER \(path)")
        }
    }

    static func grant(scopes: String, channels: String) throws -> Grant {
        let scopes = try scopes.split(separator: ",").map { name in
            guard let scope = Scope(rawValue: String(name)) else {
                let names = Scope.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("\(name) is no scope; there are \(names).")
            }
            return scope
        }
        let patterns = try channels.split(separator: ",").map { text in
            guard let pattern = ChannelPattern(rawValue: String(text)) else {
                throw ValidationError("\(text) is no channel's name, nor the beginning of one with a * behind it.")
            }
            return pattern
        }
        guard !scopes.isEmpty, !patterns.isEmpty else { throw ValidationError("A key needs a scope and a channel.") }
        return Grant(Set(scopes), on: patterns)
    }
}
