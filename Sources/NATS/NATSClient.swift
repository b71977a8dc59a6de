public import EventLoop
import Synchronization

/// Sends requests over a connection; answers and timeouts come on its loop.
///
/// Any thread may call it. Every receiver is called on the loop, never from within the call that sent the request, and for
/// the last time with an error, or when it says that it has enough. When the loop is stopped, nothing comes any more.
public final class NATSClient: Sleeper {
    /// What a receiver wants after an answer.
    public enum Reception: Sendable {
        /// The request is over.
        case done
        /// Another answer is to come.
        case more
    }

    /// Gets the answers to a request, in the order in which the server sent them.
    public typealias Receiver = @Sendable (Result<NATSMessage, NATSError>) -> Reception

    private struct Request {
        let receive: Receiver
        let size: Int
        let epoch: Int
        var timer: EventLoop.Timer?
    }

    private struct State {
        var requests: [Int: Request] = [:]
        /// The bytes of all requests.
        var bytes = 0
        var nextRequest = 0
        var nextBatch = 0
        /// Answers that the loop has not taken yet; past `maximumUnhandledBytes` more are dropped, and their requests time out.
        var arrivals: [(request: Int, message: NATSMessage)] = []
        var arrivedBytes = 0
        var isDelivering = false
    }

    /// Where answers come.
    public let loop: EventLoop
    /// The connection.
    public let connection: NATSConnection
    /// The number by which answers find it.
    let id: Int
    /// The subject that answers to its requests begin with.
    let prefix: String
    private let state = Mutex(State())

    init(_ connection: NATSConnection, id: Int, loop: EventLoop) {
        self.connection = connection
        self.id = id
        self.loop = loop
        self.prefix = "\(connection.inbox)\(id)."
    }

    /// How many requests are not over; one ends when its receiver has returned.
    public var pendingRequests: Int { self.state.withLock { $0.requests.count } }

    /// Sends a request; the receiver gets the answers, or why there are none.
    ///
    /// - Parameters:
    ///   - message: What to send; its reply subject is set here.
    ///   - timeout: How long to wait for the last answer.
    ///   - receive: Gets the answers.
    public func request(_ message: NATSMessage, timeout: Duration, _ receive: @escaping Receiver) {
        self.request([message], timeout: timeout, isCheck: false, receive)
    }

    /// Sends a request and waits for its one answer.
    ///
    /// - Parameters:
    ///   - message: What to send; its reply subject is set here.
    ///   - timeout: How long to wait for the answer.
    /// - Returns: The answer.
    /// - Throws: ``NATSError``; whether the request can have been carried out, says ``NATSError/mayHaveHappened``.
    public func request(_ message: NATSMessage, timeout: Duration) async throws(NATSError) -> NATSMessage {
        let result = await withCheckedContinuation { continuation in
            self.request(message, timeout: timeout) { result in
                continuation.resume(returning: result)
                return .done
            }
        }
        return try result.get()
    }

    /// Sends several messages, one behind the other, that belong to one request.
    ///
    /// - Parameters:
    ///   - messages: What to send; not empty. The first one and the last one carry the reply subject.
    ///   - timeout: How long to wait for the last answer.
    ///   - isCheck: Whether this asks for the server's version.
    ///   - receive: Gets the answers.
    func request(
        _ messages: [NATSMessage],
        timeout: Duration,
        isCheck: Bool,
        _ receive: @escaping Receiver
    ) {
        let size = messages.reduce(0) { $0 + $1.size }
        let options = self.connection.options
        let id: Int? = self.state.withLock { state in
            guard state.requests.count < options.maximumRequests, state.bytes + size <= options.maximumBytes else {
                return nil
            }
            state.nextRequest += 1
            // No loss of the connection ends it before its epoch is known.
            state.requests[state.nextRequest] = Request(receive: receive, size: size, epoch: .max)
            state.bytes += size
            return state.nextRequest
        }
        guard let id else {
            return self.loop.execute { _ = receive(.failure(.overloaded)) }
        }
        do throws(NATSError) {
            var messages = messages
            for index in messages.indices where index == 0 || index == messages.count - 1 {
                messages[index].reply = self.prefix + String(id)
            }
            let epoch = try self.connection.send(messages, isCheck: isCheck) { self.end(id, with: $0) }
            self.setEpoch(epoch, of: id)
        } catch {
            return self.end(id, with: error)
        }
        let deadline = EventLoop.now + timeout.nanoseconds
        if self.loop.isCurrent {
            self.arm(id, at: deadline)
        } else {
            self.loop.execute { self.arm(id, at: deadline) }
        }
    }

