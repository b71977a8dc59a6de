import EventLoop
import Synchronization

extension NATSConnection {
    /// Queues messages, all or none.
    ///
    /// - Parameters:
    ///   - messages: The messages.
    ///   - epoch: The only epoch in which they may be queued; `nil` for any.
    ///   - isCheck: Whether they are the question for the server's version.
    ///   - onFailure: Called on the worker for each message that could not be written.
    /// - Throws: Why none was queued.
    func send(
        _ messages: [NATSMessage],
        in epoch: Int? = nil,
        isCheck: Bool = false,
        onFailure: (@Sendable (NATSError) -> Void)? = nil
    ) throws(NATSError) {
        let size = messages.reduce(0) { $0 + $1.size }
        let mustStart = try self.state.withLock { state throws(NATSError) in
            switch state.phase {
            case .open: break
            case .checking where isCheck: break
            case .checking, .lost: throw .notConnected
            case .closed: throw .closed
            }
            guard epoch ?? state.epoch == state.epoch else { throw .notConnected }
            for message in messages { try message.validate(maximum: state.maximumPayload) }
            guard state.outboxBytes + size <= self.options.maximumBytes else { throw .overloaded }
            for message in messages {
                state.outbox.append(.message(message, epoch: state.epoch, onFailure: onFailure))
            }
            state.outboxBytes += size
            return state.startWriting()
        }
        if mustStart { self.worker.execute { self.write() } }
    }

    /// Queues a call that is no message; false when the connection is closed.
    func queue(_ call: Outgoing) -> Bool {
        let mustStart: Bool? = self.state.withLock { state in
            guard state.phase != .closed else { return nil }
            state.outbox.append(call)
            return state.startWriting()
        }
        if mustStart == true { self.worker.execute { self.write() } }
        return mustStart != nil
    }

    /// Carries out what is queued.
    private func write() {
        self.carryOut(self.takeOutbox())
        let hasMore = self.state.withLock { state in
            state.isWriting = !state.outbox.isEmpty
            return state.isWriting
        }
        // Other work of this loop has its turn first.
        if hasMore { self.worker.execute { self.write() } }
    }

    /// Takes all that is queued.
    func takeOutbox() -> [Outgoing] {
        self.state.withLock { state in
            defer { state.outbox = [] }
            return state.outbox
        }
    }

    /// Makes the calls, on the worker; what they write is flushed once, at the end.
    func carryOut(_ batch: [Outgoing]) {
        let library = self.library.withLock { $0 }
        defer { library?.flush() }
        var written = 0
        // The library's buffer, which grows while the socket is full, has the same limit as the outbox.
        let isOverloaded = (library?.buffered ?? 0) > self.options.maximumBytes
        for outgoing in batch {
            switch outgoing {
            case .message(let message, let epoch, let onFailure):
                do throws(NATSError) {
                    guard let library else { throw .closed }
                    guard !isOverloaded else { throw .overloaded }
                    // The library would write it to the next connection, though its request has failed.
                    guard self.state.withLock({ $0.phase == .closed || $0.epoch == epoch }) else {
                        throw .notConnected
                    }
                    try library.publish(message)
                } catch {
                    onFailure?(error)
                }
                written += message.size
            case .start(let subscription, let subject):
                do throws(NATSError) {
                    guard let library else { throw .closed }
                    let made = try library.subscribe(subject, MessageSink { subscription.receive($0) })
                    if !subscription.didStart(made) { library.unsubscribe(made) }
                } catch {
                    self.onEvent(.problem("The subscription to \(subject) failed: \(error)"))
                }
            case .end(let subscription):
                library?.unsubscribe(subscription)
            }
        }
        self.state.withLock { $0.outboxBytes -= written }
    }
}

extension NATSConnection.State {
    /// Notes that there is something to do; returns whether the worker has to be told.
    fileprivate mutating func startWriting() -> Bool {
        defer { self.isWriting = true }
        return !self.isWriting
    }
}
