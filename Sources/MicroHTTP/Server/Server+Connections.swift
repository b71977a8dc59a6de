public import EventLoop
import Metrics

// The server's connections and their deadlines.
//
// The library's own timeout counts from the last byte, so a peer that sends or reads one now and then would keep its
// connection forever. These deadlines count from the moment when something became due, and no byte moves them.

extension Server {
    /// Adds a connection, whose first request is due.
    func arrive(_ connection: Connection) {
        if !self.returning.isEmpty {
            connection.received = self.returning.removeValue(forKey: connection.descriptor) ?? 0
        }
        connection.place = self.connections.count
        self.connections.append(connection)
        self.configuration.meter.open.add()
        self.configuration.quota.enter(connection.address)
        self.expect(connection, within: self.requestTicks)
        guard !self.isTicking else { return }
        self.isTicking = true
        self.scheduleTick()
    }

    /// Removes a connection that is about to be closed.
    ///
    /// The kernel answers bytes that arrive after a close with a reset, on which the peer's system may drop a response
    /// that was not read yet (RFC 9112 §9.6). So the server goes on reading if it chose to close, or if there is input
    /// already, as after a request that the library itself refused.
    func leave(_ connection: Connection) {
        connection.probe.end()
        // Without a free descriptor the connection just ends.
        if !connection.isTaken, connection.endsWithResponse || SocketCalls.hasInput(connection.descriptor),
            let copy = try? SocketCalls.duplicate(connection.descriptor)
        {
            let socket = Socket(owning: copy, isLimited: connection.isLimited)
            self.lingering.assumeIsolated { $0.end(socket) }
        }
        let place = connection.place
        self.connections.swapAt(place, self.connections.count - 1)
        self.connections[place].place = place
        self.connections.removeLast()
        self.configuration.meter.open.add(-1)
        self.configuration.quota.leave(connection.address)
        self.resumeAccepting()
    }

    /// The rest of a request is due.
    func awaitRest(of exchange: Exchange) {
        exchange.connection.idleSince = nil
        self.expect(exchange.connection, within: self.requestTicks)
    }

    /// The connection is idle until its next request.
    func awaitNext(on connection: Connection) {
        connection.idleSince = self.tick
        self.expect(connection, within: self.idleTicks)
    }

    /// Ends the connection unless it goes on within so many ticks, and one: the current one may be almost over.
    func expect(_ connection: Connection, within ticks: Int) {
        connection.deadline = self.tick + 1 + ticks
    }

    /// A duration in ticks, computed once, because a division of durations takes longer than all else about a deadline.
    static func ticks(in time: Duration) -> Int {
        Int((time / self.tickLength).rounded(.up))
    }

    private static let tickLength = Duration.milliseconds(500)

    private func scheduleTick() {
        _ = self.loop.schedule(at: EventLoop.now + Int64(Self.tickLength / .nanoseconds(1)), self)
    }

    /// Ends the connections whose deadline has passed.
    ///
    /// The descriptor stays the library's, which notices the end and closes it. Unsent data is dropped, because the
    /// kernel would keep it for minutes for a peer that does not read.
    private func sweep() {
        self.tick += 1
        if let whenSent, whenSent.tick <= self.tick { self.endSending() }
        for connection in self.connections where connection.deadline <= self.tick {
            connection.deadline = .max
            connection.isTaken = true
            SocketCalls.abort(connection.descriptor)
        }
        if self.connections.count > self.configuration.connectionLimit / 4 * 3 { self.closeIdle() }
        self.isTicking = !self.connections.isEmpty
        if self.isTicking { self.scheduleTick() }
    }

    /// The ticks for which an idle connection is not ended to make room.
    private static let shortestIdleTime = 2

    /// Ends idle connections, because there is hardly room for new ones.
    ///
    /// RFC 9112 §9.5: a client has to expect this at any time, and reconnects.
    private func closeIdle() {
        for connection in self.connections where !connection.isTaken {
            guard let since = connection.idleSince, self.tick - since >= Self.shortestIdleTime else { continue }
            connection.isTaken = true
            _ = SocketCalls.closeHalf(connection.descriptor)
            SocketCalls.closeInput(connection.descriptor)
        }
    }
}

extension Server: Sleeper {
    /// A tick is due, or a pause of accepting is over.
    public nonisolated func wake(token: Int) {
        self.assumeIsolated { token == Self.listenerToken ? $0.retryAccepting() : $0.sweep() }
    }
}
