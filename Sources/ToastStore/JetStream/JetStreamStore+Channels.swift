import EventLoop
import NATS
import Synchronization
package import ToastCore

extension JetStreamStore {
    /// The names of the kept channels in order, after `name` if given; those that other processes added come within a
    /// second, or later where there are many.
    package func channels(after name: ChannelName?, limit: Int) async throws(StoreError) -> [ChannelName] {
        try await self.refreshDirectory()
        return self.directory.names(after: name, limit: limit).map(\.name)
    }

    /// How many channels are kept; as fresh as ``channels(after:limit:)``.
    package func channelCount() async throws(StoreError) -> Int {
        try await self.refreshDirectory()
        return self.directory.count
    }

    /// Keeps at most so many channels from now on; nodes that add some in the same second may go past it.
    package func limitChannels(to count: Int) { self.directory.limit = count }

    package func quietChannels(
        after name: ChannelName?,
        since instant: Instant,
        limit: Int
    ) async throws(StoreError) -> QuietChannels {
        try await self.refreshDirectory()
        let page = self.directory.names(after: name, limit: max(limit, 1))
        var quiet: [ChannelName] = []
        for (name, at) in page where at.map({ $0 < instant }) ?? true {
            let place = try await self.read.place(of: name)
            guard place.isFresh || place.at < instant else { continue }
            if try await !self.isNeeded(name, place) { quiet.append(name) }
        }
        return QuietChannels(names: quiet, next: page.count < max(limit, 1) ? nil : page.last?.name)
    }

    /// Whether a channel has webhooks or records.
    private func isNeeded(_ channel: ChannelName, _ place: ChannelPlace) async throws(StoreError) -> Bool {
        let webhooks = try await self.readWebhooks(of: channel, place)
        guard webhooks?.isEmpty ?? true else { return true }
        return try await !self.readRecords(of: channel, place).entries.isEmpty
    }

    /// Throws `tooManyChannels` when a new channel would be past the limit.
    func admit(_ channel: ChannelName) async throws(StoreError) {
        guard self.directory.limit < .max else { return }
        let place = try await self.read.place(of: channel)
        // A channel that has only webhooks is counted already.
        guard place.isFresh, try await self.readWebhooks(of: channel, place) == nil else { return }
        guard try await self.channelCount() < self.directory.limit else { throw .tooManyChannels }
    }

    @discardableResult
    package func forget(_ channel: ChannelName, at offset: Offset) async throws(StoreError) -> Bool {
        while true {
            let place = try await self.read.place(of: channel)
            let webhooks = try await self.webhooksMessage(of: channel)
            guard place.accepts(offset), self.isKnown(place, webhooks), try await !self.isNeeded(channel, place) else {
                return false
            }
            // A channel without events used no offset.
            let end = place.isFresh ? place.earliest : place.last
            if try await self.bury(channel, place, webhooks, beginningAt: end) != nil { return true }
        }
    }

    package func remove(_ channel: ChannelName, at offset: Offset) async throws(StoreError) -> Offset? {
        while true {
            let place = try await self.read.place(of: channel)
            let webhooks = try await self.webhooksMessage(of: channel)
            guard self.isKnown(place, webhooks) else { return place.last }
            guard place.accepts(offset) else { return nil }
            let end = place.isFresh ? place.earliest : place.last.next
            if let beginning = try await self.bury(channel, place, webhooks, beginningAt: end) { return beginning }
        }
    }

    private func isKnown(_ place: ChannelPlace, _ webhooks: StoredMessage?) -> Bool {
        !place.isFresh || webhooks.map { $0.sequence > place.life } ?? false
    }

    /// Raises the offset after which new channels begin, unless it is higher already; returns it.
    func raiseFloor(to offset: Offset) async throws(StoreError) -> Offset {
        while true {
            let floor = try await self.read.floor()
            guard floor.offset < offset else { return floor.offset }
            let message = StreamMessage(
                subject: self.subjects.floor,
                body: Array(String(offset.rawValue).utf8),
                expectedLastSequence: floor.sequence,
                replacesSubject: true
            )
            if try await self.read.publish(message) != nil { return offset }
        }
    }

    /// Ends a channel's life by a tombstone, after which it may begin again at an offset; removes what was before it.
    ///
    /// The tombstone decides: everything of the channel that has a lower sequence is of the former life, whether or not
    /// it is removed already. With it, one atomic batch stores a message for the webhooks, so that none are set
    /// meanwhile.
    ///
    /// - Returns: Where it may begin again; `nil` when the channel or its webhooks were not as they were seen any more.
    /// - Throws: `undecided` when the tombstone may be stored.
    private func bury(
        _ channel: ChannelName,
        _ place: ChannelPlace,
        _ webhooks: StoredMessage?,
        beginningAt offset: Offset
    ) async throws(StoreError) -> Offset? {
        // Before the last message is removed: see ``LogReader/place(of:)``.
        let floor = try await self.raiseFloor(to: offset)
        let commit = self.nextCommit()
        let subject = self.subjects.subject(.log, of: channel)
        let batch = [
            StreamMessage(
                subject: self.subjects.subject(.webhooks, of: channel),
                body: SealedWebhooks.encode([], of: channel, self.options.secrets),
                expectedLastSequence: webhooks?.sequence ?? 0,
                replacesSubject: true
            ),
            StreamMessage(
                subject: subject,
                body: [],
                headers: [LogHeader.name: LogHeader.tombstone(at: offset, commit: commit).text],
                expectedLastSequence: place.sequence,
                timeToLive: JetStreamOptions.tombstoneAge
            ),
        ]
        let (log, stream) = (Subjects.log(of: channel), self.subjects.stream(of: channel))
        let sequence: UInt64?
        do {
            // Whatever the outcome, what is cached may be of the former life.
            defer { self.channels.forget(channel) }
            sequence = try await self.read(isChange: true) { (client) async throws(NATSError) -> UInt64? in
                await self.gates[log].lock()
                defer { self.gates[log].unlock() }
                do throws(NATSError) {
                    return try await client.publish(batch: batch)
                } catch  where error.isAboutSequence {
                    // It may have been stored before, and its answer lost.
                    let last = try await client.lastMessage(of: subject, in: stream)
                    return last?.headers.log?.commit == commit ? last?.sequence : nil
                }
            }
        }
        guard let sequence else { return nil }
        self.directory.remove(channel)
        self.deliveries.withLock { $0.removeAll(of: channel) }
        // If it fails, the channel is removed all the same: readers skip what is before the tombstone.
        try? await self.clean(channel, before: sequence)
        return floor
    }

    /// Removes the messages of a channel's former life.
    func clean(_ channel: ChannelName, before sequence: UInt64) async throws(StoreError) {
        let stream = self.subjects.stream(of: channel)
        for kind in SubjectKind.allCases {
            let subject = self.subjects.subject(kind, of: channel)
            let filter = kind == .log || kind == .webhooks ? subject : subject + ".>"
            try await self.read.purge(filter, in: stream, before: sequence)
        }
    }
}
