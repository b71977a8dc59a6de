/// One request and its answer, from the request line to the last byte.
///
/// `@unchecked Sendable` is right because an exchange is only touched on its server's loop: by the library's
/// callbacks, which run inside `MHD_run` there, and by the server, an actor of that loop.
final class Exchange: @unchecked Sendable {
    enum State {
        /// The request line came. Leaves to `body` or `answered`.
        case head
        /// The head passed, the body is coming. Leaves to `running` or `answered`.
        case body
        /// The handler runs inside the library's callback. Leaves to `suspended` or `answered`.
        case running
        /// The handler waits for something, and the connection for the handler. Leaves to `answered`.
        case suspended(ConnectionHandle)
        /// The reply is there, and goes out in this callback or the next. Leaves to `completed`.
        case answered(Reply)
        /// The library is done with the request.
        case completed
    }

    let target: [UInt8]
    var method = Method.get
    var headers = HeaderFields()
    var body: [UInt8] = []
    /// Body bytes that were read and thrown away because the body is too long.
    var discarded = 0
    var state = State.head
    var task: Task<Void, Never>?

    var hasBegun: Bool {
        if case .head = self.state { false } else { true }
    }

    init(target: [UInt8]) {
        self.target = target
    }
}