    /// A number that no other batch of this client has.
    func nextBatch() -> Int {
        self.state.withLock { state in
            state.nextBatch += 1
            return state.nextBatch
        }
    }

    private func setEpoch(_ epoch: Int, of id: Int) {
        self.state.withLock { state in
            guard let request = state.requests[id] else { return }
            state.requests[id] = Request(receive: request.receive, size: request.size, epoch: epoch)
        }
        // The connection may have been lost between the two steps, and with it the request.
        let now = self.connection.state.withLock { $0.epoch }
        if now != epoch { self.end(id, with: .connectionLost) }
    }

    private func arm(_ id: Int, at deadline: Int64) {
        guard self.state.withLock({ $0.requests[id] != nil }) else { return }
        let timer = self.loop.schedule(at: deadline, self, token: id)
        self.state.withLock { $0.requests[id]?.timer = timer }
    }

    // MARK: Ends

    /// The loop's call when the time of a request is over.
    public func wake(token: Int) {
        _ = self.take(token)?.receive(.failure(.timeout))
    }

    /// Ends a request, on the loop.
    private func end(_ id: Int, with error: NATSError) {
        self.loop.execute {
            // What arrived before comes first.
            self.deliver()
            _ = self.take(id)?.receive(.failure(error))
        }
    }

    /// Ends all requests that were sent before an epoch.
    func fail(before epoch: Int) {
        self.loop.execute {
            self.deliver()
            let lost = self.state.withLock { state in
                state.requests.filter { $0.value.epoch < epoch }.keys.sorted()
            }
            for id in lost { _ = self.take(id)?.receive(.failure(.connectionLost)) }
        }
    }

    /// Takes a request out; on the loop.
    private func take(_ id: Int) -> Request? {
        let request = self.state.withLock { state in
            let request = state.requests.removeValue(forKey: id)
            state.bytes -= request?.size ?? 0
            return request
        }
        if let timer = request?.timer { self.loop.cancel(timer) }
        return request
    }

    // MARK: Answers

    /// Takes an answer from the library's thread to the loop.
    func receive(_ message: NATSMessage, for request: Int) {
        let limit = self.connection.options.maximumUnhandledBytes
        let mustStart = self.state.withLock { state in
            guard state.requests[request] != nil, state.arrivedBytes + message.size <= limit else { return false }
            state.arrivals.append((request, message))
            state.arrivedBytes += message.size
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        if mustStart { self.loop.execute { self.deliver() } }
    }

    private func deliver() {
        let arrivals = self.state.withLock { state in
            var arrivals: [(request: Int, message: NATSMessage)] = []
            swap(&arrivals, &state.arrivals)
            state.arrivedBytes = 0
            state.isDelivering = false
            return arrivals
        }
        for (id, message) in arrivals {
            guard let request = self.state.withLock({ $0.requests[id] }) else { continue }
            let isUnheard = message.status == 503 && message.body.isEmpty
            switch request.receive(isUnheard ? .failure(.noResponders) : .success(message)) {
            case .done: _ = self.take(id)
            case .more: if isUnheard { _ = self.take(id) }
            }
        }
    }

    // MARK: The server's version

    /// Asks the server at the other end of the connection for its version.
    ///
    /// The library has read it from the server's INFO, but does not tell; every server answers this request itself, before
    /// any other can.
    func askVersion(_ receive: @escaping @Sendable (Result<ServerVersion, NATSError>) -> Void) {
        let question = NATSMessage(subject: "$SYS.REQ.USER.INFO")
        let timeout = self.connection.options.connectTimeout
        self.request([question], timeout: timeout, isCheck: true) { result in
            receive(Self.version(result))
            return .done
        }
    }

    private static func version(_ result: Result<NATSMessage, NATSError>) -> Result<ServerVersion, NATSError> {
        switch result {
        case .success(let answer):
            guard let json = JSONValue(answer.body), let text = json["server"]?["ver"]?.string,
                let version = ServerVersion(text)
            else { return .failure(.unsupportedServer("The NATS server does not tell its version.")) }
            return .success(version)
        case .failure(.noResponders): return .failure(.unknownVersion)
        case .failure(let error): return .failure(error)
        }
    }
}

extension NATSError {
    /// The server does not answer the question for its version.
    static var unknownVersion: Self {
        .unsupportedServer(
            """
            The NATS server does not tell its version: it must be 2.12 or later, and the user must be allowed to publish \
            to $SYS.REQ.USER.INFO and to subscribe to _INBOX.>
            """
        )
    }
}
