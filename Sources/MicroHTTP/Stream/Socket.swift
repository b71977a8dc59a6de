public import EventLoop
import InternetAddresses
import Synchronization

/// Takes connections back that can go on after a late response: a server, as streams see it.
protocol KeepAliveServer: Actor {
    /// Whether it would take a connection back now.
    var takesBack: Bool { get }

    /// Keeps a connection until its next request comes, and the watch on its socket.
    func park(_ socket: Socket, _ history: Socket.History, _ watch: EventLoop.Watch)
}

extension KeepAliveServer {
    /// Whether it would take a connection back now; on its loop's thread.
    fileprivate nonisolated var takesBackNow: Bool { self.assumeIsolated { $0.takesBack } }

    /// Gives it a connection; on its loop's thread.
    fileprivate nonisolated func take(_ socket: Socket, _ history: Socket.History, _ watch: EventLoop.Watch) {
        self.assumeIsolated { $0.park(socket, history, watch) }
    }
}

/// The socket of a connection that the server released; closed when the last reference to it goes.
public final class Socket: Sendable {
    /// What the server knew of the connection when it released it.
    struct History {
        let server: any KeepAliveServer
        /// The bytes of its requests so far, which are all that was ever read from it.
        let received: Int
        /// The client's address; nil when it is not known.
        let address: IPAddress?
    }

    /// The descriptor; non-blocking.
    public let descriptor: CInt

    /// Whether the client speaks HTTP/1.1, and so understands interim responses (RFC 9110 §15.2).
    public let takesInterim: Bool

    /// Nil when the connection ends with its response.
    private let history: History?
    /// Whether this object closes the descriptor.
    private let isOwner = Atomic(true)

    /// A socket that closes its descriptor; limits the kernel's send buffer unless that is done already.
    init(owning descriptor: CInt, isLimited: Bool = false, takesInterim: Bool = false, history: History? = nil) {
        self.descriptor = descriptor
        self.takesInterim = takesInterim
        self.history = history
        if !isLimited { SocketCalls.limitSendBuffer(of: descriptor) }
    }

    deinit {
        if self.isOwner.load(ordering: .relaxed) { SocketCalls.closeDescriptor(self.descriptor) }
    }

    /// Whether the connection may return to its server: then input is its next request, and must not be read here.
    public var mayReturn: Bool { self.history != nil }

    /// Whether the server would take the connection back now, which its response has to say; on the loop's thread.
    public var canReturn: Bool { self.history?.server.takesBackNow ?? false }

    /// Returns the connection to the server, after all of a response was sent; on the loop's thread.
    ///
    /// - Parameter watch: The watch on the descriptor, which is the server's from now on.
    public func returnToServer(watchedBy watch: EventLoop.Watch) {
        guard let history = self.history else { preconditionFailure("This connection ends with its response.") }
        history.server.take(self, history, watch)
    }

    /// Ends the connection at once; unsent data is dropped.
    public func abort() {
        SocketCalls.abort(self.descriptor)
    }

    /// Passes the descriptor to the caller.
    func takeDescriptor() -> CInt {
        self.isOwner.store(false, ordering: .relaxed)
        return self.descriptor
    }
}
