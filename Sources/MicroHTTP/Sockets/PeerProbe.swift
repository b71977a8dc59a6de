import Synchronization

/// Looks at a connection's socket while its request waits for an answer: the library does not look at it then.
final class PeerProbe: Sendable {
    /// The connection's socket; nil once it may be closed.
    private let descriptor: Mutex<CInt?>

    init(_ descriptor: CInt) {
        self.descriptor = Mutex(descriptor)
    }

    /// Whether the peer has closed its half of the connection, or all of it; asked on any thread.
    var hasLeft: Bool { self.descriptor.withLock { $0.map(SocketCalls.hasEnded) ?? true } }

    /// Ends the probe: the socket is about to be closed, and its descriptor may soon belong to another one.
    func end() { self.descriptor.withLock { $0 = nil } }
}
