import ArgumentParser
import Foundation
import ToastClient
import ToastCore

/// `toastd check-config`: checks and prints the settings that `serve` would use.
struct CheckConfig: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the settings that the server would use and their sources, or what is wrong with them.",
        usage: "toastd check-config [<options of serve>] [--output <output>]",
        discussion: """
            toastd check-config --config /etc/toastd.json

            Reads what `toastd serve` reads: flags, the environment, the file of settings, the access file, the viewer's \
            files, styles and catalogs. It reads the store, changes nothing in it and does not listen, so a server \
            may run meanwhile.
            Faults are printed on standard error, and every setting with its source on standard output.
            Exit status: 0 the server would start with it, 1 something is wrong, 64 invalid arguments.
            """
    )

    @OptionGroup(title: "Settings")
    var settings: ServeOptions

    @Option(name: .shortAndLong, help: "What to print: text or json.")
    var output = OutputFormat.text

    @Flag(help: ArgumentHelp("Print the tables of settings, for scripts/settings.", visibility: .hidden))
    var tables = false

    func run() async throws {
        guard !self.tables else {
            try Terminal.print(Self.tables.printed)
            return
        }
        var report = ConfigurationReport()
        do {
            var reader = try SettingsReader(self.settings.flags)
            let settings = ServerSettings(&reader)
            report = await ConfigurationReport(reader, settings)
        } catch {
            // Without the file, the settings are unknown.
            report.faults.append("\(error)")
        }
        switch self.output {
        case .json: try Terminal.print(report.json.printed)
        case .text:
            for warning in report.warnings { Terminal.tell("Warning: \(warning.printable)") }
            for fault in report.faults { Terminal.tell("Error: \(fault.printable)") }
            for line in report.lines { try Terminal.print(line) }
        }
        guard report.faults.isEmpty else { throw ExitCode.failure }
    }

    private static var tables: JSON {
        func json(_ rows: [(name: String, setting: any AnySetting)]) -> JSON {
            .array(
                rows.map { name, setting in
                    [
                        "name": .string(name), "flag": .string(SettingName.flag(name)),
                        "variable": .string(SettingName.variable(name)), "help": .string(setting.help),
                        "default": .string(setting.shownDefault), "values": .string(setting.expected),
                    ]
                }
            )
        }
        return ["general": json(GeneralSettings.rows + ClusterSettings.rows), "limits": json(LimitSettings.rows)]
    }
}
