import MicroHTTP
import ToastCore
import ToastHub
import ToastServer

// The settings take their defaults from the parts of the server.
private let service = ServiceLimits()
private let document = Limits.standard
private let catalog = CatalogLimits.standard
private let stream = StreamLimits(count: 0)

/// The settings that are limits: each property declares one, see ``SettingsTable``.
struct LimitSettings: SettingsTable {
    static let table = Self()

    let limitPublish = Self.rate("100/s:1000", "Toasts of one key or address, as 100/s:1000 or none.")
    let limitChange = Self.rate("50/s:500", "Other changes of one key or address.")
    let limitRead = Self.rate("100/s:1000", "Reads and new streams of one key or address.")
    let limitAttempts = Self.rate("1/min:30", "Failed credentials of one address.")
    let maxStreams = Setting(live: 0, "as many as there are descriptors for", in: 0...10_000_000, "The most streams.")
    let maxStreamsPerSource =
        Setting(live: service.streams.perSource, in: 0...10_000_000, "The most streams from one address.")
    let maxStreamsPerChannel = Setting(live: 0, "no limit", in: 0...10_000_000, "The most streams of one channel.")
    let maxConnections =
        Setting(0, "as descriptors allow", in: 0...1_000_000, "The most connections that are not streams.")
    let maxConnectionsPerSource = Setting(1000, in: 0...1_000_000, "The most such connections from one address.")
    let maxChannels = Setting(live: service.channels, in: 1...10_000_000, "The most channels in memory.")
    let maxStoredChannels =
        Setting(live: service.storedChannels, in: 1...100_000_000, "The most channels in the store.")
    let maxChannelsPerStream = Setting(stream.channels, in: 1...128, "The most channels of one stream.")
    let maxMemory = Setting(
        live: 0,
        "3/4 of all",
        in: 0...16_777_216,
        "The process's own memory in MiB past which new work is refused."
    )
    let maxIdempotencyKeys =
        Setting(live: service.idempotencyKeys, in: 1...10_000_000, "The most idempotency keys kept of a channel.")
    let maxQueue =
        Setting(live: service.queue, in: EffectiveSettings.capacities, "The most toasts that wait in a channel.")
    let maxSessions = Setting(100_000, in: 1...10_000_000, "The most sessions at a time.")
    let maxTickets = Setting(100_000, in: 1...10_000_000, "The most tickets at a time.")
    let maxDeliveries = Setting(
        Retention.standardDeliveries,
        in: 1...100_000,
        "The most deliveries that wait for one webhook."
    )
    let maxBodyBytes = Setting(document.documentBytes, in: 1024...262_144, "The longest body of a request, in bytes.")
    let maxHeadBytes = Setting(20_480, in: 4096...65_536, "The longest head of a request, in bytes.")
    let maxHeaderFields = Setting(100, in: 16...1000, "The most fields of a request's head.")
    let maxJsonDepth = Setting(document.depth, in: 8...24, "The deepest nesting of arrays and objects.")
    let maxBatch = Setting(document.batch, in: 1...1000, "The most toasts of one request.")
    let maxActions = Setting(document.actions, in: 0...10, "The most actions of a toast.")
    let maxTextLength = Setting(document.textLength, in: 1...32_768, "The longest text of a toast, in code points.")
    let maxNameLength =
        Setting(document.nameLength, in: 16...1024, "The longest key or reuse identifier, in code points.")
    let maxUrlLength = Setting(document.urlLength, in: 64...8192, "The longest URL of a toast, in code points.")
    let maxArguments = Setting(document.arguments, in: 0...100, "The most arguments of a localized text.")
    let maxIdempotencyKeyBytes =
        Setting(document.idempotencyKeyBytes, in: 36...1024, "The longest idempotency key, in bytes.")
    let maxWebhooks = Setting(document.webhooks, in: 0...100, "The most webhooks of a channel.")
    let maxLanguages = Setting(catalog.languages, in: 1...1000, "The most languages with a sent catalog.")
    let maxCatalogKeys = Setting(catalog.keys, in: 1...100_000, "The most keys of a language.")
    let maxCatalogBytes =
        Setting(catalog.sentBytes, in: 1024...16_777_216, "The longest catalog that can be sent, in bytes.")
    let maxBacklogFrames =
        Setting(stream.backlog.frames, in: 16...65_536, "The most frames that wait for a slow stream.")
    let maxBacklogBytes =
        Setting(stream.backlog.bytes, in: 65_536...67_108_864, "The most bytes that wait for a slow stream.")
    let maxMessageBytes =
        Setting(stream.socket.message, in: 1024...262_144, "The longest message of a WebSocket, in bytes.")
    let maxMessageFrames = Setting(stream.socket.fragments, in: 1...4096, "The most frames of such a message.")
    let maxCommands = Setting(stream.commands, in: 1...1024, "The most commands of a WebSocket that wait.")
    let historyEvents =
        Setting(Retention.standard.events, in: 1...100_000, "The most events that are kept of a channel.")
    let historyHours = Setting(12, in: 1...8760, "Hours for which events are kept.")
    let idempotencyHours = Setting(24, in: 1...8760, "Hours for which idempotency keys are kept.")

    private static func rate(_ standard: String, _ help: String) -> Setting<RateLimit?> {
        Setting(standard, help, expecting: "a rate as 50/s, 50/s:200 or 12/min:60, or none", isLive: true) {
            RateLimit.parse($0)
        }
    }
}
