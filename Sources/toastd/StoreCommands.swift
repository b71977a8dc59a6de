import ArgumentParser
import Foundation
import ToastCore
import ToastStore

/// `toastd store`: looks a database through, and copies it; both also while a server works with it.
struct StoreCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Check a store, or make a backup of it; also while a server runs.",
        subcommands: [Check.self, MakeBackup.self]
    )

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Look a store through from end to end.",
            discussion: "Exit status: 0 sound, 1 faults were found, 2 it could not be looked at."
        )

        @Option(help: "The store, as sqlite:PATH. (TOASTD_STORE, default sqlite:data/toastd.db)")
        var store = StoreCommands.standardStore

        func run() async throws {
            let path = try StoreCommands.path(of: self.store)
            let inspection: Inspection
            do throws(StoreError) { inspection = try Inspection(path: path) } catch {
                throw StoreCommands.end("\(path) could not be looked at. \(error)", status: 2)
            }
            guard !inspection.faults.isEmpty else {
                try Terminal.print("\(path) is sound: \(inspection.contents).")
                return
            }
            try Terminal.print("\(path) has faults:")
            for fault in inspection.faults { try Terminal.print("- \(fault)") }
            if inspection.faults.count == Inspection.limit { try Terminal.print("… and perhaps more.") }
            try Terminal.print(StoreRefusal.wayOut(of: path))
            throw ExitCode(1)
        }
    }

    struct MakeBackup: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "backup",
            abstract: "Write a copy of a store, as it is at one moment, to a file.",
            discussion: """
                The file is checked, and is there whole or not at all. Until then it is FILE.partial; one that is left behind by \
                kill -9 can be removed, and the next backup to FILE overwrites it. Exit status: 0 done, 1 not.
                """
        )

        @Argument(help: "The file to write.")
        var file: String

        @Option(help: "The store, as sqlite:PATH. (TOASTD_STORE, default sqlite:data/toastd.db)")
        var store = StoreCommands.standardStore

        @Flag(help: "Replace the file if it is there.")
        var force = false

        func run() async throws {
            let path = try StoreCommands.path(of: self.store)
            let copy: Inspection
            let interrupts = Interrupts { [file] number in
                Backup.abandon(file)
                SystemCalls.endAtOnce(status: 128 + number)
            }
            defer { interrupts.stop() }
            do throws(StoreError) {
                copy = try Backup.write(path, to: self.file, replaces: self.force)
            } catch {
                throw StoreCommands.end("There is no backup. \(error)", status: 1)
            }
            try Terminal.print("\(self.file) is a sound copy of \(path): \(copy.contents).")
        }
    }

    static var standardStore: String {
        ProcessInfo.processInfo.environment["TOASTD_STORE"] ?? "sqlite:data/toastd.db"
    }

    private static func path(of store: String) throws -> String {
        guard case .sqlite(let path)? = ServerSettings.Store(store) else {
            throw Self.end("\(store) is no store with a file: expected sqlite:PATH", status: 2)
        }
        return path
    }

    /// Says on standard error why the command ends.
    private static func end(_ reason: String, status: Int32) -> ExitCode {
        try? FileHandle.standardError.write(contentsOf: Data("Error: \(reason)\n".utf8))
        return ExitCode(status)
    }
}

extension Inspection {
    /// What was found, for people.
    fileprivate var contents: String {
        let size = Double(self.size) / 1_048_576
        return "\(self.channels) channels, \(self.events) events, \(self.deliveries) deliveries waiting, "
            + String(format: "%.1f MiB", size)
    }
}
