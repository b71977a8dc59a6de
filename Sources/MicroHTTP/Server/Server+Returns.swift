import EventLoop

// Connections that come back. A late answer is written past the library, which has let go of the connection, and gets it
// again as if it had just been accepted, once the next request is there. Until then the connection is parked: it counts as
// those that wait for their next request in the library, and its time is theirs, but it has no memory for a head.

/// A connection between a late answer and the next request, which no library holds.
struct Parking {
    let server: Server
    let socket: Socket
    let watch: EventLoop.Watch
}

extension Server {
    /// Whether connections may come back: those that are parked leave a quarter of the room to new ones.
    var takesBack: Bool { !self.isStopping && self.peers.count < self.configuration.connectionLimit / 4 * 3 }

    /// How a connection may come back behind the answer to a request; nil when it has to end with that.
    ///
    /// What the library has read behind the request is lost when it lets go, and the answers behind it would be to the wrong
    /// requests. So nothing may have come over the connection but its requests so far. Their sizes never add up to more than
    /// the library has read: empty lines before one, which it skips, and the framing of chunks are missing. The kernel counts
    /// the peer's end as a byte. So what is not known to be whole ends with `Connection: close`.
    func wayBack(behind exchange: Exchange, over descriptor: CInt) -> Socket.WayBack? {
        // RFC 9112 §9.3: what makes a connection persist.
        guard exchange.mayPersist, !exchange.isLast,
            !exchange.headers.list("connection").contains(where: { $0.lowercased() == "close" }),
            SocketCalls.bytesReceived(over: descriptor) == exchange.peer.received
        else { return nil }
        return Socket.WayBack(server: self, received: exchange.peer.received, address: exchange.peer.address)
    }

    /// Keeps a connection until its next request comes.
    func park(_ socket: Socket, by way: Socket.WayBack, _ watch: EventLoop.Watch) {
        let peer = Peer(descriptor: socket.descriptor, address: way.address)
        do throws(SystemError) {
            try self.loop.rewatch(watch, for: [.readable, .peerClosed], by: peer)
        } catch {
            self.loop.unwatch(watch)
            return self.lingering.assumeIsolated { $0.end(socket) }
        }
        self.arrive(peer)
        self.awaitNext(of: peer)
        peer.received = way.received
        peer.parking = Parking(server: self, socket: socket, watch: watch)
    }

    /// Hands a parked connection over to the library if its next request is there, and ends it otherwise.
    func unpark(_ peer: Peer, _ readiness: Readiness) {
        guard let parking = peer.parking else { return }
        peer.parking = nil
        self.loop.unwatch(parking.watch)
        // A peer that has closed its half may have asked before.
        let mayBeEmpty = !readiness.isDisjoint(with: [.peerClosed, .hungUp])
        let isOver =
            peer.isTaken || !readiness.contains(.readable) || (mayBeEmpty && !SocketCalls.hasInput(peer.descriptor))
        let arrival = isOver ? nil : SocketCalls.arrival(over: peer.descriptor)
        if arrival != nil { peer.isTaken = true }
        self.leave(peer)
        guard let arrival else { return }
        _ = parking.socket.takeDescriptor()
        self.add(arrival, behind: peer.received)
        self.added += 1
        if self.added < Self.acceptsPerTurn { self.needsRun = true } else { self.run() }
    }

    /// Ends all connections that are parked.
    func clearParking() {
        for peer in self.peers { self.unpark(peer, []) }
    }
}

extension Peer: Watcher {
    /// The next request of a parked connection is there, or its end.
    func ready(_ readiness: Readiness, token: Int) {
        self.parking?.server.onLoop((self, readiness)) { $0.unpark($1.0, $1.1) }
    }
}
