import ToastCore

/// A message for a stream, with the conditions under which it is stored.
public struct StreamMessage: Equatable, Sendable {
    /// The message as it is sent; its header fields carry the conditions.
    fileprivate let message: NATSMessage

    /// Where it is published.
    public var subject: String { self.message.subject }

    /// A message with these parts.
    ///
    /// - Parameters:
    ///   - subject: Where to publish it.
    ///   - body: The body.
    ///   - headers: Header fields of its own.
    ///   - expectedLastSequence: The sequence that the last message of the subject must have; 0 when there must be
    ///     none.
    ///   - timeToLive: How long the message is kept, in whole seconds: at least one, the shortest that servers know.
    ///   - replacesSubject: Whether it takes the place of all earlier messages of the subject.
    public init(
        subject: String,
        body: [UInt8],
        headers: NATSHeaders = [:],
        expectedLastSequence: UInt64? = nil,
        timeToLive: Duration? = nil,
        replacesSubject: Bool = false
    ) {
        var headers = headers
        if let expectedLastSequence { headers.append("Nats-Expected-Last-Subject-Sequence", "\(expectedLastSequence)") }
        if let timeToLive { headers.append("Nats-TTL", "\(max(1, timeToLive.components.seconds))s") }
        if replacesSubject { headers.append("Nats-Rollup", "sub") }
        self.message = NATSMessage(subject: subject, headers: headers, body: body)
    }
}

extension JetStream {
    /// The most messages that a batch may have.
    public static let longestBatch = 1000

    /// Publishes a message without waiting for earlier ones; `receive` gets its sequence, or why it may not be stored.
    ///
    /// After ``NATSError/timeout`` or ``NATSError/connectionLost`` the message may have been stored.
    public func publish(_ message: StreamMessage, _ receive: @escaping @Sendable (Result<UInt64, NATSError>) -> Void) {
        self.client.request(message.message, timeout: self.timeout) { result in
            receive(Self.sequence(result))
            return .done
        }
    }

    /// Publishes a message and waits until it is stored; returns its sequence.
    public func publish(_ message: StreamMessage) async throws(NATSError) -> UInt64 {
        try await withCheckedContinuation { continuation in
            self.publish(message) { continuation.resume(returning: $0) }
        }.get()
    }

    /// Publishes a batch, which is stored as a whole or not at all, and waits until it is stored.
    ///
    /// Its messages are stored in this order, with no other message between them. They must be of one stream, which
    /// allows atomic batches. Their conditions are checked together at the end. The server refuses the 51st batch that
    /// is open at a time in a stream.
    ///
    /// - Parameter messages: At least one, at most ``longestBatch``.
    /// - Returns: The sequence of the last message.
    /// - Throws: ``NATSError``, as for every request.
    public func publish(batch messages: [StreamMessage]) async throws(NATSError) -> UInt64 {
        guard (1...Self.longestBatch).contains(messages.count) else {
            throw .invalid("a batch of \(messages.count) messages")
        }
        // ADR-50: an id of the client's, of at most 64 characters; sequences from 1; the last message commits.
        let id = "\(self.client.prefix)\(self.client.nextBatch())"
        var batch = messages.map(\.message)
        for index in batch.indices {
            batch[index].headers.append("Nats-Batch-Id", id)
            batch[index].headers.append("Nats-Batch-Sequence", "\(index + 1)")
        }
        batch[batch.count - 1].headers.append("Nats-Batch-Commit", "1")
        let isSingle = batch.count == 1
        let sequence: Result<UInt64, NATSError> = await withCheckedContinuation { continuation in
            self.client.request(batch, timeout: self.timeout, isCheck: false) { result in
                // The first message is answered too: with an empty message when the batch is begun, or with the reason
                // why it is not.
                if !isSingle, case .success(let message) = result, message.body.isEmpty, message.status == nil {
                    return .more
                }
                continuation.resume(returning: Self.sequence(result))
                return .done
            }
        }
        return try sequence.get()
    }

    /// The sequence in JetStream's answer: of a message, or of the last one of a batch.
    private static func sequence(_ result: Result<NATSMessage, NATSError>) -> Result<UInt64, NATSError> {
        Result { () throws(NATSError) -> UInt64 in
            guard let sequence = try Self.answer(result.get())["seq"]?.sequence else {
                throw .malformedAnswer("the answer to a publish names no sequence")
            }
            return sequence
        }
    }
}
