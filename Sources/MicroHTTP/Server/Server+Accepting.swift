import EventLoop
import InternetAddresses
public import Measures

// Connections are accepted by the server itself, because the library knows only its own: when descriptors run out it waits
// until one of its own connections ends, which detached streams are not, and with none it tries again without end.
// https://git.gnunet.org/libmicrohttpd.git (`at_limit` in daemon.c)

/// The connections of one loop that are no streams, counted by that loop alone.
public final class ConnectionMeter: Sendable {
    /// Connections that there are.
    public let open = Counter()

    /// How often accepting paused for want of descriptors.
    public let pauses = Counter()

    /// Connections that were turned away because their source had as many as one may have.
    public let refused = Counter()

    /// Nothing counted yet.
    public init() {}
}

extension Server {
    /// How accepting stands.
    enum Accepting {
        /// Before the start and after the end.
        case idle
        /// Whoever comes is accepted. Leaves to `full` and `paused`, or to `idle` at the end.
        case open(CInt, EventLoop.Watch)
        /// There are as many connections as there may be. Leaves to `open` when one of them ends.
        case full(CInt)
        /// Descriptors have run out. Leaves to `open` when a look at them, now and then, finds some.
        case paused(CInt)
    }

    /// Tells the listening socket from the daemon, and the timer for it from the beat.
    static let listenerToken = 1

    /// Connections that are accepted before those that are there get their turn: each that has said something holds memory for
    /// a head until it was answered, or became a stream.
    static let acceptsPerTurn = 10

    /// How long accepting pauses, in nanoseconds: who waits meanwhile does so in the kernel.
    private static let pause: Int64 = 100_000_000

    /// How often it is told that descriptors ran out, in nanoseconds.
    private static let alarmInterval: Int64 = 10_000_000_000

    func listen(on descriptor: CInt) {
        do throws(SystemError) {
            let watch = try self.loop.watch(descriptor, for: .readable, by: self, token: Self.listenerToken)
            self.accepting = .open(descriptor, watch)
        } catch {
            // An epoll set that has no room for one more has it again when something else has gone.
            self.accepting = .paused(descriptor)
            _ = self.loop.schedule(at: EventLoop.now + Self.pause, self, token: Self.listenerToken)
        }
    }

    func accept() {
        // Those that the library has not told of yet: it does so when it runs.
        var newcomers: [IPAddress] = []
        for _ in 0..<Self.acceptsPerTurn {
            guard case .open(let listener, let watch) = self.accepting else { break }
            guard self.peers.count < self.configuration.connectionLimit else {
                self.loop.unwatch(watch)
                self.accepting = .full(listener)
                break
            }
            switch SocketCalls.accept(from: listener) {
            case .accepted(let arrival):
                let isLast = arrival.descriptor >= self.descriptorLimit
                let address = arrival.peer
                if self.configuration.quota.hasRoom(for: address, beside: newcomers) {
                    self.add(arrival)
                    if let address { newcomers.append(address) }
                } else {
                    self.turnAway(arrival)
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

    /// Connections that are told why they are turned away, at a time; one more is just closed.
    private static let farewells = 256

    /// Answers a connection for which its source has no room, whatever it asks, and ends it.
    private func turnAway(_ arrival: consuming Arrival) {
        self.configuration.meter.refused.add()
        let (descriptor, address) = (arrival.descriptor, arrival.peer)
        let socket = Socket(owning: descriptor, isLimited: true)
        guard self.lingering.assumeIsolated({ $0.count }) < Self.farewells else { return }
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

    /// A pause is over: looks whether there are descriptors again.
    func tryAgain() {
        guard case .paused(let listener) = self.accepting else { return }
        if let next = SocketCalls.lowestFreeDescriptor(besides: listener), next < self.descriptorLimit {
            self.listen(on: listener)
        } else {
            _ = self.loop.schedule(at: EventLoop.now + Self.pause, self, token: Self.listenerToken)
        }
    }

    /// A connection has ended, so there may be room for another.
    func goOnAccepting() {
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
