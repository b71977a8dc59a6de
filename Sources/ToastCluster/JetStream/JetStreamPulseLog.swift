import NATS
import Synchronization
package import ToastCore
package import ToastStore

/// The pulses of nodes in the streams of the log: a subject for each node and stream, whose last message counts.
///
/// A pulse is a message with the body `open` that replaces the one before by compare-and-set. A message with the body
/// `closed` ends it. The server deletes that message after a minute; a late pulse is still refused then, because it
/// expects a sequence that the subject no longer has.
package final class JetStreamPulseLog: PulseLog {
    package let streams = Subjects.logs

    private let stream: JetStream
    private let subjects: Subjects
    /// The sequence of this node's last pulse in each stream; 0 before the first one.
    private let sequences: Mutex<[UInt64]>

    private static let open = Array("open".utf8)
    private static let closed = Array("closed".utf8)

    /// How long the message that closes a pulse is kept.
    private static let closedAge = Duration.seconds(60)

    /// How many times a write or a read of pulses is tried before it fails.
    private static let attempts = 3

    /// The pulses in the streams of a store, which must stay open as long as they are used.
    package init(_ store: JetStreamStore) {
        self.stream = JetStream(store.connection.makeClient(), timeout: .seconds(2))
        self.subjects = store.subjects
        self.sequences = Mutex(Array(repeating: 0, count: Subjects.logs))
    }

    /// Begins the pulse of this node.
    ///
    /// It then reads the pulses of others, from a replica that already has this node's own. So it sees every pulse that
    /// was written before.
    package func open(_ node: NodeID) async throws(StoreError) -> [NodeID] {
        var others: Set<NodeID> = []
        for log in 0..<self.streams {
            let sequence = try await self.call { (stream) async throws(NATSError) in
                try await stream.publish(self.message(node, log, Self.open))
            }
            self.set(sequence, log)
        }
        for log in 0..<self.streams {
            for subject in try await self.subjectsOfPulses(inLog: log) {
                let name = subject.split(separator: ".").last.map(String.init) ?? ""
                if let other = NodeID(rawValue: name), other != node { others.insert(other) }
            }
        }
        return others.sorted()
    }

    /// The subjects of the open pulses in a stream, not older than this node's own.
    ///
    /// If there are more pulses than fit into one answer (1024), these are the subjects of all, closed ones included.
    private func subjectsOfPulses(inLog log: Int) async throws(StoreError) -> [String] {
        let (name, filter, own) = (self.subjects.stream(log), self.subjects.pulses(inLog: log), self.sequence(log))
        return try await self.call { (stream) async throws(NATSError) -> [String] in
            // Any replica answers, and says up to which sequence it knows the stream.
            for _ in 0..<Self.attempts {
                do throws(NATSError) {
                    let found = try await stream.lastMessages(of: [filter], in: name)
                    guard let upTo = found.upTo, upTo >= own, found.remaining == 0 else { continue }
                    return found.messages.filter { $0.body == Self.open }.map(\.subject)
                } catch .refused(let refusal) where refusal.code == 413 {
                    // They are too many for one answer. With so many others a node does not begin, so it does no harm
                    // if some of them are missing here or closed.
                    let all = try await stream.subjects(in: name, matching: filter)
                    if all.count > Membership.maximumPeers + 1 { return Array(all.keys) }
                }
            }
            throw .timeout
        }
    }

    package func pulse(_ node: NodeID, stream log: Int) async throws(StoreError) -> Bool {
        try await self.write(Self.open, of: node, log)
    }

    /// Writes a message after the last pulse of this node in a stream; returns false when the pulse is closed already.
    ///
    /// The acknowledgement of that pulse may have been lost, so a refusal alone does not say that it was closed: only
    /// the last message does.
    private func write(_ body: [UInt8], of node: NodeID, _ log: Int) async throws(StoreError) -> Bool {
        let (name, subject) = (self.subjects.stream(log), self.subjects.pulse(of: node.rawValue, inLog: log))
        return try await self.call { (stream) async throws(NATSError) in
            var failure = NATSError.timeout
            for _ in 0..<Self.attempts {
                do throws(NATSError) {
                    let message = self.message(node, log, body, expecting: self.sequence(log))
                    let sequence = try await stream.publish(message)
                    // Not that of a closing message: a pulse still under way would follow it, and open it again.
                    if body == Self.open { self.set(sequence, log) }
                    return true
                } catch  where error.isAboutSequence {
                    failure = error
                }
                guard let last = try await stream.lastMessage(of: subject, in: name), last.body == Self.open else {
                    return false
                }
                self.set(last.sequence, log)
            }
            throw failure
        }
    }

    /// Closes the pulse of this node in each stream that answers; other nodes close it in the others later.
    package func close(_ node: NodeID) async throws(StoreError) {
        var failure: StoreError?
        for log in 0..<self.streams where self.sequence(log) > 0 {
            do throws(StoreError) {
                _ = try await self.write(Self.closed, of: node, log)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    package func answer(_ check: SilenceCheck) async throws(StoreError) -> SilenceCheck.Answer {
        if case .close(let mark) = check.question {
            for (log, sequence) in mark.enumerated() where sequence > 0 {
                let message = self.message(check.node, log, Self.closed, expecting: sequence)
                let isClosed = try await self.call { (stream) async throws(NATSError) -> Bool in
                    do throws(NATSError) {
                        return try await stream.publish(message) > 0
                    } catch  where error.isAboutSequence {
                        return false
                    }
                }
                // An earlier attempt may have closed the pulse in this stream, and have failed in a later one.
                if !isClosed, try await self.read(check.node, inLog: log) > 0 { break }
            }
        }
        return try await self.read(check.node)
    }

    /// Where the pulse of a node stands; 0 for a stream in which it is closed.
    private func read(_ node: NodeID) async throws(StoreError) -> SilenceCheck.Answer {
        var sequences: [UInt64] = []
        for log in 0..<self.streams { sequences.append(try await self.read(node, inLog: log)) }
        return sequences.allSatisfy { $0 == 0 } ? .closed : .open(sequences)
    }

    /// Where the pulse of a node stands in a stream; 0 where it is closed.
    private func read(_ node: NodeID, inLog log: Int) async throws(StoreError) -> UInt64 {
        let (name, subject) = (self.subjects.stream(log), self.subjects.pulse(of: node.rawValue, inLog: log))
        let last = try await self.call { (stream) async throws(NATSError) in
            try await stream.lastMessage(of: subject, in: name)
        }
        return last?.body == Self.open ? last?.sequence ?? 0 : 0
    }

    private func message(
        _ node: NodeID,
        _ log: Int,
        _ body: [UInt8],
        expecting sequence: UInt64? = nil
    ) -> StreamMessage {
        StreamMessage(
            subject: self.subjects.pulse(of: node.rawValue, inLog: log),
            body: body,
            expectedLastSequence: sequence,
            timeToLive: body == Self.closed ? Self.closedAge : nil,
            replacesSubject: true
        )
    }

    private func sequence(_ log: Int) -> UInt64 { self.sequences.withLock { $0[log] } }

    private func set(_ sequence: UInt64, _ log: Int) { self.sequences.withLock { $0[log] = sequence } }

    private func call<Value: Sendable>(
        _ body: (JetStream) async throws(NATSError) -> Value
    ) async throws(StoreError) -> Value {
        do throws(NATSError) {
            return try await body(self.stream)
        } catch {
            throw StoreError(error)
        }
    }
}
