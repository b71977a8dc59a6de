import Configuration
import InternetAddresses
import Logging
import MicroHTTP
import SystemPackage
import ToastCore
import ToastServer
import ToastStore

/// How a server runs: from the command line, else the environment, else a file, else the default.
///
/// | flag | environment | file | default |
/// |---|---|---|---|
/// | `--listen HOST:PORT` | `TOASTD_LISTEN` | `listen` | `127.0.0.1:8080`; port 0 picks one |
/// | `--store STORE` | `TOASTD_STORE` | `store` | `sqlite:data/toastd.db`; or `memory` |
/// | `--loops N` | `TOASTD_LOOPS` | `loops` | as many as there are cores |
/// | `--public DIR` | `TOASTD_PUBLIC` | `public` | `public` |
/// | `--styles DIR` | `TOASTD_STYLES` | `styles` | none |
/// | `--catalogs DIR` | `TOASTD_CATALOGS` | `catalogs` | none |
/// | `--language LANGUAGE` | `TOASTD_LANGUAGE` | `language` | `en` |
/// | `--request-timeout SECONDS` | `TOASTD_REQUEST_TIMEOUT` | `requestTimeout` | 20 |
/// | `--idle-timeout SECONDS` | `TOASTD_IDLE_TIMEOUT` | `idleTimeout` | 60 |
/// | `--stall-timeout SECONDS` | `TOASTD_STALL_TIMEOUT` | `stallTimeout` | 30 |
/// | `--comment-interval SECONDS` | `TOASTD_COMMENT_INTERVAL` | `commentInterval` | 15 |
/// | `--ping-interval SECONDS` | `TOASTD_PING_INTERVAL` | `pingInterval` | 25 |
/// | `--stream-age SECONDS` | `TOASTD_STREAM_AGE` | `streamAge` | 0: streams live as long as they like |
/// | `--drain-delay SECONDS` | `TOASTD_DRAIN_DELAY` | `drainDelay` | 0 |
/// | `--access FILE` | `TOASTD_ACCESS` | `access` | none: see ``AccessRules`` |
/// | `--allow-anonymous SCOPES` | `TOASTD_ALLOW_ANONYMOUS` | `allowAnonymous` | see ``AccessRules`` |
/// | `--trusted-proxies BLOCKS` | `TOASTD_TRUSTED_PROXIES` | `trustedProxies` | none |
/// | `--log-level LEVEL` | `TOASTD_LOG_LEVEL` | `logLevel` | `info` |
/// | `--log-format FORMAT` | `TOASTD_LOG_FORMAT` | `logFormat` | `text`; or `json` |
/// | `--access-log on\|off` | `TOASTD_ACCESS_LOG` | `accessLog` | `on` |
/// | `--webhook-allow BLOCK,BLOCK` | `TOASTD_WEBHOOK_ALLOW` | `webhookAllow` | none: public addresses only |
/// | `--webhook-retry-seconds SECONDS` | `TOASTD_WEBHOOK_RETRY_SECONDS` | `webhookRetrySeconds` | 5 |
/// | `--config FILE` | `TOASTD_CONFIG` | | none |
struct ServerSettings: Sendable {
    enum Store: Equatable, Sendable {
        case memory
        case sqlite(path: String)

        init?(_ text: String) {
            if text == "memory" {
                self = .memory
            } else if text.hasPrefix("sqlite:"), text.count > "sqlite:".count {
                self = .sqlite(path: String(text.dropFirst("sqlite:".count)))
            } else {
                return nil
            }
        }
    }

    let address: Address
    let store: Store
    let loops: Int
    let publicDirectory: String
    let styleDirectory: String?
    let catalogDirectory: String?
    let language: LanguageTag
    let logLevel: Logger.Level
    let logFormat: LogFormat
    /// Whether each request gets a line.
    let logsAccess: Bool
    let access: AccessRules
    /// Where webhooks may lead beside the public internet.
    let webhookAllow: [AddressBlock]
    /// How long the first pause behind a failed delivery is, in seconds.
    let webhookRetrySeconds: Double

    /// All of these in seconds.
    let requestTimeout: Int
    let idleTimeout: Int
    let stallTimeout: Int
    let commentInterval: Int
    let pingInterval: Int
    let streamAge: Int
    let drainDelay: Int

