import ArgumentParser
import Configuration

/// The flags of `toastd serve` that set limits; 0 is none.
struct LimitOptions: ParsableArguments {
    @Option(help: "Toasts of one key or address, as 100/s:1000 or none. (TOASTD_LIMIT_PUBLISH, default 100/s:1000)")
    var limitPublish: String?

    @Option(help: "Other changes of one key or address. (TOASTD_LIMIT_CHANGE, default 50/s:500)")
    var limitChange: String?

    @Option(help: "Reads and new streams of one key or address. (TOASTD_LIMIT_READ, default 100/s:1000)")
    var limitRead: String?

    @Option(help: "Credentials of one address that may fail. (TOASTD_LIMIT_ATTEMPTS, default 1/min:30)")
    var limitAttempts: String?

    @Option(help: "The most streams. (TOASTD_MAX_STREAMS, default as many as there are descriptors for)")
    var maxStreams: Int?

    @Option(help: "The most streams from one address. (TOASTD_MAX_STREAMS_PER_SOURCE, default 1000)")
    var maxStreamsPerSource: Int?

    @Option(help: "The most streams of one channel. (TOASTD_MAX_STREAMS_PER_CHANNEL, default no limit)")
    var maxStreamsPerChannel: Int?

    @Option(help: "The most connections that are no streams. (TOASTD_MAX_CONNECTIONS, default as descriptors allow)")
    var maxConnections: Int?

    @Option(help: "The most of them from one address. (TOASTD_MAX_CONNECTIONS_PER_SOURCE, default 1000)")
    var maxConnectionsPerSource: Int?

    @Option(help: "The most channels in memory. (TOASTD_MAX_CHANNELS, default 200000)")
    var maxChannels: Int?

    @Option(help: "The most channels that are kept, with their names. (TOASTD_MAX_STORED_CHANNELS, default 1000000)")
    var maxStoredChannels: Int?

    @Option(help: "The most channels that one stream hears. (TOASTD_MAX_CHANNELS_PER_STREAM, default 128)")
    var maxChannelsPerStream: Int?

    @Option(help: "Memory of its own in MiB beyond which nothing new is taken. (TOASTD_MAX_MEMORY, default 3/4 of all)")
    var maxMemory: Int?

    @Option(help: "The most idempotency keys kept of a channel. (TOASTD_MAX_IDEMPOTENCY_KEYS, default 100000)")
    var maxIdempotencyKeys: Int?

    @Option(help: "The most toasts that wait in a channel. (TOASTD_MAX_QUEUE, default 10000)")
    var maxQueue: Int?

    @Option(help: "The most sessions at a time. (TOASTD_MAX_SESSIONS, default 100000)")
    var maxSessions: Int?

    @Option(help: "The most tickets at a time. (TOASTD_MAX_TICKETS, default 100000)")
    var maxTickets: Int?

    @Option(help: "The most deliveries that wait for one webhook. (TOASTD_MAX_DELIVERIES, default 1000)")
    var maxDeliveries: Int?

    @Option(help: "The longest body of a request, in bytes. (TOASTD_MAX_BODY_BYTES, default 65536)")
    var maxBodyBytes: Int?

    @Option(help: "The longest head of a request, in bytes. (TOASTD_MAX_HEAD_BYTES, default 20480)")
    var maxHeadBytes: Int?

    @Option(help: "The most fields of a request's head. (TOASTD_MAX_HEADER_FIELDS, default 100)")
    var maxHeaderFields: Int?

    @Option(help: "The most arrays and objects within each other. (TOASTD_MAX_JSON_DEPTH, default 16)")
    var maxJsonDepth: Int?

    @Option(help: "The most toasts of one request. (TOASTD_MAX_BATCH, default 100)")
    var maxBatch: Int?

    @Option(help: "The most actions of a toast. (TOASTD_MAX_ACTIONS, default 3)")
    var maxActions: Int?

    @Option(help: "The longest text of a toast, in code points. (TOASTD_MAX_TEXT_LENGTH, default 4096)")
    var maxTextLength: Int?

    @Option(help: "The longest key or reuse identifier, in code points. (TOASTD_MAX_NAME_LENGTH, default 256)")
    var maxNameLength: Int?

    @Option(help: "The longest URL of a toast, in code points. (TOASTD_MAX_URL_LENGTH, default 2048)")
    var maxUrlLength: Int?

    @Option(help: "The most arguments of a localized text. (TOASTD_MAX_ARGUMENTS, default 16)")
    var maxArguments: Int?

    @Option(help: "The longest idempotency key, in bytes. (TOASTD_MAX_IDEMPOTENCY_KEY_BYTES, default 255)")
    var maxIdempotencyKeyBytes: Int?

