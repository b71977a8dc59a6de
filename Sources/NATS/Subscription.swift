public import EventLoop
import Synchronization

/// What a subscription gets.
public enum SubscriptionEvent: Equatable, Sendable {
    /// A message.
    case message(NATSMessage)
    /// So many messages were dropped, because too many bytes waited for the handler.
    case dropped(Int)
}

/// A subscription to a subject; it survives a lost connection, but gets no messages of the time without one.
public final class Subscription: Sendable {
    private struct State {
        /// What the handler's loop has not taken yet; past `maximumUnhandledBytes` more is dropped, and counted.
        var arrivals: [NATSMessage] = []
        var bytes = 0
        var dropped = 0
        var isDelivering = false
        var hasEnded = false
        var library: LibrarySubscription?
    }

    private let connection: NATSConnection
    private let loop: EventLoop
    private let handle: @Sendable (SubscriptionEvent) -> Void
    private let state = Mutex(State())

    init(_ connection: NATSConnection, _ loop: EventLoop, _ handle: @escaping @Sendable (SubscriptionEvent) -> Void) {
        self.connection = connection
        self.loop = loop
        self.handle = handle
    }

    /// Ends the subscription; when it is called on the loop, the handler is not called again.
    public func end() {
        let library = self.state.withLock { state in
            state.hasEnded = true
            state.arrivals = []
            return state.library.take()
        }
        // A connection that is closed has ended it already.
        if let library { _ = self.connection.queue(.end(library)) }
    }

    private var hasEnded: Bool { self.state.withLock { $0.hasEnded } }

    /// Notes the library's subscription; false when this one has been ended meanwhile.
    func didStart(_ library: LibrarySubscription) -> Bool {
        self.state.withLock { state in
            if !state.hasEnded { state.library = library }
            return !state.hasEnded
        }
    }

    /// Takes a message from the library's thread to the loop.
    func receive(_ message: NATSMessage) {
        let limit = self.connection.options.maximumUnhandledBytes
        let mustStart = self.state.withLock { state in
            guard !state.hasEnded else { return false }
            if state.bytes + message.size <= limit {
                state.arrivals.append(message)
                state.bytes += message.size
            } else {
                state.dropped += 1
            }
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        if mustStart { self.loop.execute { self.deliver() } }
    }

    private func deliver() {
        let (arrivals, dropped) = self.state.withLock { state in
            defer { (state.arrivals, state.bytes, state.dropped, state.isDelivering) = ([], 0, 0, false) }
            return (state.arrivals, state.dropped)
        }
        // The handler may end the subscription at any of them.
        for message in arrivals where !self.hasEnded { self.handle(.message(message)) }
        if dropped > 0, !self.hasEnded { self.handle(.dropped(dropped)) }
    }
}

extension NATSConnection {
    /// Subscribes to a subject, which may have wildcards.
    ///
    /// It does not wait until the library has done it: a failure is reported as a ``ConnectionEvent/problem(_:)``.
    ///
    /// - Parameters:
    ///   - subject: What to subscribe to.
    ///   - loop: Where the handler is called; without one, on the connection's own loop, where it must not block.
    ///   - handle: Gets the messages in the order in which the server sent them.
    /// - Returns: The subscription. What this connection sends from now on is sent after it.
    /// - Throws: ``NATSError/closed`` or ``NATSError/invalid(_:)``.
    public func subscribe(
        to subject: String,
        on loop: EventLoop? = nil,
        _ handle: @escaping @Sendable (SubscriptionEvent) -> Void
    ) throws(NATSError) -> Subscription {
        try NATSMessage.validate(subject: subject)
        let subscription = Subscription(self, loop ?? self.worker, handle)
        guard self.queue(.start(subscription, subject: subject)) else { throw .closed }
        return subscription
    }
}
