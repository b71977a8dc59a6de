import ArgumentParser
import Configuration
import Foundation
import Logging
import MicroHTTP
import ServiceLifecycle
import ToastServer
import ToastStore
import UnixSignals

/// `toastd serve`: the service itself, until SIGTERM or SIGINT.
struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Serve the API and the viewer.")

    @Option(help: "Where to listen, as HOST:PORT; port 0 picks one. (TOASTD_LISTEN, default 127.0.0.1:8080)")
    var listen: String?

    @Option(help: "Where to keep toasts: memory or sqlite:PATH. (TOASTD_STORE, default sqlite:data/toastd.db)")
    var store: String?

    @Option(help: "How many event loops to run. (TOASTD_LOOPS, default one for each core)")
    var loops: Int?

    @Option(help: "The directory of the viewer's files. (TOASTD_PUBLIC, default public)")
    var `public`: String?

    @Option(help: "A file that says who may do what; `toastd key create` makes one. (TOASTD_ACCESS)")
    var access: String?

    @Option(help: "What those may do who show no key: publish,subscribe,respond,manage. (TOASTD_ALLOW_ANONYMOUS)")
    var allowAnonymous: String?

    @Option(help: "Proxies whose X-Forwarded-For counts, as 10.0.0.0/8,::1. (TOASTD_TRUSTED_PROXIES)")
    var trustedProxies: String?

    @Option(help: "What to log: trace, debug, info, notice, warning, error. (TOASTD_LOG_LEVEL, default info)")
    var logLevel: String?

    @Option(help: "A JSON file with any of these settings. (TOASTD_CONFIG)")
    var config: String?

    func run() async throws {
        let settings = try await ServerSettings(self.flags, cores: ProcessInfo.processInfo.activeProcessorCount)
        LoggingSystem.bootstrap(StreamLogHandler.standardError)
        var logger = Logger(label: "toastd")
        guard let level = Logger.Level(rawValue: settings.logLevel) else {
            throw SettingsError(key: "logLevel", expected: "trace, debug, info, notice, warning or error")
        }
        logger.logLevel = level
        let service = try await ToastService(settings, logger)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: service)],
                gracefulShutdownSignals: [.sigterm, .sigint],
                logger: logger
            )
        )
        try await group.run()
    }

    private var flags: [AbsoluteConfigKey: ConfigValue] {
        var flags: [AbsoluteConfigKey: ConfigValue] = [:]
        func add(_ key: AbsoluteConfigKey, _ value: String?) {
            guard let value else { return }
            flags[key] = ConfigValue(.string(value), isSecret: false)
        }
        add("listen", self.listen)
        add("store", self.store)
        add("public", self.public)
        add("access", self.access)
        add("allowAnonymous", self.allowAnonymous)
        add("trustedProxies", self.trustedProxies)
        add("logLevel", self.logLevel)
        add("config", self.config)
        if let loops = self.loops { flags["loops"] = ConfigValue(.int(loops), isSecret: false) }
        return flags
    }
}
