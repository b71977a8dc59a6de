import ToastCore
import ToastHub
import ToastServer

/// How much there may be of everything: from the configuration.
///
/// | flag | environment | file | default |
/// |---|---|---|---|
/// | `--limit-publish RATE` | `TOASTD_LIMIT_PUBLISH` | `limitPublish` | `100/s:1000`, but for this machine |
/// | `--limit-change RATE` | `TOASTD_LIMIT_CHANGE` | `limitChange` | `50/s:500`, but for this machine |
/// | `--limit-read RATE` | `TOASTD_LIMIT_READ` | `limitRead` | `100/s:1000`, but for this machine |
/// | `--limit-attempts RATE` | `TOASTD_LIMIT_ATTEMPTS` | `limitAttempts` | `1/min:30` |
/// | `--max-streams N` | `TOASTD_MAX_STREAMS` | `maxStreams` | 0: as many as there are descriptors for |
/// | `--max-streams-per-source N` | `TOASTD_MAX_STREAMS_PER_SOURCE` | `maxStreamsPerSource` | 1000, but for this machine |
/// | `--max-streams-per-channel N` | `TOASTD_MAX_STREAMS_PER_CHANNEL` | `maxStreamsPerChannel` | 0: no limit |
/// | `--max-connections N` | `TOASTD_MAX_CONNECTIONS` | `maxConnections` | 0: 4096 a loop, or a quarter of the descriptors |
/// | `--max-connections-per-source N` | `TOASTD_MAX_CONNECTIONS_PER_SOURCE` | `maxConnectionsPerSource` | 1000, but for this machine |
/// | `--max-channels N` | `TOASTD_MAX_CHANNELS` | `maxChannels` | 200000 |
/// | `--max-stored-channels N` | `TOASTD_MAX_STORED_CHANNELS` | `maxStoredChannels` | 1000000 |
/// | `--max-channels-per-stream N` | `TOASTD_MAX_CHANNELS_PER_STREAM` | `maxChannelsPerStream` | 128 |
/// | `--max-memory MIB` | `TOASTD_MAX_MEMORY` | `maxMemory` | 0: three quarters of what there is |
/// | `--max-idempotency-keys N` | `TOASTD_MAX_IDEMPOTENCY_KEYS` | `maxIdempotencyKeys` | 100000 |
/// | `--max-queue N` | `TOASTD_MAX_QUEUE` | `maxQueue` | 10000 |
/// | `--max-sessions N` | `TOASTD_MAX_SESSIONS` | `maxSessions` | 100000 |
/// | `--max-tickets N` | `TOASTD_MAX_TICKETS` | `maxTickets` | 100000 |
/// | `--max-deliveries N` | `TOASTD_MAX_DELIVERIES` | `maxDeliveries` | 1000 |
/// | `--max-body-bytes N` | `TOASTD_MAX_BODY_BYTES` | `maxBodyBytes` | 65536 |
/// | `--max-head-bytes N` | `TOASTD_MAX_HEAD_BYTES` | `maxHeadBytes` | 20480 |
/// | `--max-header-fields N` | `TOASTD_MAX_HEADER_FIELDS` | `maxHeaderFields` | 100 |
/// | `--max-json-depth N` | `TOASTD_MAX_JSON_DEPTH` | `maxJsonDepth` | 16 |
/// | `--max-batch N` | `TOASTD_MAX_BATCH` | `maxBatch` | 100 |
/// | `--max-actions N` | `TOASTD_MAX_ACTIONS` | `maxActions` | 3 |
/// | `--max-text-length N` | `TOASTD_MAX_TEXT_LENGTH` | `maxTextLength` | 4096 |
/// | `--max-name-length N` | `TOASTD_MAX_NAME_LENGTH` | `maxNameLength` | 256 |
/// | `--max-url-length N` | `TOASTD_MAX_URL_LENGTH` | `maxUrlLength` | 2048 |
/// | `--max-arguments N` | `TOASTD_MAX_ARGUMENTS` | `maxArguments` | 16 |
/// | `--max-idempotency-key-bytes N` | `TOASTD_MAX_IDEMPOTENCY_KEY_BYTES` | `maxIdempotencyKeyBytes` | 255 |
/// | `--max-webhooks N` | `TOASTD_MAX_WEBHOOKS` | `maxWebhooks` | 8 |
/// | `--max-languages N` | `TOASTD_MAX_LANGUAGES` | `maxLanguages` | 100 |
/// | `--max-catalog-keys N` | `TOASTD_MAX_CATALOG_KEYS` | `maxCatalogKeys` | 10000 |
/// | `--max-catalog-bytes N` | `TOASTD_MAX_CATALOG_BYTES` | `maxCatalogBytes` | 1048576 |
/// | `--max-backlog-frames N` | `TOASTD_MAX_BACKLOG_FRAMES` | `maxBacklogFrames` | 256 |
/// | `--max-backlog-bytes N` | `TOASTD_MAX_BACKLOG_BYTES` | `maxBacklogBytes` | 1048576 |
/// | `--max-message-bytes N` | `TOASTD_MAX_MESSAGE_BYTES` | `maxMessageBytes` | 65536 |
/// | `--max-message-frames N` | `TOASTD_MAX_MESSAGE_FRAMES` | `maxMessageFrames` | 256 |
/// | `--max-commands N` | `TOASTD_MAX_COMMANDS` | `maxCommands` | 64 |
/// | `--history-events N` | `TOASTD_HISTORY_EVENTS` | `historyEvents` | 1000 |
/// | `--history-hours N` | `TOASTD_HISTORY_HOURS` | `historyHours` | 12 |
/// | `--idempotency-hours N` | `TOASTD_IDEMPOTENCY_HOURS` | `idempotencyHours` | 24 |
struct LimitSettings: Sendable {
    /// What is counted while the server runs.
    let service: ServiceLimits

