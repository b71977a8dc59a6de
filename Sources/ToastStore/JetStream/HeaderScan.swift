import NATS
import ToastCore

/// Reads the headers of many messages by a consumer of its own, which is removed at the end.
///
/// Bodies are not sent: looking through 100,000 channels takes a second or so.
struct HeaderScan: Sendable {
    let connection: NATSConnection
    let read: LogReader
    let upkeep: UpkeepTasks
    let selection: Selection
    /// The subjects of the messages, with wildcards.
    let filters: [String]
    let stream: String
    /// The most messages that are read before they are handed over.
    var pageSize = 1000

    struct Header: Sendable {
        let subject: String
        let sequence: UInt64
        let fields: NATSHeaders
    }

    enum Selection: String, Sendable {
        /// All of them, oldest first.
        case all
        /// The last one of each subject.
        case last = "last_per_subject"
    }

    /// The pause before a replica that lags behind the leader is asked again.
    private static let pause = Duration.milliseconds(20)

    /// The tries to remove a consumer, and the pause between two: in all longer than an election takes.
    private static let removal = (tries: 30, pause: Duration.seconds(1))

    /// Reads messages and hands them over in the order of their sequences, each once, until `take` returns false.
    ///
    /// When an answer is lost, another consumer begins anew, and what was handed over before is skipped.
    func callAsFunction(_ take: ([Header]) -> Bool) async throws(StoreError) {
        var seen: UInt64 = 0
        try await self.read { (client) async throws(NATSError) in
            let name = "scan-" + String(UInt64.random(in: .min ... .max), radix: 36)
            let count: UInt64
            do throws(NATSError) {
                let settings = self.configuration(of: name)
                count = try await client.makeConsumer(name, of: self.stream, configuration: settings)
            } catch {
                // What was refused has made no consumer.
                if error.mayHaveHappened { self.removeLater(name) }
                throw error
            }
            do throws(NATSError) {
                try await self.scan(count, by: name) { page in
                    let headers = page.filter { $0.sequence > seen }
                    seen = max(seen, page.last?.sequence ?? 0)
                    return take(headers)
                }
            } catch {
                // When the process stops, a later removal would be cancelled too.
                let isGone = Task.isCancelled ? await self.remove(name) : false
                if !isGone { self.removeLater(name) }
                throw error
            }
            if await !self.remove(name) { self.removeLater(name) }
        }
    }

    /// Reads messages by one consumer, which had `count` of them when it was made.
    ///
    /// The server may put it at a replica that lags, so this waits for what the leader had when the scan began.
    private func scan(_ count: UInt64, by name: String, _ take: ([Header]) -> Bool) async throws(NATSError) {
        let timeout = self.read.stream.timeout
        let inbox = "_INBOX." + name
        let (events, arrivals) = AsyncStream.makeStream(of: SubscriptionEvent.self)
        let subscription = try self.connection.subscribe(to: inbox) { arrivals.yield($0) }
        defer { subscription.end() }
        var (seen, end) = (UInt64(0), try await self.end())
        guard count > 0 || end > 0 else { return }
        let deadline = ContinuousClock.now + timeout
        while true {
            let request = NATSMessage(
                subject: "$JS.API.CONSUMER.MSG.NEXT.\(self.stream).\(name)",
                reply: inbox,
                body: Array(#"{"batch":\#(self.pageSize),"no_wait":true}"#.utf8)
            )
            try self.connection.publish(request)
            let page = try await self.page(of: events, endedBy: arrivals, within: timeout)
            seen = max(seen, page.headers.last?.sequence ?? 0)
            guard take(page.headers) else { break }
            if page.hasMore { continue }
            // The last message may have been removed since; then no replica gets it.
            if seen < end { end = try await self.end() }
            guard seen < end else { break }
            guard ContinuousClock.now < deadline, !Task.isCancelled else { throw .timeout }
            // In a cancelled task the sleep ends at once, and the loop asks once more before it throws.
            try? await Task.sleep(for: Self.pause)
        }
    }

    /// Collects the page that was asked for.
    ///
    /// - Throws: `timeout` when it is not whole in time, or the task is cancelled; then the events have ended.
    private func page(
        of events: AsyncStream<SubscriptionEvent>,
        endedBy arrivals: AsyncStream<SubscriptionEvent>.Continuation,
        within patience: Duration
    ) async throws(NATSError) -> (headers: [Header], hasMore: Bool) {
        // When it fires although this page has just become whole, the next one fails, and the scan is repeated.
        let alarm = Task {
            guard (try? await Task.sleep(for: patience)) != nil else { return }
            arrivals.finish()
        }
        defer { alarm.cancel() }
        var headers: [Header] = []
        for await event in events {
            switch event {
            case .dropped: throw .overloaded
            // 404 or 408: nothing more is there.
            case .message(let message) where message.status != nil: return (headers, false)
            case .message(let message):
                guard let place = message.reply.flatMap(Self.place) else {
                    throw .malformedAnswer("a message of a consumer has no place")
                }
                headers.append(Header(subject: message.subject, sequence: place.sequence, fields: message.headers))
                if place.pending == 0 || headers.count == self.pageSize { return (headers, place.pending > 0) }
            }
        }
        throw .timeout
    }

    /// The place of a message in its stream, and how many follow: the reply subject of ADR-15,
    /// `$JS.ACK.STREAM.CONSUMER.TRIES.SEQUENCE.…`, with a domain and an account before the stream or without.
    private static func place(_ reply: String) -> (sequence: UInt64, pending: UInt64)? {
        let tokens = reply.utf8.split(separator: UInt8(ascii: "."))
        let shift = tokens.count > 9 ? 2 : 0
        guard tokens.count > 8 + shift, let sequence = UInt64(Substring(tokens[5 + shift])),
            let pending = UInt64(Substring(tokens[8 + shift]))
        else { return nil }
        return (sequence, pending)
    }

    /// Removes a consumer that could not be removed now.
    ///
    /// A server removes an idle consumer by itself. But a server that was stopped meanwhile may keep a consumer that it
    /// no longer serves, and report itself as unhealthy until a client removes it (seen with nats-server 2.12.8).
    private func removeLater(_ name: String) {
        // Nothing else knows the consumer's name. A scan starts few of these: it is tried again for ten seconds, and an
        // answer that is lost takes two.
        self.upkeep.start(isNeeded: true) {
            for _ in 0..<Self.removal.tries {
                guard (try? await Task.sleep(for: Self.removal.pause)) != nil else { return }
                if await self.remove(name) { return }
            }
        }
    }

    /// Removes a consumer; returns whether there is none any more.
    private func remove(_ name: String) async -> Bool {
        (try? await self.read.stream.removeConsumer(name, of: self.stream)) != nil
    }

    /// The sequence of the last message that the leader has of the filters; 0 when it has none.
    private func end() async throws(NATSError) -> UInt64 {
        var end: UInt64 = 0
        for filter in self.filters {
            end = max(end, try await self.read.stream.lastMessage(of: filter, in: self.stream)?.sequence ?? 0)
        }
        return end
    }

    private func configuration(of name: String) -> [UInt8] {
        JSONWriter.encodedObject { writer in
            writer.member("name", name)
            writer.member("deliver_policy", self.selection.rawValue)
            writer.member("ack_policy", "none")
            writer.member("replay_policy", "instant")
            writer.array("filter_subjects") { writer in for filter in self.filters { writer.value(filter) } }
            writer.member("headers_only", true)
            writer.member("mem_storage", true)
            writer.member("num_replicas", 1)
            writer.member("inactive_threshold", 10_000_000_000)
        }
    }
}
