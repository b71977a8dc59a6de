import Configuration
import Foundation
import InternetAddresses
import Logging
import MicroHTTP
import ToastCore
import ToastServer
import ToastStore

/// How a server runs: from the command line, else the environment, else a file, else the default.
///
/// | flag | environment | file | default |
/// |---|---|---|---|
/// | `--listen HOST:PORT` | `TOASTD_LISTEN` | `listen` | `127.0.0.1:8080`; port 0 picks one |
/// | `--store STORE` | `TOASTD_STORE` | `store` | `sqlite:data/toastd.db`; or `memory` |
/// | `--durability LEVEL` | `TOASTD_DURABILITY` | `durability` | `process`; or `power` |
/// | `--loops N` | `TOASTD_LOOPS` | `loops` | as many as there are cores |
/// | `--public DIR` | `TOASTD_PUBLIC` | `public` | `public`, else what was installed with the program |
/// | `--styles DIR` | `TOASTD_STYLES` | `styles` | none |
/// | `--catalogs DIR` | `TOASTD_CATALOGS` | `catalogs` | none |
/// | `--language LANGUAGE` | `TOASTD_LANGUAGE` | `language` | `en` |
/// | `--settings FILE` | `TOASTD_SETTINGS` | `settings` | none |
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
/// | `--allow-origin ORIGINS` | `TOASTD_ALLOW_ORIGIN` | `allowOrigin` | none but its own |
/// | `--frame-ancestors SOURCES` | `TOASTD_FRAME_ANCESTORS` | `frameAncestors` | `none` |
/// | `--log-level LEVEL` | `TOASTD_LOG_LEVEL` | `logLevel` | `info` |
/// | `--log-format FORMAT` | `TOASTD_LOG_FORMAT` | `logFormat` | `text`; or `json` |
/// | `--access-log on\|off` | `TOASTD_ACCESS_LOG` | `accessLog` | `on` |
/// | `--webhook-allow BLOCK,BLOCK` | `TOASTD_WEBHOOK_ALLOW` | `webhookAllow` | none: public addresses only |
/// | `--webhook-retry-seconds SECONDS` | `TOASTD_WEBHOOK_RETRY_SECONDS` | `webhookRetrySeconds` | 5 |
/// | `--config FILE` | `TOASTD_CONFIG` | | none |
///
/// ``LimitSettings`` has those of limits.
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
    /// What a commit to a database survives.
    let durability: SQLiteStore.Durability
    let loops: Int
    let publicDirectory: String
    let styleDirectory: String?
    let catalogDirectory: String?
    let language: LanguageTag
    /// The defaults for the settings of channels.
    let settingsFile: String?
    let logLevel: Logger.Level
    let logFormat: LogFormat
    /// Whether each request gets a line.
    let logsAccess: Bool
    let access: AccessRules
    let limits: LimitSettings
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

    /// When the kernel ends a connection whose peer takes nothing, in seconds.
    ///
    /// It counts a peer that is there and does not read like one that vanished, so it must not be before us.
    var peerTimeout: Int { max(30, self.stallTimeout + 5) }
    let drainDelay: Int

    /// The most loops that make sense to ask for.
    private static let loopRange = 1...256

    /// The settings that flags, the environment and a file give.
    ///
    /// - Throws: Everything that makes no sense, or that the file cannot be read.
    init(_ flags: [AbsoluteConfigKey: ConfigValue], cores: Int) async throws {
        var reader = try await SettingsReader(flags)
        self.init(&reader, cores: cores)
        let faults = reader.faults.map(\.description) + reader.strangeMembers
        guard faults.isEmpty else { throw SettingsErrors(faults: faults) }
    }

    /// The viewer's files unless somebody says otherwise: those of the current directory, else those that were installed
    /// with this program (`PREFIX/bin/toastd`, `PREFIX/share/toastd/public`).
    private static var standardPages: String {
        let files = FileManager.default
        let installed = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("share/toastd/public").path
        guard !files.fileExists(atPath: "public/index.html"), let installed, files.fileExists(atPath: installed) else {
            return "public"
        }
        return installed
    }

    /// The settings of a reader, which remembers what makes no sense; the defaults stand for that.
    init(_ reader: inout SettingsReader, cores: Int) {
        let home = Address(host: "127.0.0.1", port: 8080)
        self.address = reader.read("listen", home, as: home.description, "HOST:PORT") { Address($0) }
        let path = "data/toastd.db"
        self.store = reader.read("store", .sqlite(path: path), as: "sqlite:\(path)", "memory or sqlite:PATH") {
            Store($0)
        }
        self.durability = reader.read("durability", .process, as: "process", "process or power") {
            ["process": .process, "power": .power][$0]
        }
        self.loops = reader.number("loops", cores, in: Self.loopRange)
        self.requestTimeout = reader.number("requestTimeout", 20, in: 1...3600)
        self.idleTimeout = reader.number("idleTimeout", 60, in: 1...3600)
        self.stallTimeout = reader.number("stallTimeout", 30, in: 1...3600)
        self.commentInterval = reader.number("commentInterval", 15, in: 1...3600)
        self.pingInterval = reader.number("pingInterval", 25, in: 1...3600)
        self.streamAge = reader.number("streamAge", 0, in: 0...86_400)
        self.drainDelay = reader.number("drainDelay", 0, in: 0...15)
        let pages = Self.standardPages
        self.publicDirectory = reader.read("public", pages, as: pages, "a directory") { $0.isEmpty ? nil : $0 }
        self.styleDirectory = reader.text("styles")
        self.catalogDirectory = reader.text("catalogs")
        self.language = reader.read("language", .english, as: "en", "a language, as de, pt-BR or zh-Hant") { text in
            LanguageTag(rawValue: text)
        }
        self.settingsFile = reader.text("settings")
        let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
        self.logLevel = reader.read("logLevel", .info, as: "info", levels) { Logger.Level(rawValue: $0) }
        self.logFormat = reader.read("logFormat", .text, as: "text", "text or json") { LogFormat(rawValue: $0) }
        self.logsAccess = reader.read("accessLog", true, as: "on", "on or off") { ["on": true, "off": false][$0] }
        self.webhookAllow = reader.read("webhookAllow", [], as: "", "addresses as 10.0.0.0/8,::1") { text in
            let parts = text.split(separator: ",").map { $0.filter { $0 != " " } }
            let blocks = parts.compactMap { AddressBlock($0) }
            return blocks.count == parts.count ? blocks : nil
        }
        let expected = "a number above 0, at most 3600"
        self.webhookRetrySeconds = reader.read("webhookRetrySeconds", 5, as: "5", expected) {
            Double($0).flatMap { $0 > 0 && $0 <= 3600 ? $0 : nil }
        }
        self.access = AccessRules(&reader, listeningOn: self.address)
        self.limits = LimitSettings(&reader)
    }
}
