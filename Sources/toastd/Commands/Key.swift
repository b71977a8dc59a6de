import ArgumentParser
import Foundation
import ToastAccess
import ToastCore

/// `toastd key`: creates, lists and revokes API keys.
struct Key: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make, list and revoke API keys.",
        discussion: "Send SIGHUP to a running server so that it reads the file again.",
        subcommands: [Create.self, List.self, Revoke.self]
    )

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Make a key and print it, once.")

        @OptionGroup
        var access: AccessOption

        @Option(help: "The key's name for people.")
        var name: String

        @Option(help: "Its scopes: publish, subscribe, respond, manage, separated by commas.")
        var scopes: String

        @Option(help: "Its channels: names, or prefixes with a *, separated by commas.")
        var channels = "*"

        @Option(help: "Days until it expires. (default never)")
        var days: Int?

        func validate() throws {
            guard (1...36_500).contains(self.days ?? 1) else { throw ValidationError("--days: expected 1 to 36500.") }
        }

        func run() async throws {
            let grant = try Grant(scopes: self.scopes, channels: self.channels)
            let end = self.days.map { Date(timeIntervalSinceNow: Double($0) * 86_400) }
            let key = APIKey()
            try self.access.change(mayBeMissing: true) { file in
                file.keys.append(AccessFile.Key(key, name: self.name, grants: [grant], expires: end))
            }
            try Terminal.print(key.text)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List keys, without their secrets.")

        @OptionGroup
        var access: AccessOption

        func run() async throws {
            for key in try self.access.read().keys {
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
        static let configuration = CommandConfiguration(abstract: "Revoke a key.")

        @OptionGroup
        var access: AccessOption

        @Argument(help: "The key's id, from `toastd key list`.")
        var id: String

        func run() async throws {
            try self.access.change { file in
                guard file.keys.contains(where: { $0.id == self.id }) else {
                    throw Terminal.fail("\(self.access.path) has no key \(self.id).")
                }
                file.keys.removeAll { $0.id == self.id }
            }
        }
    }
}

/// The option of the commands that work with the access file.
struct AccessOption: ParsableArguments {
    @Option(
        name: .customLong("access"),
        help: "The access file, which `key create` makes if it is not there. (TOASTD_ACCESS, default data/access.json)"
    )
    var path = Self.configured ?? "data/access.json"

    /// The access file that the environment names.
    private static var configured: String? { ProcessInfo.processInfo.environment["TOASTD_ACCESS"] }

    func read(mayBeMissing: Bool = false) throws -> AccessFile {
        guard !mayBeMissing || FileManager.default.fileExists(atPath: self.path) else { return AccessFile() }
        return try AccessFile(contentsOf: self.path)
    }

    /// Changes the file, and warns when a server may not read it.
    ///
    /// Processes that change it at the same time wait for each other, so that no change is lost.
    func change(mayBeMissing: Bool = false, _ edit: (inout AccessFile) throws -> Void) throws {
        let path = self.path
        // Fails before the lock makes a directory for a missing file.
        if !mayBeMissing { _ = try self.read() }
        var isNew = false
        let ownership = try AccessFile.locked(path) {
            isNew = !FileManager.default.fileExists(atPath: path)
            var file = try self.read(mayBeMissing: mayBeMissing)
            try edit(&file)
            return try file.write(to: path)
        }
        let configured = Self.configured
        if let configured, URL(fileURLWithPath: configured).path != URL(fileURLWithPath: path).path {
            Terminal.tell("Warning: TOASTD_ACCESS names \(configured). A server with it does not read \(path).")
        } else if configured == nil, isNew {
            Terminal.tell("Note: a server reads this file when it is told to: toastd serve --access \(path)")
        }
        if !isNew { Terminal.tell("Note: a running server reads the change when it gets SIGHUP.") }
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
}

extension Grant {
    /// Reads the scopes and channels of a command line.
    init(scopes: String, channels: String) throws {
        let scopes = try scopes.split(separator: ",").map { name in
            guard let scope = Scope(rawValue: String(name)) else {
                let names = Scope.allCases.map(\.rawValue).joined(separator: ", ")
                throw Terminal.fail("\(name) is no scope; there are \(names).")
            }
            return scope
        }
        let patterns = try channels.split(separator: ",").map { text in
            guard let pattern = ChannelPattern(rawValue: String(text)) else {
                throw Terminal.fail("\(text) is no channel's name, nor the beginning of one followed by a *.")
            }
            return pattern
        }
        guard !scopes.isEmpty, !patterns.isEmpty else { throw Terminal.fail("A key needs a scope and a channel.") }
        self.init(Set(scopes), on: patterns)
    }
}
