public import EventLoop
import Measures

// The connections that the library holds, and how long each may take.
//
// The library's own timeout counts from the last byte, so a peer that sends one now and then, or reads one, would hold
// its connection forever. These deadlines count from the moment when something became due, and no byte moves them.

extension Server {
    /// A connection came: its first request is due.
    func arrive(_ peer: Peer) {
        if !self.returning.isEmpty { peer.received = self.returning.removeValue(forKey: peer.descriptor) ?? 0 }
        peer.place = self.peers.count
        self.peers.append(peer)
        self.configuration.meter.open.add()
        self.configuration.quota.enter(peer.address)
        self.expect(peer, within: self.requestBeats)
        guard !self.isBeating else { return }
        self.isBeating = true
        self.scheduleBeat()
    }

    /// A connection is about to be closed.
    ///
    /// Bytes that come behind a close are answered with a reset, in which the peer's system may drop an answer that was
    /// not read yet (RFC 9112 §9.6). So the server goes on reading when it chose to close, and when input is
    /// there already, as behind what the library refuses by itself.
    func leave(_ peer: Peer) {
        if !peer.isTaken, peer.mayGoOn || SocketCalls.hasInput(peer.descriptor),
            let copy = try? SocketCalls.duplicate(peer.descriptor)
        {
            self.lingering.assumeIsolated { $0.end(Socket(owning: copy, isLimited: peer.isLimited)) }
        }
        self.peers.swapAt(peer.place, self.peers.count - 1)
        self.peers[peer.place].place = peer.place
        self.peers.removeLast()
        self.configuration.meter.open.add(-1)
        self.configuration.quota.leave(peer.address)
        self.goOnAccepting()
    }

    /// A request's first line came: the rest of it is due.
    func awaitRest(of exchange: Exchange) {
        exchange.peer.idleSince = nil
        self.expect(exchange.peer, within: self.requestBeats)
    }

    /// An answer is on its way: the peer has to read it.
    func awaitReading(by peer: Peer) {
        self.expect(peer, within: self.idleBeats)
    }

    /// An answer is out: the next request may take its time.
    func awaitNext(of peer: Peer) {
        peer.idleSince = self.beat
        self.expect(peer, within: self.idleBeats)
    }

    /// One beat more, because the one under way may be almost over.
    private func expect(_ peer: Peer, within beats: Int) {
        peer.deadline = self.beat + 1 + beats
    }

    /// How many beats a time takes, counted once: to divide lengths of time costs more than all else about a deadline.
    static func beats(in time: Duration) -> Int {
        Int((time / self.beatLength).rounded(.up))
    }

    fileprivate static let beatLength = Duration.milliseconds(500)

    fileprivate func scheduleBeat() {
        _ = self.loop.schedule(at: EventLoop.now + Int64(Self.beatLength / .nanoseconds(1)), self)
    }

    /// Ends the connections whose time is up.
    ///
    /// The descriptor stays the library's, which finds the connection gone and lets go of it; what was not sent yet is
    /// dropped, because a peer that does not read would have the kernel keep it for minutes.
    fileprivate func sweep() {
        self.beat += 1
        for peer in self.peers where peer.deadline <= self.beat {
            peer.deadline = .max
            peer.isTaken = true
            SocketCalls.abort(peer.descriptor)
        }
        if self.peers.count > self.configuration.connectionLimit / 4 * 3 { self.dismissIdle() }
        self.isBeating = !self.peers.isEmpty
        if self.isBeating { self.scheduleBeat() }
    }
}

extension Server {
    /// The beats that a connection may always wait for its next request.
    private static let shortestIdleTime = 2

    /// Ends the connections that wait for their next request, because there is hardly room for new ones.
    ///
    /// RFC 9112 §9.5: a client has to expect this at any time, and comes again.
    fileprivate func dismissIdle() {
        for peer in self.peers {
            guard let since = peer.idleSince, !peer.isTaken, self.beat - since >= Self.shortestIdleTime else {
                continue
            }
            peer.isTaken = true
            _ = SocketCalls.closeHalf(peer.descriptor)
            SocketCalls.closeInput(peer.descriptor)
        }
    }
}

extension Server: Sleeper {
    /// A beat has come.
    public nonisolated func wake(token: Int) {
        self.assumeIsolated { token == Self.listenerToken ? $0.tryAgain() : $0.sweep() }
    }
}
