import ArgumentParser

/// The command line: `toastd serve` when nothing else is named.
@main
struct Toastd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "toastd",
        abstract: "A service for toasts: backends post them, and every screen shows the same one at the same moment.",
        version: ToastService.version,
        subcommands: [
            Serve.self, Send.self, Ask.self, Watch.self, Key.self, Token.self, StoreCommands.self, CheckConfig.self,
            Healthcheck.self,
        ],
        defaultSubcommand: Serve.self
    )
}
