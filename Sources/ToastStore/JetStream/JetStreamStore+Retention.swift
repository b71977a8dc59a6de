import NATS
import Synchronization
package import ToastCore

extension JetStreamStore {
    /// Forgets what the retention allows at this instant.
    ///
    /// Forgotten events are no longer read. Their messages are removed: those past the maximum number in the channels
    /// that this process writes, and those past the maximum age in all channels. The server removes records after their
    /// time to live.
    package func prune(at now: Instant) async throws(StoreError) {
        try self.checkOpen()
        self.lastPruned.max(now.nanoseconds, ordering: .relaxed)
        for channel in self.channels.surplus(over: self.options.retention.events) {
            guard let entry = self.channels[channel], let mark = self.lastSurplus(entry) else { continue }
            try await self.removeMessages(of: channel, through: mark)
            self.channels.update(channel) { $0.purged = max($0.purged, mark.last) }
        }
        // Looking at all events costs the cluster more, so it waits until a 64th of the retention's age has passed, and
        // many events are old.
        let age = self.options.retention.age
        let swept = Instant(nanoseconds: self.swept.load(ordering: .relaxed))
        guard now - swept >= Interval(nanoseconds: age.nanoseconds / 64) else { return }
        for log in 0..<Subjects.logs { try await self.sweep(log, before: now + (.zero - age)) }
        self.swept.max(now.nanoseconds, ordering: .relaxed)
    }

    /// Removes a channel's messages past the count, once there are many of them.
    func forgetSurplus(of channel: ChannelName) {
        guard let entry = self.channels[channel], let mark = self.lastSurplus(entry),
            mark.last.rawValue - entry.purged.rawValue >= Int64(LogBounds.slack)
        else { return }
        // Noted first, so that the next append does not start another task for them.
        self.channels.update(channel) { $0.purged = mark.last }
        self.upkeep.start {
            // What stays after a failure is removed by a later call.
            try? await self.removeMessages(of: channel, through: mark)
        }
    }

    /// The last known message of a channel all of whose events are past the count.
    private func lastSurplus(_ entry: ChannelCache.Entry) -> ChannelCache.Mark? {
        let surplus = entry.place.surplus(over: self.options.retention.events)
        return entry.marks.last { $0.last <= surplus && $0.last > entry.purged }
    }

    private func removeMessages(of channel: ChannelName, through mark: ChannelCache.Mark) async throws(StoreError) {
        try await self.removeMessages(of: channel, before: mark.sequence + 1)
        self.channels.update(channel) { entry in entry.marks.removeAll { $0.sequence <= mark.sequence } }
    }

    private func removeMessages(of channel: ChannelName, before sequence: UInt64) async throws(StoreError) {
        let (stream, subject) = (self.subjects.stream(of: channel), self.subjects.subject(.log, of: channel))
        try await self.read.purge(subject, in: stream, before: sequence)
    }

    /// Removes the messages of a log whose events happened before an instant, and what is left of former lives.
    private func sweep(_ log: Int, before instant: Instant) async throws(StoreError) {
        // The first message of each channel that must stay, as the end of its log tells.
        var needed: [ChannelName: UInt64] = [:]
        var tombstones: [(channel: ChannelName, sequence: UInt64)] = []
        try await self.scan(lastOf: [self.subjects.all(.log, ofLog: log)], inLog: log) { header in
            guard let channel = ChannelSubject(header.subject)?.channel, let end = header.fields.log else { return }
            if end.isTombstone { return tombstones.append((channel, header.sequence)) }
            // The last message stays, because it tells where the channel is.
            needed[channel] = min(ChannelPlace(end, sequence: header.sequence).firstNeeded, header.sequence)
        }
        for (channel, sequence) in tombstones { try await self.clean(channel, before: sequence) }
        let ends = try await self.endsOfOldMessages(inLog: log, before: instant, needed)
        for (channel, end) in ends { try await self.removeMessages(of: channel, before: end) }
    }

    /// The sequence after the last old message of each channel that has one, found by reading a log from its beginning.
    ///
    /// `needed` has the sequence of the first message of each channel that must stay.
    private func endsOfOldMessages(
        inLog log: Int,
        before instant: Instant,
        _ needed: [ChannelName: UInt64]
    ) async throws(StoreError) -> [ChannelName: UInt64] {
        var ends: [ChannelName: UInt64] = [:]
        // The channels with a message that stays: their later messages stay, too.
        var ended: Set<ChannelName> = []
        // How many messages in a row were too young.
        var young = 0
        try await self.scan(pagesOf: .all, of: [self.subjects.all(.log, ofLog: log)], inLog: log) { page in
            for header in page {
                guard let channel = ChannelSubject(header.subject)?.channel, let first = needed[channel],
                    let at = header.fields.log?.at
                else { continue }
                young = at < instant ? 0 : young + 1
                if at >= instant || header.sequence >= first { ended.insert(channel) }
                if !ended.contains(channel) { ends[channel] = header.sequence + 1 }
            }
            return young < Self.longestYoungRun
        }
        return ends
    }

    /// A log is nearly in the order of time: after so many young messages in a row, old ones are left for later.
    private static let longestYoungRun = 10_000
}
