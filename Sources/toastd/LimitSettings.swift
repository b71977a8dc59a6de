import Configuration
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
/// | `--max-streams N` | `TOASTD_MAX_STREAMS` | `maxStreams` | 0: as many as there are descriptors for |
/// | `--max-streams-per-source N` | `TOASTD_MAX_STREAMS_PER_SOURCE` | `maxStreamsPerSource` | 1000, but for this machine |
/// | `--max-streams-per-channel N` | `TOASTD_MAX_STREAMS_PER_CHANNEL` | `maxStreamsPerChannel` | 0: no limit |
/// | `--max-channels N` | `TOASTD_MAX_CHANNELS` | `maxChannels` | 50000 |
/// | `--max-stored-channels N` | `TOASTD_MAX_STORED_CHANNELS` | `maxStoredChannels` | 1000000 |
/// | `--max-channels-per-stream N` | `TOASTD_MAX_CHANNELS_PER_STREAM` | `maxChannelsPerStream` | 128 |
/// | `--max-memory MIB` | `TOASTD_MAX_MEMORY` | `maxMemory` | 0: three quarters of what there is |
/// | `--max-idempotency-keys N` | `TOASTD_MAX_IDEMPOTENCY_KEYS` | `maxIdempotencyKeys` | 100000 |
/// | `--max-sessions N` | `TOASTD_MAX_SESSIONS` | `maxSessions` | 100000 |
/// | `--max-tickets N` | `TOASTD_MAX_TICKETS` | `maxTickets` | 10000 |
/// | `--max-body-bytes N` | `TOASTD_MAX_BODY_BYTES` | `maxBodyBytes` | 65536 |
/// | `--max-batch N` | `TOASTD_MAX_BATCH` | `maxBatch` | 100 |
/// | `--max-actions N` | `TOASTD_MAX_ACTIONS` | `maxActions` | 3 |
/// | `--max-text-bytes N` | `TOASTD_MAX_TEXT_BYTES` | `maxTextBytes` | 4096 |
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

    /// The most channels that a stream hears.
    let channelsPerStream: Int

    init(_ config: ConfigReader) throws(SettingsError) {
        var limits = ServiceLimits()
        let rates: [(RateClass, ConfigKey)] = [
            (.publish, "limitPublish"), (.change, "limitChange"), (.read, "limitRead"),
        ]
        for (kind, key) in rates {
            guard let text = config.string(forKey: key) else { continue }
            guard let limit = RateLimit.parse(text) else {
                let expected = "a rate as 50/s, 50/s:200 or 12/min:60, or none"
                throw SettingsError(key: key.description, expected: expected)
            }
            // Whoever names a limit means everybody.
            limits.rates[kind] = ServiceLimits.Rate(limit, sparesLocal: false)
        }
        limits.streams.inAll = try ServerSettings.number(config, "maxStreams", 0, in: 0...10_000_000)
        limits.streams.sparesLocal = config.int(forKey: "maxStreamsPerSource") == nil
        limits.streams.perSource = try ServerSettings.number(config, "maxStreamsPerSource", 1000, in: 0...10_000_000)
        limits.streams.perChannel = try ServerSettings.number(config, "maxStreamsPerChannel", 0, in: 0...10_000_000)
        limits.channels = try ServerSettings.number(config, "maxChannels", 50_000, in: 1...10_000_000)
        let stored = try ServerSettings.number(config, "maxStoredChannels", 1_000_000, in: 1...100_000_000)
        limits.storedChannels = stored
        limits.idempotencyKeys = try ServerSettings.number(config, "maxIdempotencyKeys", 100_000, in: 1...10_000_000)
        let memory = try ServerSettings.number(config, "maxMemory", 0, in: 0...16_777_216)
        limits.memory = memory > 0 ? memory * 1_048_576 : MachineMemory.bytes / 4 * 3
        self.sessions = try ServerSettings.number(config, "maxSessions", 100_000, in: 1...10_000_000)
        self.tickets = try ServerSettings.number(config, "maxTickets", 10_000, in: 1...10_000_000)
        self.channelsPerStream = try ServerSettings.number(config, "maxChannelsPerStream", 128, in: 1...128)
        limits.document.documentBytes = try ServerSettings.number(config, "maxBodyBytes", 65_536, in: 1024...262_144)
        limits.document.batch = try ServerSettings.number(config, "maxBatch", 100, in: 1...1000)
        limits.document.actions = try ServerSettings.number(config, "maxActions", 3, in: 0...10)
        limits.document.textBytes = try ServerSettings.number(config, "maxTextBytes", 4096, in: 1...32_768)
        self.service = limits
        let hours = try ServerSettings.number(config, "historyHours", 12, in: 1...8760)
        let keyHours = try ServerSettings.number(config, "idempotencyHours", 24, in: 1...8760)
        self.retention = Retention(
            events: try ServerSettings.number(config, "historyEvents", 1000, in: 1...100_000),
            age: Interval(seconds: Double(hours) * 3600),
            recordAge: Interval(seconds: Double(keyHours) * 3600)
        )
    }
}
