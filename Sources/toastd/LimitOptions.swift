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

    @Option(help: "The most streams. (TOASTD_MAX_STREAMS, default as many as there are descriptors for)")
    var maxStreams: Int?

    @Option(help: "The most streams from one address. (TOASTD_MAX_STREAMS_PER_SOURCE, default 1000)")
    var maxStreamsPerSource: Int?

    @Option(help: "The most streams of one channel. (TOASTD_MAX_STREAMS_PER_CHANNEL, default no limit)")
    var maxStreamsPerChannel: Int?

    @Option(help: "The most channels in memory. (TOASTD_MAX_CHANNELS, default 50000)")
    var maxChannels: Int?

    @Option(help: "The most channels that are kept, with their names. (TOASTD_MAX_STORED_CHANNELS, default 1000000)")
    var maxStoredChannels: Int?

    @Option(help: "The most channels that one stream hears. (TOASTD_MAX_CHANNELS_PER_STREAM, default 128)")
    var maxChannelsPerStream: Int?

    @Option(help: "Memory of its own in MiB beyond which nothing new is taken. (TOASTD_MAX_MEMORY, default 3/4 of all)")
    var maxMemory: Int?

    @Option(help: "The most idempotency keys kept of a channel. (TOASTD_MAX_IDEMPOTENCY_KEYS, default 100000)")
    var maxIdempotencyKeys: Int?

    @Option(help: "The most sessions at a time. (TOASTD_MAX_SESSIONS, default 100000)")
    var maxSessions: Int?

    @Option(help: "The most tickets at a time. (TOASTD_MAX_TICKETS, default 10000)")
    var maxTickets: Int?

    @Option(help: "The longest body of a request, in bytes. (TOASTD_MAX_BODY_BYTES, default 65536)")
    var maxBodyBytes: Int?

    @Option(help: "The most toasts of one request. (TOASTD_MAX_BATCH, default 100)")
    var maxBatch: Int?

    @Option(help: "The most actions of a toast. (TOASTD_MAX_ACTIONS, default 3)")
    var maxActions: Int?

    @Option(help: "The longest text of a toast, in bytes. (TOASTD_MAX_TEXT_BYTES, default 4096)")
    var maxTextBytes: Int?

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
        ]
        let numbers: [(AbsoluteConfigKey, Int?)] = [
            ("maxStreams", self.maxStreams), ("maxStreamsPerSource", self.maxStreamsPerSource),
            ("maxStreamsPerChannel", self.maxStreamsPerChannel), ("maxChannels", self.maxChannels),
            ("maxStoredChannels", self.maxStoredChannels),
            ("maxChannelsPerStream", self.maxChannelsPerStream), ("maxMemory", self.maxMemory),
            ("maxIdempotencyKeys", self.maxIdempotencyKeys), ("maxSessions", self.maxSessions),
            ("maxTickets", self.maxTickets), ("maxBodyBytes", self.maxBodyBytes),
            ("maxBatch", self.maxBatch), ("maxActions", self.maxActions), ("maxTextBytes", self.maxTextBytes),
            ("historyEvents", self.historyEvents), ("historyHours", self.historyHours),
            ("idempotencyHours", self.idempotencyHours),
        ]
        return texts.compactMap { key, text in text.map { (key, ConfigValue(.string($0), isSecret: false)) } }
            + numbers.compactMap { key, number in number.map { (key, ConfigValue(.int($0), isSecret: false)) } }
    }
}
