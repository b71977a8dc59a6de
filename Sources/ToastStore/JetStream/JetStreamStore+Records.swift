import NATS
import Synchronization
package import ToastCore

extension JetStreamStore {
    /// Looks up an idempotency record; an expired one is not found, whether or not it was removed.
    package func record(of channel: ChannelName, key: IdempotencyKey) async throws(StoreError) -> IdempotencyRecord? {
        let subject = self.subjects.subject(.record, of: channel, Subjects.token(of: key))
        guard let message = try await self.read.last(subject, of: channel),
            let header = message.headers.record, !header.isVoid, header.at >= self.recordsSince,
            message.sequence > (try await self.life(of: channel))
        else { return nil }
        var record = try RecordBody.decode(message.body, header)
        guard record.key == key else { return nil }
        if record.outcome == nil, let toast = record.toast {
            record.outcome = try await self.outcomeDocument(of: toast, in: channel)
        }
        return record
    }

    package func outcome(of toast: ToastID, in channel: ChannelName) async throws(StoreError) -> ToastOutcome? {
        let place = try await self.read.place(of: channel)
        let records = try await self.readRecords(of: channel, place)
        let own = records.entries.filter { $0.value.header.toast == toast }
        guard !own.isEmpty else { return nil }
        if let document = try await self.outcomeDocument(of: toast, in: channel) {
            return ToastOutcome(id: toast, document: document)
        }
        for (token, entry) in own where entry.header.hasOutcome {
            let message = try await self.read.last(self.subjects.subject(.record, of: channel, token), of: channel)
            let document = try message.flatMap { (message) throws(StoreError) in
                try RecordBody.decode(message.body, entry.header).outcome
            }
            if let document { return ToastOutcome(id: toast, document: document) }
        }
        return nil
    }

    package func recordCounts(of channel: ChannelName) async throws(StoreError) -> [String: Int] {
        try self.checkOpen()
        if var records = self.channels[channel]?.records {
            records.expire(before: self.recordsSince)
            return records.counts
        }
        return try await self.readRecords(of: channel, self.read.place(of: channel)).counts
    }

    /// The records of a channel that have not expired, by their headers.
    func readRecords(of channel: ChannelName, _ place: ChannelPlace) async throws(StoreError) -> RecordIndex {
        let (records, outcomes) = try await self.recordMessages(of: channel, place)
        var index = RecordIndex()
        for record in records { index.add(record.header, token: record.token) }
        for toast in outcomes.keys { index.end(toast) }
        index.expire(before: self.recordsSince)
        return index
    }

    /// The messages of a channel's records, oldest first, and the outcomes that are messages of their own.
    func recordMessages(
        of channel: ChannelName,
        _ place: ChannelPlace
    ) async throws(StoreError) -> ([(token: String, header: RecordHeader, body: [UInt8])], [ToastID: [UInt8]]) {
        let filters = [SubjectKind.record, .outcome].map { self.subjects.subject($0, of: channel, "*") }
        let messages = try await self.read.lastMessages(filters, of: channel, since: place.sequence)
        var records: [(token: String, header: RecordHeader, body: [UInt8])] = []
        var outcomes: [ToastID: [UInt8]] = [:]
        for message in messages.sorted(by: { $0.sequence < $1.sequence }) where message.sequence > place.life {
            guard let subject = ChannelSubject(message.subject), let token = subject.rest.first else { continue }
            if subject.kind == .outcome {
                if let toast = ToastID(token) { outcomes[toast] = message.body }
            } else if let header = message.headers.record {
                records.append((token, header, message.body))
            }
        }
        return (records, outcomes)
    }

    private func outcomeDocument(of toast: ToastID, in channel: ChannelName) async throws(StoreError) -> [UInt8]? {
        let subject = self.subjects.subject(.outcome, of: channel, toast.description)
        guard let message = try await self.read.last(subject, of: channel),
            message.sequence > (try await self.life(of: channel))
        else { return nil }
        return message.body
    }

    /// Messages of a channel with a higher sequence than this belong to its present life.
    private func life(of channel: ChannelName) async throws(StoreError) -> UInt64 {
        if let place = self.channels[channel]?.place { return place.life }
        return try await self.read.place(of: channel).life
    }

    /// Records that were accepted before this instant have expired.
    private var recordsSince: Instant {
        Instant(nanoseconds: self.lastPruned.load(ordering: .relaxed)) + (.zero - self.options.retention.recordAge)
    }
}
