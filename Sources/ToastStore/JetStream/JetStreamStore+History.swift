import Synchronization
package import ToastCore

extension JetStreamStore {
    /// Reads events of a channel after an offset, oldest first, and whether some before them were forgotten.
    ///
    /// What the retention forgot at the last pruning is not read, whether or not its messages were removed.
    package func events(
        of channel: ChannelName,
        after offset: Offset,
        limit: Int,
        bytes: Int
    ) async throws(StoreError) -> History {
        let retention = self.options.retention
        // Taken first, so that none is of a message behind the place.
        let marks = self.channels[channel]?.marks ?? []
        let place = try await self.read.place(of: channel)
        guard !place.isFresh, offset < place.last else { return History(events: [], isCut: offset != place.last) }
        var page = Page(offset: max(offset, place.surplus(over: retention.events)), limit: limit, room: bytes)
        var next = try await self.sequence(behind: page.offset, of: channel, place, marks)
        let oldest = Instant(nanoseconds: self.lastPruned.load(ordering: .relaxed)) + (.zero - retention.age)
        while !page.isFull, next <= place.sequence {
            // Not many at first, because most readers miss little.
            let count = page.events.isEmpty ? 32 : 256
            let messages = try await self.read.log(
                of: channel,
                from: next,
                until: place.sequence,
                count: count,
                bytes: bytes.asked
            )
            guard let last = messages.last else { break }
            for message in messages where !page.isFull && message.header.first <= message.header.last {
                let isOld = message.header.last <= place.base && message.header.at < oldest
                if isOld, page.events.isEmpty { page.skip(to: message.header.last) } else { try page.add(message) }
            }
            next = last.sequence + 1
        }
        let first = page.first ?? page.offset.next
        return History(events: page.events, isCut: offset.next < first)
    }

    /// The sequence from which to read so as to find all events after an offset, and few before them.
    ///
    /// A binary search until at most ``nearby`` sequences are left; each step is one request.
    private func sequence(
        behind offset: Offset,
        of channel: ChannelName,
        _ place: ChannelPlace,
        _ marks: [ChannelCache.Mark]
    ) async throws(StoreError) -> UInt64 {
        var low = place.life + 1
        if place.hasSnapshot, place.base <= offset { low = max(low, place.baseSequence + 1) }
        for mark in marks where mark.last <= offset { low = max(low, mark.sequence + 1) }
        var high = marks.first { $0.last > offset }?.sequence ?? place.sequence
        while high > low, high - low > Self.nearby {
            let middle = low + (high - low) / 2
            let found = try await self.read.log(of: channel, from: middle, until: place.sequence, count: 1, bytes: nil)
            guard let message = found.first else { break }
            if message.header.last <= offset { low = message.sequence + 1 } else { high = middle }
        }
        return low
    }

    /// The distance in a stream within which a log is read rather than searched.
    private static let nearby: UInt64 = 256

    /// The events that were read so far.
    private struct Page {
        /// Events up to here are not read.
        private(set) var offset: Offset
        let limit: Int
        private(set) var room: Int
        private(set) var events: [StoredEvent] = []
        private(set) var isFull = false
        /// The first event that is kept after ``offset``.
        private(set) var first: Offset?

        /// Passes over events that were forgotten.
        mutating func skip(to offset: Offset) { self.offset = max(self.offset, offset) }

        mutating func add(_ message: LogReader.LogMessage) throws(StoreError) {
            guard message.header.last > self.offset else { return }
            let start = max(message.header.first, self.offset.next)
            self.first = self.first ?? start
            guard self.events.last.map({ $0.offset.next == start }) ?? true else {
                throw .corrupt("Event \(start.rawValue) of a channel does not follow the one before.")
            }
            guard self.limit > self.events.count else { return self.isFull = true }
            for event in try message.events().drop(while: { $0.offset < start }) {
                guard self.events.count < self.limit, self.events.isEmpty || event.envelope.count <= self.room else {
                    return self.isFull = true
                }
                self.events.append(event)
                self.room -= event.envelope.count
            }
        }
    }
}

extension Int {
    /// The byte limit to request for messages, given one for envelopes: 4 KiB more; `nil` (no limit) above 8 MiB.
    fileprivate var asked: Int? { self > 8 << 20 ? nil : Swift.max(self, 0) + 4096 }
}