    /// The most loops that make sense to ask for.
    private static let loopRange = 1...256

    init(_ flags: [AbsoluteConfigKey: ConfigValue], cores: Int) async throws {
        let environment = EnvironmentVariablesProvider().prefixKeys(with: "toastd")
        let own = ConfigReader(providers: [InMemoryProvider(values: flags), environment])
        var providers: [any ConfigProvider] = [InMemoryProvider(values: flags), environment]
        if let file = own.string(forKey: "config") {
            providers.append(try await FileProvider<JSONSnapshot>(filePath: FilePath(file)))
        }
        let config = ConfigReader(providers: providers)

        self.address = try Self.read(config, "listen", "127.0.0.1:8080", "HOST:PORT") { Address($0) }
        self.store = try Self.read(config, "store", "sqlite:data/toastd.db", "memory or sqlite:PATH") { Store($0) }
        self.loops = try Self.number(config, "loops", cores, in: Self.loopRange)
        self.requestTimeout = try Self.number(config, "requestTimeout", 20, in: 1...3600)
        self.idleTimeout = try Self.number(config, "idleTimeout", 60, in: 1...3600)
        self.stallTimeout = try Self.number(config, "stallTimeout", 30, in: 1...3600)
        self.commentInterval = try Self.number(config, "commentInterval", 15, in: 1...3600)
        self.pingInterval = try Self.number(config, "pingInterval", 25, in: 1...3600)
        self.streamAge = try Self.number(config, "streamAge", 0, in: 0...86_400)
        self.drainDelay = try Self.number(config, "drainDelay", 0, in: 0...15)
        self.publicDirectory = config.string(forKey: "public", default: "public")
        self.styleDirectory = config.string(forKey: "styles")
        self.catalogDirectory = config.string(forKey: "catalogs")
        self.language = try Self.read(config, "language", "en", "a language, as de, pt-BR or zh-Hant") { text in
            LanguageTag(rawValue: text)
        }
        let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
        self.logLevel = try Self.read(config, "logLevel", "info", levels) { Logger.Level(rawValue: $0) }
        self.logFormat = try Self.read(config, "logFormat", "text", "text or json") { LogFormat(rawValue: $0) }
        self.logsAccess = try Self.read(config, "accessLog", "on", "on or off") { ["on": true, "off": false][$0] }
        self.webhookAllow = try Self.read(config, "webhookAllow", "", "addresses as 10.0.0.0/8,::1") { text in
            let parts = text.split(separator: ",").map { $0.filter { $0 != " " } }
            let blocks = parts.compactMap { AddressBlock($0) }
            return blocks.count == parts.count ? blocks : nil
        }
        // A file may hold a number as a number, with a fraction or without.
        let seconds = config.double(forKey: "webhookRetrySeconds").map { String($0) } ?? "5"
        let expected = "a number above 0, at most 3600"
        self.webhookRetrySeconds = try Self.read(config, "webhookRetrySeconds", seconds, expected) {
            Double($0).flatMap { $0 > 0 && $0 <= 3600 ? $0 : nil }
        }
        self.access = try AccessRules(config, listeningOn: self.address)
    }

    private static func read<Value>(
        _ config: ConfigReader,
        _ key: ConfigKey,
        _ standard: String,
        _ expected: String,
        _ parse: (String) -> Value?
    ) throws(SettingsError) -> Value {
        guard let value = parse(config.string(forKey: key, default: standard)) else {
            throw SettingsError(key: key.description, expected: expected)
        }
        return value
    }

    private static func number(
        _ config: ConfigReader,
        _ key: ConfigKey,
        _ standard: Int,
        in range: ClosedRange<Int>
    ) throws(SettingsError) -> Int {
        // A file may hold a number as a number; what is no number is there as text, and an error.
        let number = config.int(forKey: key)
        let isThere = number != nil || config.string(forKey: key) != nil
        guard let value = number ?? (isThere ? nil : standard), range.contains(value) else {
            let expected = "a number from \(range.lowerBound) to \(range.upperBound)"
            throw SettingsError(key: key.description, expected: expected)
        }
        return value
    }
}

/// A setting that makes no sense.
struct SettingsError: Error, CustomStringConvertible {
    let key: String
    let expected: String

    var description: String { "\(self.key): expected \(self.expected)" }
}
