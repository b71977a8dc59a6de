import NATS
import ToastCore

/// Reads and changes the streams; while one has no leader, repeats requests until the store's patience ends.
struct LogReader: Sendable {
    let stream: JetStream
    let subjects: Subjects
    let patience: Duration
    /// When the patience of the task ends that the requests belong to; `nil` when each has a patience of its own.
    var deadline: ContinuousClock.Instant?
    /// The most bytes of an answer about many subjects; `nil` for the server's own limit.
    var pageBytes: Int?

    /// The pause before a request that failed for a moment is sent again.
    static let pause = Duration.milliseconds(50)

    /// Runs a request that changes nothing, or that may be repeated.
    ///
    /// - Throws: `undecided` when it is a change, and the answer to one of its attempts was lost.
    func callAsFunction<Value: Sendable>(
        isChange: Bool = false,
        _ request: (JetStream) async throws(NATSError) -> Value
    ) async throws(StoreError) -> Value {
        let deadline = self.deadline ?? ContinuousClock.now + self.patience
        var mayBeDone = false
        while true {
            do throws(NATSError) {
                return try await request(self.stream)
            } catch {
                mayBeDone = mayBeDone || (isChange && error.mayHaveHappened)
                // Once the connection is back, a repetition tells whether the change was made.
                let isTransient = error.isTransient || (mayBeDone && error == .notConnected)
                guard isTransient, !Task.isCancelled, ContinuousClock.now < deadline else {
                    let undecided = StoreError.undecided("The cluster did not tell whether it was stored: \(error)")
                    throw mayBeDone ? undecided : StoreError(error)
                }
            }
            // In a cancelled task the sleep ends at once, and the loop asks once more before it throws.
            try? await Task.sleep(for: Self.pause)
        }
    }

    /// Publishes a message; returns its sequence.
    ///
    /// Nil when the subject has another last message than expected: one of another process, or this very message,
    /// stored by an attempt whose answer was lost.
    func publish(_ message: StreamMessage) async throws(StoreError) -> UInt64? {
        try await self(isChange: true) { (client) async throws(NATSError) -> UInt64? in
            do throws(NATSError) {
                return try await client.publish(message)
            } catch  where error.isAboutSequence {
                return nil
            }
        }
    }

    /// Removes messages of subjects, all of them or those with a lower sequence; returns how many.
    @discardableResult
    func purge(
        _ filter: String,
        in stream: String,
        before sequence: UInt64? = nil
    ) async throws(StoreError) -> UInt64 {
        try await self { (client) async throws(NATSError) in
            try await client.purge(filter, in: stream, before: sequence)
        }
    }

    /// The last message of a subject, as the stream's leader has it.
    func last(_ subject: String, in stream: String) async throws(StoreError) -> StoredMessage? {
        try await self { (client) async throws(NATSError) in
            try await client.lastMessage(of: subject, in: stream)
        }
    }

    /// The last message of a subject of a channel, as the stream's leader has it.
    func last(_ subject: String, of channel: ChannelName) async throws(StoreError) -> StoredMessage? {
        try await self.last(subject, in: self.subjects.stream(of: channel))
    }

    /// The last message of a channel's log, which may be a tombstone; `nil` when there is none.
    func end(of channel: ChannelName) async throws(StoreError) -> (header: LogHeader, sequence: UInt64)? {
        guard let message = try await self.last(self.subjects.subject(.log, of: channel), of: channel) else {
            return nil
        }
        guard let header = message.headers.log else { throw Self.damage(channel) }
        return (header, message.sequence)
    }

    /// Where a channel's log ends.
    func place(of channel: ChannelName) async throws(StoreError) -> ChannelPlace {
        let end = try await self.end(of: channel)
        if let end, !end.header.isTombstone { return ChannelPlace(end.header, sequence: end.sequence) }
        // Read after the end of the log: the floor is raised before a last message is removed.
        return ChannelPlace(beginningAt: try await self.floor().offset, behind: end)
    }

    /// The offset after which new channels begin, and the sequence of its message.
    func floor() async throws(StoreError) -> (offset: Offset, sequence: UInt64) {
        guard let message = try await self.last(self.subjects.floor, in: self.subjects.metaStream) else {
            return (.origin, 0)
        }
        guard let number = Int64(String(decoding: message.body, as: UTF8.self)), number >= 0 else {
            throw .corrupt("The floor of the cluster's offsets cannot be read.")
        }
        return (Offset(rawValue: number), message.sequence)
    }

    /// The last messages of subjects with wildcards, of one channel, however many there are.
    ///
    /// Any replica answers; the request is repeated while the replica lacks what the stream had at `sequence`.
    func lastMessages(
        _ filters: [String],
        of channel: ChannelName,
        since sequence: UInt64
    ) async throws(StoreError) -> [StoredMessage] {
        let stream = self.subjects.stream(of: channel)
        return try await self { (client) async throws(NATSError) -> [StoredMessage] in
            do throws(NATSError) {
                let found = try await client.lastMessages(of: filters, in: stream, bytes: self.pageBytes)
                if let upTo = found.upTo {
                    guard upTo >= sequence else { throw .timeout }
                } else if sequence > 0 {
                    // A replica that has no such message does not say how far it is, so the leader is asked.
                    for filter in filters {
                        guard try await client.lastMessage(of: filter, in: stream) == nil else { throw .timeout }
                    }
                }
                guard found.remaining > 0 else { return found.messages }
                return try await self.listed(filters, since: sequence, in: stream, client)
            } catch .refused(let refusal) where refusal.code == 413 {
                return try await self.listed(filters, since: sequence, in: stream, client)
            }
        }
    }

    /// The last messages of more subjects than one request may ask for.
    ///
    /// The leader names the subjects, so a replica that has none of a page is asked again.
    private func listed(
        _ filters: [String],
        since sequence: UInt64,
        in stream: String,
        _ client: JetStream
    ) async throws(NATSError) -> [StoredMessage] {
        var messages: [StoredMessage] = []
        for filter in filters {
            let names = Array(try await client.subjects(in: stream, matching: filter).keys)
            for start in stride(from: 0, to: names.count, by: Self.pageSize) {
                var rest = Array(names[start...].prefix(Self.pageSize))
                while !rest.isEmpty {
                    let found = try await client.lastMessages(of: rest, in: stream, bytes: self.pageBytes)
                    guard (found.upTo ?? 0) >= sequence else { throw .timeout }
                    messages += found.messages
                    // A server ends its answer early when the messages are long: 64 MiB by default.
                    guard found.remaining > 0 else { break }
                    let seen = Set(found.messages.map(\.subject))
                    guard !seen.isEmpty else { throw .timeout }
                    rest.removeAll { seen.contains($0) }
                }
            }
        }
        return messages
    }

    /// The most subjects of one request: the server accepts 1024, and limits the bytes of a request.
    private static let pageSize = 500

    static func damage(_ channel: ChannelName) -> StoreError {
        .corrupt("The log of channel \(channel) has a message without a header of ours.")
    }
}
