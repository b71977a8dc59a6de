import EventLoop
import InternetAddresses

/// A connection of the server: held by the library, or parked between two requests.
///
/// `@unchecked Sendable` is right because a connection is only used on its server's loop: by the library's callbacks,
/// which run inside `MHD_run` there, by the loop, which watches a parked one, and by the server, an actor of that loop.
final class Connection: @unchecked Sendable {
    /// A connection between a late response and its next request, while the library does not hold it.
    struct Parking {
        let server: Server
        let socket: Socket
        let watch: EventLoop.Watch
    }

    /// The connection's socket, which is the library's unless the connection is parked.
    let descriptor: CInt

    /// The tick of the server at which the connection is ended; `.max` for never, as while a handler works for it.
    var deadline = Int.max

    /// The tick since which the connection has waited for its next request; nil while there is one.
    var idleSince: Int?

    /// Whether the socket was passed on, or the server has ended the connection: then the library just closes it.
    var isTaken = false

    /// Whether the kernel's send buffer is limited, as for every connection that had no long response.
    var isLimited = true

    /// Whether the last response ends the connection; the peer may send more before it has read that.
    var endsWithResponse = false

    /// The known bytes of its requests since the connection was opened.
    var received = 0

    /// The parking of a connection that the library does not hold; nil while it holds it.
    var parking: Parking?

    /// The index in the server's list.
    var place = 0

    /// The client's address; nil when it is not known.
    let address: IPAddress?

    /// Tells whether the peer has closed its half of the connection, or all of it.
    let probe: PeerProbe

    init(descriptor: CInt, address: IPAddress?) {
        self.descriptor = descriptor
        self.probe = PeerProbe(descriptor)
        self.address = address
    }
}

extension Connection: Watcher {
    /// The next request of a parked connection, or its end.
    func ready(_ readiness: Readiness, token: Int) {
        self.parking?.server.assumeIsolated { $0.unpark(self, readiness) }
    }
}
