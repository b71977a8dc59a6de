import NATS
import ToastCore

extension LogReader {
    /// Reads a channel's snapshot and the events after it.
    ///
    /// - Throws: `corrupt` when events are missing between its snapshot and its end.
    func load(
        _ channel: ChannelName
    ) async throws(StoreError) -> (place: ChannelPlace, snapshot: StoredSnapshot?, tail: [StoredEvent]) {
        // The snapshot that the end names may be replaced while it is read; then the end is another, too.
        for _ in 0..<Self.rounds {
            let place = try await self.place(of: channel)
            if place.isFresh { return (place, nil, []) }
            var snapshot: StoredSnapshot?
            if place.hasSnapshot {
                snapshot = try await self.snapshot(of: channel, at: place)
                if snapshot == nil { continue }
            }
            guard let tail = try await self.tail(of: channel, at: place) else { continue }
            return (place, snapshot, tail)
        }
        throw .corrupt("Channel \(channel) lacks its snapshot, or events after it.")
    }

    /// The most attempts to read a channel that changes meanwhile; then it counts as damaged.
    private static let rounds = 20

    /// The snapshot that a channel's end names; `nil` when there is another one.
    private func snapshot(of channel: ChannelName, at place: ChannelPlace) async throws(StoreError) -> StoredSnapshot? {
        let filter = self.subjects.subject(.snapshot, of: channel, "*")
        let messages = try await self.lastMessages([filter], of: channel, since: place.sequence)
        let pieces = messages.compactMap { message in
            message.headers[Piece.name].flatMap { Piece($0, bytes: message.body) }
        }
        // A longer snapshot before this one left pieces behind.
        let own = pieces.filter { $0.whole == place.base.rawValue }.sorted { $0.index < $1.index }
        return Piece.join(own).map { StoredSnapshot(offset: place.base, state: $0) }
    }

    /// The events after a channel's snapshot; `nil` when messages were removed meanwhile.
    private func tail(of channel: ChannelName, at place: ChannelPlace) async throws(StoreError) -> [StoredEvent]? {
        guard place.base < place.last else { return [] }
        var (tail, next): ([StoredEvent], UInt64) = ([], place.firstNeeded)
        while next <= place.sequence {
            let page = try await self.log(of: channel, from: next, until: place.sequence, bytes: nil)
            guard let last = page.last else { return nil }
            for message in page {
                guard message.header.first == (tail.last?.offset ?? place.base).next else { return nil }
                tail += try message.events()
            }
            next = last.sequence + 1
        }
        return tail.last?.offset == place.last ? tail : nil
    }

    struct LogMessage: Sendable {
        let header: LogHeader
        let sequence: UInt64
        let body: [UInt8]

        func events() throws(StoreError) -> [StoredEvent] { try LogBody.decode(self.body, self.header) }
    }

    /// Some messages of a channel's log from a sequence on, at least one if there is one, and none after `end`.
    ///
    /// Any replica answers; while it has no message from the sequence on, it is asked again.
    func log(
        of channel: ChannelName,
        from sequence: UInt64,
        until end: UInt64,
        count: Int = 256,
        bytes: Int?
    ) async throws(StoreError) -> [LogMessage] {
        let (stream, subject) = (self.subjects.stream(of: channel), self.subjects.subject(.log, of: channel))
        let found = try await self { (client) async throws(NATSError) -> [StoredMessage] in
            let page = try await client.messages(of: subject, in: stream, from: sequence, count: count, bytes: bytes)
            guard !page.messages.isEmpty || sequence > end else { throw .timeout }
            return page.messages
        }
        var messages: [LogMessage] = []
        for message in found where message.sequence <= end {
            guard let header = message.headers.log else { throw Self.damage(channel) }
            messages.append(LogMessage(header: header, sequence: message.sequence, body: message.body))
        }
        return messages
    }
}
