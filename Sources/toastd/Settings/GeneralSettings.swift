import Foundation
import InternetAddresses
import Logging
import MicroHTTP
import ToastAccess
import ToastCore
import ToastHub
import ToastServer
import ToastStore

/// The settings that are neither limits nor in ``ClusterSettings``: each property declares one, see ``SettingsTable``.
struct GeneralSettings: SettingsTable {
    static let table = Self()

    let listen = Setting("127.0.0.1:8080", "Where to listen, as HOST:PORT; port 0 picks one.", expecting: "HOST:PORT") {
        Address($0)
    }
    let store = Setting(
        "sqlite:data/toastd.db",
        "Where to keep toasts: memory, sqlite:PATH or nats://HOST:PORT,….",
        expecting: "memory, sqlite:PATH, or nats://HOST:PORT,HOST:PORT with ?prefix=NAME if wanted"
    ) { ServerSettings.Store($0) }
    let durability = Setting(
        "process",
        "What stored toasts survive: process or power.",
        expecting: "process or power"
    ) { ["process": SQLiteStore.Durability.process, "power": .power][$0] }
    let loops = Setting(
        ProcessInfo.processInfo.activeProcessorCount,
        "one for each core",
        in: 1...256,
        "How many event loops to run."
    )
    let `public` = Setting(
        "The directory of the viewer's files.",
        expecting: "a directory",
        shownDefault: "public, else what this program came with",
        standard: { _ in (Self.installedPages, Self.installedPages) },
        parse: { $0.isEmpty ? nil : $0 }
    )
    let publicInterval = Setting(1, in: 1...86_400, "Seconds between checks of these files for changes.")
    let styles = Setting(path: "A directory of your own styles, each a NAME.css.")
    let catalogs = Setting(path: "A directory of texts: de.json, de.strings, de.lproj, *.xcstrings.")
    let language = Setting(
        "en",
        "The language of events, and of readers without another preference.",
        expecting: "a language, as de, pt-BR or zh-Hant"
    ) { LanguageTag(rawValue: $0) }
    let settings = Setting(path: "A file of default settings for channels: JSON or plist.")
    let requestTimeout = Setting(20, in: 1...3600, "Seconds in which a request must arrive.")
    let idleTimeout = Setting(60, in: 1...3600, "Seconds that a connection may be idle, or take to read an answer.")
    let stallTimeout = Setting(
        StreamLimits(count: 0).stallTimeout,
        in: 1...3600,
        "Seconds that a stream's peer may read nothing while data waits."
    )
    let commentInterval =
        Setting(StreamLimits(count: 0).commentInterval, in: 1...3600, "Seconds between comments on an event stream.")
    let pingInterval =
        Setting(StreamLimits(count: 0).pingInterval, in: 1...3600, "Seconds between pings on a WebSocket.")
    let streamAge = Setting(0, in: 0...86_400, "Seconds after which a stream must reconnect; 0 for never.")
    let drainDelay = Setting(0, in: 0...15, "Seconds to keep serving, not ready, after a signal to stop.")
    let access = Setting(path: "The access file, with keys and permissions; `toastd key create` makes one.")
    let allowAnonymous = Setting(
        "Scopes of requests without a key: publish,subscribe,respond,manage.",
        expecting: "publish, subscribe, respond, manage, with commas",
        shownDefault: "",
        standard: { settings in
            let scopes = settings.access == nil ? Scope.allCases : []
            return (Set(scopes), scopes.map(\.rawValue).joined(separator: ","))
        },
        parse: { text in Self.list(text) { Scope(rawValue: $0) }.map { Set($0) } }
    )
    let trustedProxies = Setting(
        "",
        "Proxies whose X-Forwarded-For is trusted, as 10.0.0.0/8,::1.",
        expecting: "addresses or blocks such as 10.0.0.0/8, with commas"
    ) { text in Self.list(text) { AddressBlock($0) }.map { TrustedProxies($0) } }
    let allowOrigin = Setting(
        "",
        "Other origins whose pages may use the API, as https://app.example.",
        expecting: "origins as https://app.example, with commas; * would let every web page use the API"
    ) { AllowedOrigins($0) }
    let frameAncestors = Setting(
        "none",
        "Origins whose pages may frame the viewer: none, self, origins.",
        expecting: "none, or self and origins, with commas"
    ) { FrameAncestors($0) }
    let logLevel = Setting(
        "info",
        "What to log: trace, debug, info, notice, warning, error, critical.",
        expecting: Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
    ) { Logger.Level(rawValue: $0) }
    let logFormat = Setting("text", "The format of the log: text or json.", expecting: "text or json") {
        LogFormat(rawValue: $0)
    }
    let accessLog = Self.onOrOff("on", "Whether to log each request: on or off.")
    let ntfy = Self.onOrOff("off", "Whether ntfy's clients can publish and subscribe, at /TOPIC: on or off.")
    let gotify = Self.onOrOff("off", "Whether Gotify's clients can publish, at /gotify/CHANNEL: on or off.")
    let mercureKeyFile = Setting(path: "A file with the secret of Mercure's publishers, for /.well-known/mercure.")
    let webhookAllow = Setting(
        "",
        "Addresses that webhooks may reach besides public ones, as 10.0.0.0/8,::1.",
        expecting: "addresses as 10.0.0.0/8,::1"
    ) { text in Self.list(text) { AddressBlock($0) } }
    let webhookRetrySeconds = Setting(
        "5",
        "Seconds before the first retry of a webhook; later pauses grow.",
        expecting: "a number above 0, at most 3600"
    ) { text -> Double? in
        // `Double` would also read `+5` and `0x5`.
        guard text.utf8.allSatisfy(Self.decimalCharacters.contains), let number = Double(text) else { return nil }
        return number > 0 && number <= 3600 ? number : nil
    }

    /// The default directory of the viewer's files: that of the current directory, else the one installed with this
    /// program (`PREFIX/bin/toastd`, `PREFIX/share/toastd/public`).
    private static let installedPages: String = {
        let files = FileManager.default
        let installed = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("share/toastd/public").path
        guard !files.fileExists(atPath: "public/index.html"), let installed, files.fileExists(atPath: installed) else {
            return "public"
        }
        return installed
    }()

    /// The characters of a number as a file of settings has it, such as `2.5` or `5e-2`.
    private static let decimalCharacters = ASCIISet("0123456789.eE-")

    private static func onOrOff(_ standard: String, _ help: String) -> Setting<Bool> {
        Setting(standard, help, expecting: "on or off") { ["on": true, "off": false][$0] }
    }

    /// The elements of a comma-separated list; nil when one is invalid.
    private static func list<Element>(_ text: String, of element: (String) -> Element?) -> [Element]? {
        let words = text.split(separator: ",").map { $0.filter { !$0.isWhitespace } }
        let elements = words.compactMap(element)
        return elements.count == words.count ? elements : nil
    }
}
