import ArgumentParser
import Foundation
import Glibc
import ToastCore
import ToastStore

/// `toastd store`: checks, backs up and copies stores.
struct StoreCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "store",
        abstract: "Check a store, make a backup of it, or copy it to a cluster and back.",
        subcommands: [Check.self, MakeBackup.self, Copy.self]
    )

    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check a complete store.",
            discussion: "Exit status: 0 sound, 1 faults were found, 2 the store could not be read."
        )

        @OptionGroup
        var store: StoreOption

        func run() async throws {
            let path = try self.store.path
            let inspection: Inspection
            do throws(StoreError) { inspection = try Inspection(path: path) } catch {
                throw Terminal.fail(["\(path) could not be checked. \(error)"], ExitCode(2))
            }
            guard !inspection.faults.isEmpty else {
                try Terminal.print("\(path) is sound: \(inspection.contents).")
                return
            }
            try Terminal.print("\(path) has faults:")
            for fault in inspection.faults { try Terminal.print("- \(fault)") }
            if inspection.faults.count == Inspection.limit { try Terminal.print("… and perhaps more.") }
            try Terminal.print(StartError.recovery(of: path))
            throw ExitCode(1)
        }
    }

    struct MakeBackup: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "backup",
            abstract: "Write a consistent copy of a store to a file.",
            discussion: """
                The file is checked; it is complete or does not exist. Until it is complete it is FILE.partial. One that \
                kill -9 left behind can be removed, and the next backup to FILE overwrites it. Exit status: 0 done, 1 failed.
                """
        )

        @Argument(help: "The file to write.")
        var file: String

        @OptionGroup
        var store: StoreOption

        @Flag(help: "Replace an existing file.")
        var force = false

        func run() async throws {
            let path = try self.store.path
            guard self.file != "-", ServerSettings.Store(self.file) == nil else {
                throw Terminal.fail("\(self.file): expected the path of a file.")
            }
            let copy: Inspection
            let interrupts = Interrupts { [file] number in
                Backup.abandon(file)
                _exit(128 + number)
            }
            defer { interrupts.stop() }
            do throws(StoreError) {
                copy = try Backup.write(path, to: self.file, replaces: self.force)
            } catch {
                throw Terminal.fail(["There is no backup. \(error)"], .failure)
            }
            try Terminal.print("\(self.file) is a sound copy of \(path): \(copy.contents).")
        }
    }
}

/// The option of the commands for a store in a file.
struct StoreOption: ParsableArguments {
    @Option(help: "The store, as sqlite:PATH. (\(GeneralSettings.origin(of: \.store)))")
    var store = GeneralSettings.text(of: \.store)

    var path: String {
        get throws {
            guard case .sqlite(let path)? = ServerSettings.Store(self.store) else {
                throw Terminal.fail(["\(self.store) is no store with a file: expected sqlite:PATH"], ExitCode(2))
            }
            return path
        }
    }
}

extension Inspection {
    /// A summary for people.
    fileprivate var contents: String {
        let size = Double(self.size) / 1_048_576
        return "\(self.channels) channels, \(self.events) events, \(self.deliveries) deliveries waiting, "
            + String(format: "%.1f MiB", size)
    }
}
