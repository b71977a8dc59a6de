import EventLoop

// Connections that return to the server. The library released such a connection before a late response, and gets it
// again, like one that was just accepted, when the next request arrives. Until then it is parked: it counts towards the
// limits and has the idle timeout of idle connections in the library, but no memory for a head.

extension Server: KeepAliveServer {
    /// Whether connections may return: a quarter of the limit stays free for new ones.
    var takesBack: Bool { !self.isStopping && self.connections.count < self.configuration.connectionLimit / 4 * 3 }

    /// What a connection needs to return after the response to a request; nil when it has to end with that.
    ///
    /// Bytes that the library has read after the request are lost when it releases the connection, and later responses
    /// would be for the wrong requests. So the kernel must have received nothing but the known requests. The sum of
    /// their sizes is never more than the library has read: it lacks empty lines before a request, which the library
    /// skips, and the framing of chunks. The kernel counts the peer's close as one byte. Where the numbers differ, the
    /// connection ends with `Connection: close`.
    func history(of exchange: Exchange, over descriptor: CInt) -> Socket.History? {
        let connection = exchange.connection
        // RFC 9112 §9.3: what makes a connection persist.
        guard exchange.mayPersist, !exchange.isLast,
            !exchange.headers.list("connection").contains(where: { $0.lowercased() == "close" }),
            SocketCalls.bytesReceived(over: descriptor) == connection.received
        else { return nil }
        return Socket.History(server: self, received: connection.received, address: connection.address)
    }

    /// Keeps a connection until its next request comes.
    func park(_ socket: Socket, _ history: Socket.History, _ watch: EventLoop.Watch) {
        let connection = Connection(descriptor: socket.descriptor, address: history.address)
        do throws(SystemError) {
            try self.loop.rewatch(watch, for: [.readable, .peerClosed], by: connection)
        } catch {
            self.loop.unwatch(watch)
            return self.lingering.assumeIsolated { $0.end(socket) }
        }
        self.arrive(connection)
        self.awaitNext(on: connection)
        connection.received = history.received
        connection.parking = Connection.Parking(server: self, socket: socket, watch: watch)
    }

    /// Passes a parked connection to the library if its next request is there, and ends it otherwise.
    func unpark(_ connection: Connection, _ readiness: Readiness) {
        guard let parking = connection.parking else { return }
        connection.parking = nil
        self.loop.unwatch(parking.watch)
        // A peer that has closed its half may have sent a request before.
        let mayBeEmpty = !readiness.isDisjoint(with: [.peerClosed, .hungUp])
        let descriptor = connection.descriptor
        let isOver =
            connection.isTaken || !readiness.contains(.readable) || (mayBeEmpty && !SocketCalls.hasInput(descriptor))
        let accepted = isOver ? nil : SocketCalls.accepted(over: descriptor)
        if accepted != nil { connection.isTaken = true }
        self.leave(connection)
        guard let accepted else { return }
        _ = parking.socket.takeDescriptor()
        self.add(accepted, received: connection.received)
        self.added += 1
        if self.added < Self.acceptsPerTurn { self.needsRun = true } else { self.run() }
    }

    /// Ends all connections that are parked.
    func clearParking() {
        for connection in self.connections { self.unpark(connection, []) }
    }
}
