public import EventLoop
import InternetAddresses
import Synchronization

/// The socket of a connection that the server let go of; closed when nobody holds it any longer.
public final class Socket: Sendable {
    /// How a connection comes back to its server.
    struct WayBack {
        let server: Server
        /// The bytes of its requests so far, which are all that was ever read from it.
        let received: Int
        /// Where the connection comes from; nil when that is not known.
        let address: IPAddress?
    }

    /// The descriptor; non-blocking.
    public let descriptor: CInt

    /// Whether the peer speaks HTTP/1.1, and so understands interim answers (RFC 9110 §15.2).
    public let takesInterim: Bool

    private let wayBack: WayBack?
    /// Nobody else has the descriptor.
    private let isOwner = Atomic(true)

    /// A socket that nobody else closes.
    ///
    /// - Parameters:
    ///   - descriptor: Its descriptor.
    ///   - isLimited: Whether the kernel knows already how little it may hold for the peer.
    ///   - takesInterim: Whether the peer speaks HTTP/1.1.
    ///   - wayBack: How the connection goes on behind an answer; nil when it ends.
    init(
        owning descriptor: CInt,
        isLimited: Bool = false,
        takesInterim: Bool = false,
        wayBack: WayBack? = nil
    ) {
        self.descriptor = descriptor
        self.takesInterim = takesInterim
        self.wayBack = wayBack
        if !isLimited { SocketCalls.limitSendBuffer(of: descriptor) }
    }

    deinit {
        if self.isOwner.load(ordering: .relaxed) { SocketCalls.closeDescriptor(self.descriptor) }
    }

    /// Whether the server may get the connection back: then what the peer sends is its next request, and nobody's to read.
    public var hasWayBack: Bool { self.wayBack != nil }

    /// Whether the server would take the connection back now, which the answer before has to say; on the loop's thread.
    public var canReturn: Bool { self.wayBack?.server.onLoop(()) { server, _ in server.takesBack } ?? false }

    /// Gives the connection back to the server, behind an answer of which all is out.
    ///
    /// - Parameter watch: The watch on the descriptor, which is the server's from now on.
    public func giveBack(watchedBy watch: EventLoop.Watch) {
        guard let way = self.wayBack else { preconditionFailure("A connection without a way back ends.") }
        way.server.onLoop((self, way, watch)) { $0.park($1.0, by: $1.1, $1.2) }
    }

    /// Ends the connection at once, and what was not sent with it.
    public func abort() {
        SocketCalls.abort(self.descriptor)
    }

    /// Gives the descriptor away.
    func takeDescriptor() -> CInt {
        self.isOwner.store(false, ordering: .relaxed)
        return self.descriptor
    }
}
