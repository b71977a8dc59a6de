import MicroHTTP
import ToastCore
import ToastHub
import ToastServer

/// The limits of each part of the server.
extension ServerSettings {
    /// The limits that are counted while the server runs.
    var serviceLimits: ServiceLimits {
        let table = LimitSettings.table
        var limits = ServiceLimits()
        // A limit that the operator sets also counts requests of this machine.
        let rates: [(RateClass, Setting<RateLimit?>)] = [
            (.publish, table.limitPublish), (.change, table.limitChange), (.read, table.limitRead),
        ]
        for (kind, rate) in rates {
            limits.rates[kind] = ServiceLimits.Rate(self.value(of: rate), sparesLocal: !self.has(rate))
        }
        limits.attempts = self.limitAttempts
        limits.streams.inAll = self.maxStreams
        limits.streams.sparesLocal = !self.has(table.maxStreamsPerSource)
        limits.streams.perSource = self.maxStreamsPerSource
        limits.streams.perChannel = self.maxStreamsPerChannel
        limits.channels = self.maxChannels
        limits.storedChannels = self.maxStoredChannels
        limits.idempotencyKeys = self.maxIdempotencyKeys
        limits.queue = self.maxQueue
        limits.memory = self.maxMemory > 0 ? self.maxMemory * 1_048_576 : MachineMemory.bytes / 4 * 3
        limits.document = self.documentLimits
        limits.catalogs.languages = self.maxLanguages
        limits.catalogs.keys = self.maxCatalogKeys
        limits.catalogs.sentBytes = self.maxCatalogBytes
        return limits
    }

    private var documentLimits: Limits {
        var limits = Limits.standard
        limits.documentBytes = self.maxBodyBytes
        limits.depth = self.maxJsonDepth
        limits.batch = self.maxBatch
        limits.actions = self.maxActions
        limits.textLength = self.maxTextLength
        limits.nameLength = self.maxNameLength
        limits.urlLength = self.maxUrlLength
        limits.arguments = self.maxArguments
        limits.idempotencyKeyBytes = self.maxIdempotencyKeyBytes
        limits.webhooks = self.maxWebhooks
        return limits
    }

    /// How long a store keeps data.
    var retention: Retention {
        Retention(
            events: self.historyEvents,
            age: Interval(seconds: Double(self.historyHours) * 3600),
            recordAge: Interval(seconds: Double(self.idempotencyHours) * 3600),
            deliveries: self.maxDeliveries
        )
    }

    /// The limits of a stream, and the most streams of a loop.
    func streamLimits(count: Int) -> StreamLimits {
        var limits = StreamLimits(count: count)
        limits.stallTimeout = self.stallTimeout
        limits.commentInterval = self.commentInterval
        limits.pingInterval = self.pingInterval
        limits.maximumAge = self.streamAge > 0 ? self.streamAge : nil
        limits.channels = self.maxChannelsPerStream
        limits.backlog = StreamWriter.Backlog(frames: self.maxBacklogFrames, bytes: self.maxBacklogBytes)
        limits.socket.message = self.maxMessageBytes
        limits.socket.fragments = self.maxMessageFrames
        limits.commands = self.maxCommands
        return limits
    }
}
