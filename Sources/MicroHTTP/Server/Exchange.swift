/// A request and its response, from the request line to the last byte.
///
/// `@unchecked Sendable` is right for the same reason as for a ``Connection``.
final class Exchange: @unchecked Sendable {
    /// Each state leaves to `completed` when the library ends the request.
    enum State {
        /// From the request line. Leaves to `body` or `refused`.
        case head
        /// The head was accepted, the body is being received. Leaves to `running` or `refused`.
        case body
        /// The handler runs inside the library's callback. Leaves to `suspended` or `answered`.
        case running
        /// The handler awaits something, and the library does not look at the connection. Leaves to `answered`.
        case suspended(ConnectionHandle)
        /// The reply is known, and delivered in this callback or the next. Leaves to `delivered` or `detached`.
        case answered(Reply)
        /// The library sends the response; holds its charge.
        case delivered(MemoryCharge?)
        /// The connection was taken from the library.
        case detached
        /// The connection was taken from the library and is being closed.
        case refused
        /// The library is done with the request.
        case completed
    }

    let target: [UInt8]
    /// The target's address in the library's memory; only compared, never read.
    let targetAddress: UInt
    let connection: Connection
    var method = Method.get
    /// The method as it was sent.
    var methodName = ""
    var headers = HeaderFields()
    var body: [UInt8] = []
    var state = State.head
    var task: Task<Void, Never>?
    /// The longest body that the resource accepts, once it was looked up.
    var bodyLimit: Int?
    /// Whether the connection ends with the response, also if ``Response/closesConnection`` is false.
    var isLast = false
    /// Whether its version keeps the connection open unless a header field closes it.
    var mayPersist = false

    var hasBegun: Bool {
        if case .head = self.state { false } else { true }
    }

    init(target: [UInt8], at address: UInt, of connection: Connection) {
        self.target = target
        self.targetAddress = address
        self.connection = connection
    }
}