    /// What a store keeps.
    let retention: Retention

    /// The most sessions and tickets at a time.
    let (sessions, tickets): (Int, Int)

    /// How much a stream may take.
    let streams: StreamBounds

    /// How much a connection may take, and how many there may be.
    let connections: ConnectionBounds

    /// What holds from the start until the next one, by the names of the settings.
    let fixed: [String: Int]

    init(_ reader: inout SettingsReader) {
        var limits = ServiceLimits()
        Self.readRates(&reader, &limits)
        Self.readCounts(&reader, &limits)
        let memory = reader.number("maxMemory", 0, in: 0...16_777_216)
        limits.memory = memory > 0 ? memory * 1_048_576 : MachineMemory.bytes / 4 * 3
        self.sessions = reader.fixed("maxSessions", 100_000, in: 1...10_000_000)
        self.tickets = reader.fixed("maxTickets", 100_000, in: 1...10_000_000)
        self.streams = StreamBounds(&reader)
        self.connections = ConnectionBounds(&reader)
        Self.readDocument(&reader, &limits.document)
        limits.catalogs.languages = reader.fixed("maxLanguages", 100, in: 1...1000)
        limits.catalogs.keys = reader.fixed("maxCatalogKeys", 10_000, in: 1...100_000)
        limits.catalogs.sentBytes = reader.fixed("maxCatalogBytes", 1_048_576, in: 1024...16_777_216)
        self.service = limits
        let hours = reader.fixed("historyHours", 12, in: 1...8760)
        let keyHours = reader.fixed("idempotencyHours", 24, in: 1...8760)
        self.retention = Retention(
            events: reader.fixed("historyEvents", 1000, in: 1...100_000),
            age: Interval(seconds: Double(hours) * 3600),
            recordAge: Interval(seconds: Double(keyHours) * 3600),
            deliveries: reader.fixed("maxDeliveries", Outbox.capacity, in: 1...100_000)
        )
        self.fixed = reader.fixed
    }

    private static func readRates(_ reader: inout SettingsReader, _ limits: inout ServiceLimits) {
        let rates: [(RateClass, String, String)] = [
            (.publish, "limitPublish", "100/s:1000"), (.change, "limitChange", "50/s:500"),
            (.read, "limitRead", "100/s:1000"),
        ]
        for (kind, key, standard) in rates {
            guard let limit = reader.rate(key, as: standard) else { continue }
            // Whoever names a limit means everybody.
            limits.rates[kind] = ServiceLimits.Rate(limit, sparesLocal: false)
        }
        if let limit = reader.rate("limitAttempts", as: "1/min:30") { limits.attempts = limit }
    }

    private static func readCounts(_ reader: inout SettingsReader, _ limits: inout ServiceLimits) {
        limits.streams.inAll = reader.number("maxStreams", 0, in: 0...10_000_000)
        limits.streams.sparesLocal = !reader.has("maxStreamsPerSource")
        limits.streams.perSource = reader.number("maxStreamsPerSource", 1000, in: 0...10_000_000)
        limits.streams.perChannel = reader.number("maxStreamsPerChannel", 0, in: 0...10_000_000)
        limits.channels = reader.number("maxChannels", 200_000, in: 1...10_000_000)
        limits.storedChannels = reader.number("maxStoredChannels", 1_000_000, in: 1...100_000_000)
        limits.idempotencyKeys = reader.number("maxIdempotencyKeys", 100_000, in: 1...10_000_000)
        let capacities = EffectiveSettings.capacities
        limits.queue = reader.number("maxQueue", capacities.upperBound, in: capacities)
    }

    private static func readDocument(_ reader: inout SettingsReader, _ limits: inout Limits) {
        limits.documentBytes = reader.fixed("maxBodyBytes", 65_536, in: 1024...262_144)
        limits.depth = reader.fixed("maxJsonDepth", 16, in: 8...24)
        limits.batch = reader.fixed("maxBatch", 100, in: 1...1000)
        limits.actions = reader.fixed("maxActions", 3, in: 0...10)
        limits.textLength = reader.fixed("maxTextLength", 4096, in: 1...32_768)
        limits.nameLength = reader.fixed("maxNameLength", 256, in: 16...1024)
        limits.urlLength = reader.fixed("maxUrlLength", 2048, in: 64...8192)
        limits.arguments = reader.fixed("maxArguments", 16, in: 0...100)
        limits.idempotencyKeyBytes = reader.fixed("maxIdempotencyKeyBytes", 255, in: 36...1024)
        limits.webhooks = reader.fixed("maxWebhooks", 8, in: 0...100)
    }
}
