import ArgumentParser
import Configuration

/// How a server is to run, as the command line says it.
struct ServeOptions: ParsableArguments {
    @Option(help: "Where to listen, as HOST:PORT; port 0 picks one. (TOASTD_LISTEN, default 127.0.0.1:8080)")
    var listen: String?

    @Option(help: "Where to keep toasts: memory or sqlite:PATH. (TOASTD_STORE, default sqlite:data/toastd.db)")
    var store: String?

    @Option(help: "What stored toasts survive: process or power. (TOASTD_DURABILITY, default process)")
    var durability: String?

    @Option(help: "How many event loops to run. (TOASTD_LOOPS, default one for each core)")
    var loops: Int?

    @Option(
        help: "The directory of the viewer's files. (TOASTD_PUBLIC, default public, else what this program came with)"
    )
    var `public`: String?

    @Option(help: "A directory of styles of your own, each a NAME.css. (TOASTD_STYLES)")
    var styles: String?

    @Option(help: "A directory of texts: de.json, de.strings, de.lproj, *.xcstrings. (TOASTD_CATALOGS)")
    var catalogs: String?

    @Option(help: "The language of events, and of readers who want no other. (TOASTD_LANGUAGE, default en)")
    var language: String?

    @Option(help: "A file of settings for all channels that say nothing themselves: JSON or plist. (TOASTD_SETTINGS)")
    var settings: String?

    @Option(help: "Seconds that a request may take to come. (TOASTD_REQUEST_TIMEOUT, default 20)")
    var requestTimeout: Int?

    @Option(help: "Seconds a connection may wait, or its peer read an answer. (TOASTD_IDLE_TIMEOUT, default 60)")
    var idleTimeout: Int?

    @Option(help: "Seconds that a stream's peer may read nothing of what waits. (TOASTD_STALL_TIMEOUT, default 30)")
    var stallTimeout: Int?

    @Option(help: "Seconds from one comment of an event stream to the next. (TOASTD_COMMENT_INTERVAL, default 15)")
    var commentInterval: Int?

    @Option(help: "Seconds from one ping of a WebSocket to the next. (TOASTD_PING_INTERVAL, default 25)")
    var pingInterval: Int?

    @Option(help: "Seconds that a stream lives before it has to come back; 0: no end. (TOASTD_STREAM_AGE, default 0)")
    var streamAge: Int?

    @Option(help: "Seconds to go on serving, not ready, when told to stop. (TOASTD_DRAIN_DELAY, default 0)")
    var drainDelay: Int?

    @Option(help: "A file that says who may do what; `toastd key create` makes one. (TOASTD_ACCESS)")
    var access: String?

    @Option(help: "What those may do who show no key: publish,subscribe,respond,manage. (TOASTD_ALLOW_ANONYMOUS)")
    var allowAnonymous: String?

    @Option(help: "Proxies whose X-Forwarded-For counts, as 10.0.0.0/8,::1. (TOASTD_TRUSTED_PROXIES)")
    var trustedProxies: String?

    @Option(help: "Pages of other origins that may use the API, as https://app.example. (TOASTD_ALLOW_ORIGIN)")
    var allowOrigin: String?

    @Option(help: "Whose pages may frame the viewer: none, self, origins. (TOASTD_FRAME_ANCESTORS, default none)")
    var frameAncestors: String?

    @OptionGroup(title: "Limits")
    var limits: LimitOptions

    @Option(help: "What to log: trace, debug, info, notice, warning, error. (TOASTD_LOG_LEVEL, default info)")
    var logLevel: String?

    @Option(help: "How lines of the log look: text or json. (TOASTD_LOG_FORMAT, default text)")
    var logFormat: String?

    @Option(help: "Whether each request gets a line: on or off. (TOASTD_ACCESS_LOG, default on)")
    var accessLog: String?

    @Option(help: "Addresses that webhooks may lead to beside public ones, as 10.0.0.0/8,::1. (TOASTD_WEBHOOK_ALLOW)")
    var webhookAllow: String?

    @Option(help: "The first pause behind a failed webhook; later ones grow. (TOASTD_WEBHOOK_RETRY_SECONDS, default 5)")
    var webhookRetrySeconds: Double?

    @Option(help: "A JSON file with any of these settings. (TOASTD_CONFIG)")
    var config: String?

    /// What was said, as settings.
    var flags: [AbsoluteConfigKey: ConfigValue] {
        var flags: [AbsoluteConfigKey: ConfigValue] = [:]
        func add(_ key: AbsoluteConfigKey, _ value: String?) {
            guard let value else { return }
            flags[key] = ConfigValue(.string(value), isSecret: false)
        }
        add("listen", self.listen)
        add("store", self.store)
        add("durability", self.durability)
        add("public", self.public)
        add("styles", self.styles)
        add("catalogs", self.catalogs)
        add("language", self.language)
        add("settings", self.settings)
        add("access", self.access)
        add("allowAnonymous", self.allowAnonymous)
        add("trustedProxies", self.trustedProxies)
        add("allowOrigin", self.allowOrigin)
        add("frameAncestors", self.frameAncestors)
        add("logLevel", self.logLevel)
        add("logFormat", self.logFormat)
        add("accessLog", self.accessLog)
        add("webhookAllow", self.webhookAllow)
        add("config", self.config)
        for (key, value) in self.limits.values { flags[key] = value }
        let numbers: [(AbsoluteConfigKey, Int?)] = [
            ("loops", self.loops), ("requestTimeout", self.requestTimeout), ("idleTimeout", self.idleTimeout),
            ("stallTimeout", self.stallTimeout), ("commentInterval", self.commentInterval),
            ("pingInterval", self.pingInterval), ("streamAge", self.streamAge), ("drainDelay", self.drainDelay),
        ]
        for case (let key, let number?) in numbers { flags[key] = ConfigValue(.int(number), isSecret: false) }
        if let seconds = self.webhookRetrySeconds {
            flags["webhookRetrySeconds"] = ConfigValue(.double(seconds), isSecret: false)
        }
        return flags
    }
}
