import ToastCore
import ToastServer

/// How much there may be of everything: a property declares a limit, see ``SettingsTable``.
struct LimitSettings: SettingsTable {
    static let table = Self()

    let limitPublish = Self.rate("100/s:1000", "Toasts of one key or address, as 100/s:1000 or none.")
    let limitChange = Self.rate("50/s:500", "Other changes of one key or address.")
    let limitRead = Self.rate("100/s:1000", "Reads and new streams of one key or address.")
    let limitAttempts = Self.rate("1/min:30", "Credentials of one address that may fail.")
    let maxStreams = Setting(
        live: 0,
        "as many as there are descriptors for",
        in: 0...10_000_000,
        "The most streams."
    )
    let maxStreamsPerSource = Setting(live: 1000, in: 0...10_000_000, "The most streams from one address.")
    let maxStreamsPerChannel = Setting(live: 0, "no limit", in: 0...10_000_000, "The most streams of one channel.")
    let maxConnections = Setting(
        0,
        "as descriptors allow",
        in: 0...1_000_000,
        "The most connections that are no streams."
    )
    let maxConnectionsPerSource = Setting(1000, in: 0...1_000_000, "The most of them from one address.")
    let maxChannels = Setting(live: 200_000, in: 1...10_000_000, "The most channels in memory.")
    let maxStoredChannels =
        Setting(live: 1_000_000, in: 1...100_000_000, "The most channels that are kept, with their names.")
    let maxChannelsPerStream = Setting(128, in: 1...128, "The most channels that one stream hears.")
    let maxMemory = Setting(
        live: 0,
        "3/4 of all",
        in: 0...16_777_216,
        "Memory of its own in MiB beyond which nothing new is taken."
    )
    let maxIdempotencyKeys =
        Setting(live: 100_000, in: 1...10_000_000, "The most idempotency keys kept of a channel.")
    let maxQueue = Setting(live: 10_000, in: EffectiveSettings.capacities, "The most toasts that wait in a channel.")
    let maxSessions = Setting(100_000, in: 1...10_000_000, "The most sessions at a time.")
    let maxTickets = Setting(100_000, in: 1...10_000_000, "The most tickets at a time.")
    let maxDeliveries = Setting(Outbox.capacity, in: 1...100_000, "The most deliveries that wait for one webhook.")
    let maxBodyBytes = Setting(65_536, in: 1024...262_144, "The longest body of a request, in bytes.")
    let maxHeadBytes = Setting(20_480, in: 4096...65_536, "The longest head of a request, in bytes.")
    let maxHeaderFields = Setting(100, in: 16...1000, "The most fields of a request's head.")
    let maxJsonDepth = Setting(16, in: 8...24, "The most arrays and objects within each other.")
    let maxBatch = Setting(100, in: 1...1000, "The most toasts of one request.")
    let maxActions = Setting(3, in: 0...10, "The most actions of a toast.")
    let maxTextLength = Setting(4096, in: 1...32_768, "The longest text of a toast, in code points.")
    let maxNameLength = Setting(256, in: 16...1024, "The longest key or reuse identifier, in code points.")
    let maxUrlLength = Setting(2048, in: 64...8192, "The longest URL of a toast, in code points.")
    let maxArguments = Setting(16, in: 0...100, "The most arguments of a localized text.")
    let maxIdempotencyKeyBytes = Setting(255, in: 36...1024, "The longest idempotency key, in bytes.")
    let maxWebhooks = Setting(8, in: 0...100, "The most webhooks of a channel.")
    let maxLanguages = Setting(100, in: 1...1000, "The most languages that catalogs are sent for.")
    let maxCatalogKeys = Setting(10_000, in: 1...100_000, "The most keys of a language.")
    let maxCatalogBytes =
        Setting(1_048_576, in: 1024...16_777_216, "The longest catalog that can be sent, in bytes.")
    let maxBacklogFrames = Setting(256, in: 16...65_536, "The most frames that wait for a slow stream.")
    let maxBacklogBytes = Setting(1_048_576, in: 65_536...67_108_864, "The most bytes that wait for a slow stream.")
    let maxMessageBytes = Setting(65_536, in: 1024...262_144, "The longest message of a WebSocket, in bytes.")
    let maxMessageFrames = Setting(256, in: 1...4096, "The most frames of such a message.")
    let maxCommands = Setting(64, in: 1...1024, "The most commands of a WebSocket that wait.")
    let historyEvents = Setting(1000, in: 1...100_000, "The most events that are kept of a channel.")
    let historyHours = Setting(12, in: 1...8760, "Hours for which events are kept.")
    let idempotencyHours = Setting(24, in: 1...8760, "Hours for which idempotency keys are kept.")

    private static func rate(_ standard: String, _ help: String) -> Setting<RateLimit?> {
        Setting(standard, help, expecting: "a rate as 50/s, 50/s:200 or 12/min:60, or none", isLive: true) {
            RateLimit.parse($0)
        }
    }
}
