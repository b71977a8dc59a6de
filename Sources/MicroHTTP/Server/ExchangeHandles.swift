// What the library holds for us from one call to the next: one object for a connection, one for a request on it.

import InternetAddresses

/// A connection of the library's, and until when it has to have done what it does.
///
/// `@unchecked Sendable` is right because a peer is only touched on its server's loop: by the library's callbacks,
/// which run inside `MHD_run` there, and by the server, an actor of that loop.
final class Peer: @unchecked Sendable {
    /// The connection's socket, which stays the library's unless it is parked; valid until the peer has left.
    let descriptor: CInt

    /// The beat of the server's clock at which the connection is ended; never while a handler works for it.
    var deadline = Int.max

    /// The beat since which the connection has waited for its next request; nil while one is under way.
    var idleSince: Int?

    /// Somebody else has the socket now, or it was ended by force: there is nothing to see to when the library closes.
    var isTaken = false

    /// Whether the kernel holds only a little for the connection, as for every one that had no long answer.
    var isLimited = true

    /// Whether the peer may still send: the server chose to close the connection, and the peer has not seen that yet.
    var mayGoOn = false

    /// The bytes of its requests so far, as far as they are known, since the connection was opened.
    var received = 0

    /// Where the connection is while it is not the library's.
    var parking: Parking?

    /// Where the server's list holds the peer.
    var place = 0

    /// Where the connection comes from; nil when that is not known.
    let address: IPAddress?

    init(descriptor: CInt, address: IPAddress?) {
        self.descriptor = descriptor
        self.address = address
    }
}

/// One request and its answer, from the request line to the last byte.
///
/// `@unchecked Sendable` is right for the same reason as for a ``Peer``.
final class Exchange: @unchecked Sendable {
    enum State {
        /// The request line came. Leaves to `body`, `answered` or `refused`.
        case head
        /// The head passed, the body is coming. Leaves to `running`, `answered` or `refused`.
        case body
        /// The handler runs inside the library's callback. Leaves to `suspended` or `answered`.
        case running
        /// The handler waits for something, and the connection for the handler. Leaves to `answered`.
        case suspended(ConnectionHandle)
        /// The reply is there, and goes out in this callback or the next. Leaves to `completed`.
        case answered(Reply)
        /// The connection was taken from the library and is being closed. Leaves to `completed`.
        case refused
        /// The library is done with the request.
        case completed
    }

    let target: [UInt8]
    /// Where the target stood in the library's memory; only compared, never read.
    let targetAddress: UInt
    let peer: Peer
    var method = Method.get
    /// The method as it was sent.
    var methodName = ""
    var headers = HeaderFields()
    var body: [UInt8] = []
    var state = State.head
    var task: Task<Void, Never>?
    /// The longest body that the resource takes, once that was asked.
    var bodyLimit: Int?
    /// The connection ends with the answer, whatever the answer says.
    var isLast = false
    /// Its version lets the connection go on unless somebody says otherwise.
    var mayPersist = false

    var hasBegun: Bool {
        if case .head = self.state { false } else { true }
    }

    init(target: [UInt8], at address: UInt, of peer: Peer) {
        self.target = target
        self.targetAddress = address
        self.peer = peer
    }
}
