import ArgumentParser
import Foundation
import ToastClient
import ToastCore

/// `toastd check-config`: what `serve` would do with the same words, without doing it.
struct CheckConfig: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say how the server would run, and who said so; or what is wrong with its settings.",
        usage: "toastd check-config [<options of serve>] [--output <output>]",
        discussion: """
            toastd check-config --config /etc/toastd.json

            Reads what `toastd serve` reads: flags, the environment, the file of settings, the access file, the viewer's \
            files, styles and catalogs. It opens no store and listens nowhere, so a server may run meanwhile.
            What is wrong is on standard error, and every setting with who said so on standard output, as it was said.
            Exit status: 0 the server would start with it, 1 something is wrong, 64 the command makes no sense.
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
            var reader = try await SettingsReader(self.settings.flags)
            let settings = ServerSettings(&reader)
            report = await ConfigurationReport(reader, settings)
        } catch {
            // The file of settings cannot be read, so what it would say is not known.
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

    /// The settings as they are declared.
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
        return ["general": json(GeneralSettings.rows), "limits": json(LimitSettings.rows)]
    }
}
