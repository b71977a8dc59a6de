import Foundation
import InternetAddresses
import Logging
import MicroHTTP
import ToastAccess
import ToastCore
import ToastServer
import ToastStore

/// The settings of the server that are no limits: a property declares one, see ``SettingsTable``.
struct GeneralSettings: SettingsTable {
    static let table = Self()

    let listen = Setting("127.0.0.1:8080", "Where to listen, as HOST:PORT; port 0 picks one.", expecting: "HOST:PORT") {
        Address($0)
    }
    let store = Setting(
        "sqlite:data/toastd.db",
        "Where to keep toasts: memory or sqlite:PATH.",
        expecting: "memory or sqlite:PATH"
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
    let publicInterval = Setting(1, in: 1...86_400, "Seconds from one look for edits of these files to the next.")
    let styles = Setting(path: "A directory of styles of your own, each a NAME.css.")
    let catalogs = Setting(path: "A directory of texts: de.json, de.strings, de.lproj, *.xcstrings.")
    let language = Setting(
        "en",
        "The language of events, and of readers who want no other.",
        expecting: "a language, as de, pt-BR or zh-Hant"
    ) { LanguageTag(rawValue: $0) }
    let settings = Setting(path: "A file of settings for all channels that say nothing themselves: JSON or plist.")
    let requestTimeout = Setting(20, in: 1...3600, "Seconds that a request may take to come.")
    let idleTimeout = Setting(60, in: 1...3600, "Seconds a connection may wait, or its peer read an answer.")
    let stallTimeout = Setting(30, in: 1...3600, "Seconds that a stream's peer may read nothing of what waits.")
    let commentInterval = Setting(15, in: 1...3600, "Seconds from one comment of an event stream to the next.")
    let pingInterval = Setting(25, in: 1...3600, "Seconds from one ping of a WebSocket to the next.")
    let streamAge = Setting(0, in: 0...86_400, "Seconds that a stream lives before it has to come back; 0: no end.")
    let drainDelay = Setting(0, in: 0...15, "Seconds to go on serving, not ready, when told to stop.")
    let access = Setting(path: "A file that says who may do what; `toastd key create` makes one.")
    let allowAnonymous = Setting(
        "What those may do who show no key: publish,subscribe,respond,manage.",
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
        "Proxies whose X-Forwarded-For counts, as 10.0.0.0/8,::1.",
        expecting: "addresses or blocks such as 10.0.0.0/8, with commas"
    ) { text in Self.list(text) { AddressBlock($0) }.map { TrustedProxies($0) } }
    let allowOrigin = Setting(
        "",
        "Pages of other origins that may use the API, as https://app.example.",
        expecting: "origins as https://app.example, with commas; * would open the server to every page that anybody "
            + "in reach of it looks at"
    ) { AllowedOrigins($0) }
    let frameAncestors = Setting(
        "none",
        "Whose pages may frame the viewer: none, self, origins.",
        expecting: "none, or self and origins, with commas"
    ) { FrameAncestors($0) }
    let logLevel = Setting(
        "info",
        "What to log: trace, debug, info, notice, warning, error.",
        expecting: Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
    ) { Logger.Level(rawValue: $0) }
    let logFormat = Setting("text", "How lines of the log look: text or json.", expecting: "text or json") {
        LogFormat(rawValue: $0)
    }
    let accessLog = Setting("on", "Whether each request gets a line: on or off.", expecting: "on or off") {
        ["on": true, "off": false][$0]
    }
    let webhookAllow = Setting(
        "",
        "Addresses that webhooks may lead to beside public ones, as 10.0.0.0/8,::1.",
        expecting: "addresses as 10.0.0.0/8,::1"
    ) { text in Self.list(text) { AddressBlock($0) } }
    let webhookRetrySeconds = Setting(
        "5",
        "The first pause behind a failed webhook; later ones grow.",
        expecting: "a number above 0, at most 3600",
        flagType: Double.self
    ) { Double($0).flatMap { $0 > 0 && $0 <= 3600 ? $0 : nil } }

    /// The viewer's files by default: those of the current directory, else those that were installed with this program
    /// (`PREFIX/bin/toastd`, `PREFIX/share/toastd/public`).
    private static var installedPages: String {
        let files = FileManager.default
        let installed = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("share/toastd/public").path
        guard !files.fileExists(atPath: "public/index.html"), let installed, files.fileExists(atPath: installed) else {
            return "public"
        }
        return installed
    }

    /// The elements of a list with commas; nil when one of them is not valid.
    private static func list<Element>(_ text: String, of element: (String) -> Element?) -> [Element]? {
        let words = text.split(separator: ",").map { $0.filter { !$0.isWhitespace } }
        let elements = words.compactMap(element)
        return elements.count == words.count ? elements : nil
    }
}
