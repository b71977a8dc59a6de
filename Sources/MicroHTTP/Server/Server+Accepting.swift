import EventLoop
import InternetAddresses
public import Metrics

// The server accepts connections itself. When descriptors run out, libmicrohttpd waits until one of its connections
// ends; detached streams are none of these. While it has no connection, it retries in a busy loop.
// https://git.gnunet.org/libmicrohttpd.git (`at_limit` in daemon.c)

/// The connections of one loop that are not streams, counted by that loop.
public final class ConnectionMeter: Sendable {
    /// Open connections.
    public let open = Counter()

    /// How often accepting paused because descriptors ran out.
    public let pauses = Counter()

    /// Connections that were refused because their source had as many as allowed.
    public let refused = Counter()

    /// All at zero.
    public init() {}
}

extension Server {
    enum Accepting {
        /// Before the start and after the end.
        case idle
        /// Connections are accepted. Leaves to `full` and `paused`, or to `idle` at the end.
        case open(CInt, EventLoop.Watch)
        /// There are as many connections as allowed. Leaves to `open` when one of them ends.
        case full(CInt)
        /// Descriptors have run out. Leaves to `open` when a timer finds free ones.
        case paused(CInt)
    }

    /// The token of the listening socket and of its timer; that of the daemon and of the tick is 0.
    static let listenerToken = 1

    /// How many connections are accepted before the library runs: each that has sent something takes memory for a head
    /// until it is answered, or becomes a stream.
    static let acceptsPerTurn = 10

    /// How long accepting pauses, in nanoseconds; connections wait in the kernel meanwhile.
    private static let pause: Int64 = 100_000_000

    /// The shortest time between two calls of `ranOut`, in nanoseconds.
    private static let alarmInterval: Int64 = 10_000_000_000

    func listen(on descriptor: CInt) {
        do throws(SystemError) {
            let watch = try self.loop.watch(descriptor, for: .readable, by: self, token: Self.listenerToken)
            self.accepting = .open(descriptor, watch)
        } catch {
            // An epoll set that is full has room again when another watch has ended.
            self.accepting = .paused(descriptor)
            _ = self.loop.schedule(at: EventLoop.now + Self.pause, self, token: Self.listenerToken)
        }
    }

    func accept() {
        for _ in 0..<Self.acceptsPerTurn {
            guard case .open(let listener, let watch) = self.accepting else { break }
            guard self.connections.count < self.configuration.connectionLimit else {
                self.loop.unwatch(watch)
                self.accepting = .full(listener)
                break
            }
            switch SocketCalls.accept(from: listener) {
            case .accepted(let accepted):
                let isLast = accepted.descriptor >= self.descriptorLimit
                if self.configuration.quota.hasRoom(for: accepted.peer) {
                    self.add(accepted)
                } else {
                    self.refuse(accepted)
                }
                if isLast { self.pauseAccepting(listener, watch) }
            case .empty:
                return self.run()
            case .exhausted:
                self.pauseAccepting(listener, watch)
            }
        }
        self.run()
    }

    /// A refused connection gets a response while fewer connections than this are being ended; else it is just closed.
    private static let refusalLimit = 256

    /// Answers a connection whose source has too many, before any request, and ends it.
    private func refuse(_ accepted: consuming AcceptedConnection) {
        self.configuration.meter.refused.add()
        let (descriptor, address) = (accepted.descriptor, accepted.peer)
        let socket = Socket(owning: descriptor, isLimited: true)
        guard self.lingering.assumeIsolated({ $0.count }) < Self.refusalLimit else { return }
        let request = RefusedRequest(
            error: .tooManyConnections,
            method: "",
            target: [],
            headers: HeaderFields(),
            peer: address
        )
        let response = self.configuration.refused(request, self.configuration.describe(.tooManyConnections))
        self.lingering.assumeIsolated { $0.end(socket, sending: [Frame(response.serialized())]) }
    }

    private func pauseAccepting(_ listener: CInt, _ watch: EventLoop.Watch) {
        self.loop.unwatch(watch)
        self.accepting = .paused(listener)
        self.configuration.meter.pauses.add()
        let now = EventLoop.now
        if now - Self.alarmInterval >= self.lastAlarm {
            self.lastAlarm = now
            self.configuration.ranOut()
        }
        _ = self.loop.schedule(at: now + Self.pause, self, token: Self.listenerToken)
    }

    /// Ends a pause if there are free descriptors, and prolongs it otherwise.
    func retryAccepting() {
        guard case .paused(let listener) = self.accepting else { return }
        if let next = SocketCalls.lowestFreeDescriptor(besides: listener), next < self.descriptorLimit {
            self.listen(on: listener)
        } else {
            _ = self.loop.schedule(at: EventLoop.now + Self.pause, self, token: Self.listenerToken)
        }
    }

    /// Accepts again after a connection has ended.
    func resumeAccepting() {
        guard case .full(let listener) = self.accepting, !self.isStopping else { return }
        self.listen(on: listener)
    }

    func stopListening() {
        switch self.accepting {
        case .idle:
            return
        case .open(let listener, let watch):
            self.loop.unwatch(watch)
            SocketCalls.closeDescriptor(listener)
        case .full(let listener), .paused(let listener):
            SocketCalls.closeDescriptor(listener)
        }
        self.accepting = .idle
    }
}