    @Option(help: "The most webhooks of a channel. (TOASTD_MAX_WEBHOOKS, default 8)")
    var maxWebhooks: Int?

    @Option(help: "The most languages that catalogs are sent for. (TOASTD_MAX_LANGUAGES, default 100)")
    var maxLanguages: Int?

    @Option(help: "The most keys of a language. (TOASTD_MAX_CATALOG_KEYS, default 10000)")
    var maxCatalogKeys: Int?

    @Option(help: "The longest catalog that can be sent, in bytes. (TOASTD_MAX_CATALOG_BYTES, default 1048576)")
    var maxCatalogBytes: Int?

    @Option(help: "The most frames that wait for a slow stream. (TOASTD_MAX_BACKLOG_FRAMES, default 256)")
    var maxBacklogFrames: Int?

    @Option(help: "The most bytes that wait for a slow stream. (TOASTD_MAX_BACKLOG_BYTES, default 1048576)")
    var maxBacklogBytes: Int?

    @Option(help: "The longest message of a WebSocket, in bytes. (TOASTD_MAX_MESSAGE_BYTES, default 65536)")
    var maxMessageBytes: Int?

    @Option(help: "The most frames of such a message. (TOASTD_MAX_MESSAGE_FRAMES, default 256)")
    var maxMessageFrames: Int?

    @Option(help: "The most commands of a WebSocket that wait. (TOASTD_MAX_COMMANDS, default 64)")
    var maxCommands: Int?

    @Option(help: "The most events that are kept of a channel. (TOASTD_HISTORY_EVENTS, default 1000)")
    var historyEvents: Int?

    @Option(help: "Hours for which events are kept. (TOASTD_HISTORY_HOURS, default 12)")
    var historyHours: Int?

    @Option(help: "Hours for which idempotency keys are kept. (TOASTD_IDEMPOTENCY_HOURS, default 24)")
    var idempotencyHours: Int?

    /// What was said, as settings.
    var values: [(key: AbsoluteConfigKey, value: ConfigValue)] {
        let texts: [(AbsoluteConfigKey, String?)] = [
            ("limitPublish", self.limitPublish), ("limitChange", self.limitChange), ("limitRead", self.limitRead),
            ("limitAttempts", self.limitAttempts),
        ]
        return texts.compactMap { key, text in text.map { (key, ConfigValue(.string($0), isSecret: false)) } }
            + (self.counts + self.sizes).compactMap { key, number in
                number.map { (key, ConfigValue(.int($0), isSecret: false)) }
            }
    }

    private var counts: [(AbsoluteConfigKey, Int?)] {
        [
            ("maxStreams", self.maxStreams), ("maxStreamsPerSource", self.maxStreamsPerSource),
            ("maxStreamsPerChannel", self.maxStreamsPerChannel), ("maxConnections", self.maxConnections),
            ("maxConnectionsPerSource", self.maxConnectionsPerSource),
            ("maxChannels", self.maxChannels), ("maxStoredChannels", self.maxStoredChannels),
            ("maxChannelsPerStream", self.maxChannelsPerStream), ("maxMemory", self.maxMemory),
            ("maxIdempotencyKeys", self.maxIdempotencyKeys), ("maxQueue", self.maxQueue),
            ("maxSessions", self.maxSessions), ("maxTickets", self.maxTickets), ("maxDeliveries", self.maxDeliveries),
            ("maxWebhooks", self.maxWebhooks), ("maxLanguages", self.maxLanguages),
            ("maxBacklogFrames", self.maxBacklogFrames), ("maxCommands", self.maxCommands),
            ("historyEvents", self.historyEvents), ("historyHours", self.historyHours),
            ("idempotencyHours", self.idempotencyHours),
        ]
    }

    private var sizes: [(AbsoluteConfigKey, Int?)] {
        [
            ("maxHeadBytes", self.maxHeadBytes), ("maxHeaderFields", self.maxHeaderFields),
            ("maxBodyBytes", self.maxBodyBytes), ("maxJsonDepth", self.maxJsonDepth), ("maxBatch", self.maxBatch),
            ("maxActions", self.maxActions), ("maxTextLength", self.maxTextLength),
            ("maxNameLength", self.maxNameLength),
            ("maxUrlLength", self.maxUrlLength), ("maxArguments", self.maxArguments),
            ("maxIdempotencyKeyBytes", self.maxIdempotencyKeyBytes), ("maxCatalogKeys", self.maxCatalogKeys),
            ("maxCatalogBytes", self.maxCatalogBytes), ("maxBacklogBytes", self.maxBacklogBytes),
            ("maxMessageBytes", self.maxMessageBytes), ("maxMessageFrames", self.maxMessageFrames),
        ]
    }
}
