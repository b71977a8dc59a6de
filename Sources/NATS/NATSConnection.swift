import EventLoop
import Synchronization
import ToastCore

/// A connection to a cluster of NATS servers, which reconnects until it is closed.
///
/// It has an event loop of its own, which makes all calls to the library and reads and writes the socket: a call may
/// block while the library connects again. Messages to send are queued for this loop, in the order of the calls of
/// each thread. An answer goes to its request's receiver on a thread of the library, any other message to the loop of
/// its subscription.
///
/// Nothing of the library runs before ``connect(_:onEvent:)``. A connection must be closed.
public final class NATSConnection: Sendable {
    enum Phase: Equatable {
        /// Connected, but the server's version is not known: only the question for it may be sent. Becomes ``open``, or
        /// ``lost``, or ``closed``.
        case checking
        /// Requests are served. Becomes ``lost`` or ``closed``.
        case open
        /// The library tries to connect again. Becomes ``checking`` or ``closed``.
        case lost
        /// The end.
        case closed
    }

    /// A call that waits for the worker.
    enum Outgoing: Sendable {
        /// To be written as long as the connection has the epoch in which it was queued.
        case message(NATSMessage, epoch: Int, onFailure: (@Sendable (NATSError) -> Void)?)
        case start(Subscription, subject: String)
        case end(LibrarySubscription)
    }

    struct State {
        var phase = Phase.checking
        var hasOpened = false
        /// Counts lost connections, so that a request of one connection does not end with the next one.
        var epoch = 0
        var maximumPayload = 1 << 20
        /// What waits to be written, oldest first; past `maximumBytes` more is refused.
        var outbox: [Outgoing] = []
        var outboxBytes = 0
        var isWriting = false
        var clients: [Int: NATSClient] = [:]
        var nextClient = 0
        /// The calls of ``close()`` that return when the connection has ended.
        var closing: [CheckedContinuation<Void, Never>] = []
        var hasEnded = false
    }

    /// The options that it was made with.
    public let options: ConnectionOptions
    /// The prefix of the subjects on which answers come: `….CLIENT.REQUEST`.
    let inbox: String
    /// Makes all calls to the library, which may block it; so it has no urgent work.
    let worker: EventLoop
    let state = Mutex(State())
    let library = Mutex<LibraryConnection?>(nil)
    /// Kept as long as the library holds this object.
    private let socket = Mutex<LibrarySocket?>(nil)
    let onEvent: @Sendable (ConnectionEvent) -> Void

    private init(
        _ options: ConnectionOptions,
        worker: EventLoop,
        onEvent: @escaping @Sendable (ConnectionEvent) -> Void
    ) {
        self.options = options
        self.worker = worker
        self.onEvent = onEvent
        let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
        let name = String((0..<22).map { _ in letters[Int.random(in: 0..<letters.count)] })
        self.inbox = "_INBOX.\(name)."
    }

    /// Connects to one of the servers and checks its version.
    ///
    /// - Parameters:
    ///   - options: Where and how to connect.
    ///   - onEvent: Is called with each event, in their order, on the connection's own thread; it must not block. If
    ///     `connect` throws, no loss and no end is reported.
    /// - Returns: The connection, which must be closed.
    /// - Throws: ``NATSError/cannotConnect(_:)``, ``NATSError/unsupportedServer(_:)`` or ``NATSError/invalid(_:)``.
    public static func connect(
        _ options: ConnectionOptions,
        onEvent: @escaping @Sendable (ConnectionEvent) -> Void = { _ in }
    ) async throws(NATSError) -> NATSConnection {
        let worker: EventLoop
        do throws(SystemError) {
            // The library's threads inherit the scheduling policy from this thread, which starts them. With the usual
            // policy each answer interrupts the loops that serve requests.
            worker = try EventLoop(name: "nats", policy: .batch)
        } catch {
            throw .cannotConnect("\(error)")
        }
        let connection = NATSConnection(options, worker: worker, onEvent: onEvent)
        let result = await withCheckedContinuation { continuation in
            worker.execute { continuation.resume(returning: connection.open()) }
        }
        if case .failure(let error) = result {
            worker.stop()
            throw error
        }
        do throws(NATSError) {
            try await connection.check()
        } catch {
            await connection.close()
            throw error
        }
        return connection
    }

    /// Sends what is queued, ends all requests and subscriptions, closes the connection, and ends its threads.
    ///
    /// Requests that have no answer yet fail with ``NATSError/connectionLost``. Returns when all of it is done; to call
    /// it again does no harm.
    public func close() async {
        await withCheckedContinuation { continuation in
            let (isFirst, hasEnded) = self.state.withLock { state in
                guard !state.hasEnded else { return (false, true) }
                state.closing.append(continuation)
                return (state.closing.count == 1, false)
            }
            if hasEnded { return continuation.resume() }
            if isFirst { self.worker.execute { self.end() } }
        }
    }

    /// Whether requests are served now.
    public var isOpen: Bool { self.state.withLock { $0.phase == .open } }

    /// The longest message that the server accepts, in bytes, with its subject and header fields.
    public var maximumPayload: Int { self.state.withLock { $0.maximumPayload } }

    /// Publishes a message, and waits for no acknowledgement.
    ///
    /// - Throws: When it was not queued; one that was queued can be lost with the connection.
    public func publish(_ message: NATSMessage) throws(NATSError) { try self.send([message]) }

    // MARK: The connection's life; all on the worker

    private func open() -> Result<Void, NATSError> {
        let socket = LibrarySocket(on: self.worker) { [weak self] in self?.exchange(isReadable: $0) }
        self.socket.withLock { $0 = socket }
        do throws(NATSError) {
            let library = try LibraryConnection(self, socket)
            self.library.withLock { $0 = library }
            self.state.withLock { $0.maximumPayload = library.maximumPayload }
            // One subscription gets the answers to all requests.
            _ = try library.subscribe(self.inbox + "*.*", MessageSink { [weak self] in self?.route($0) })
            library.flush()
            return .success(())
        } catch {
            if let library = self.library.withLock({ $0.take() }) { library.close() }
            return .failure(error)
        }
    }

    /// Reads what has arrived, and writes what waits.
    ///
    /// Never reads in vain: a read that finds nothing waits for data, without end, when a thread of the library takes
    /// the connection for lost at that moment (nats.c 3.4.1, `natsSock_Read`).
    private func exchange(isReadable: Bool) {
        guard let library = self.library.withLock({ $0 }) else { return }
        if isReadable { library.receive() }
        library.flush()
    }

    /// Takes an event from a thread of the library to the worker.
    func take(_ event: LibraryEvent) { self.worker.execute { [weak self] in self?.receive(event) } }

    /// The pause in milliseconds after that many attempts in which no server could be reached.
    func pause(after attempts: Int) -> Int64 {
        let base = self.options.reconnectPause.milliseconds << min(attempts - 1, 16)
        let pause = min(base, self.options.longestReconnectPause.milliseconds)
        return pause + Int64.random(in: 0...(pause / 2))
    }

    private func receive(_ event: LibraryEvent) {
        switch event {
        case .disconnected:
            if self.lose(.lost) { self.tellLoss(.disconnected) }
        case .reconnected:
            let mayCheck = self.state.withLock { state in
                guard state.phase == .lost else { return false }
                state.phase = .checking
                return true
            }
            guard mayCheck, let library = self.library.withLock({ $0 }) else { return }
            self.state.withLock { $0.maximumPayload = library.maximumPayload }
            self.checkAgain()
        case .problem(let text):
            self.onEvent(.problem(text))
        case .closed:
            if self.lose(.closed) { self.tellLoss(.closed) }
        }
    }

    /// Reports that the connection is lost or closed, unless it was never open: then ``connect(_:onEvent:)`` throws.
    private func tellLoss(_ event: ConnectionEvent) {
        if self.state.withLock({ $0.hasOpened }) { self.onEvent(event) }
    }

    /// Enters a phase without a connection, and ends all requests; false when it is in that phase or closed already.
    private func lose(_ phase: Phase) -> Bool {
        let (isNew, epoch, clients) = self.state.withLock { state in
            guard state.phase != .closed, state.phase != phase else { return (false, 0, [NATSClient]()) }
            state.phase = phase
            state.epoch += 1
            return (true, state.epoch, Array(state.clients.values))
        }
        for client in clients { client.fail(before: epoch) }
        return isNew
    }

    private func end() {
        let hadEvent = !self.lose(.closed)
        // From here on nothing is queued. What was queued before is still sent, if there is a connection.
        self.carryOut(self.takeOutbox())
        let library = self.library.withLock { $0.take() }
        library?.close()
        let waiting = self.state.withLock { state in
            state.hasEnded = true
            state.clients = [:]
            return state.closing
        }
        if !hadEvent { self.tellLoss(.closed) }
        self.worker.stop()
        for continuation in waiting { continuation.resume() }
    }

    // MARK: The server's version

    private func check() async throws(NATSError) {
        let result = await withCheckedContinuation { continuation in
            self.checkVersion { continuation.resume(returning: $0) }
        }
        // At the start, no answer means that the server never answers this question.
        if case .failure(.timeout) = result { throw Self.unknownVersion }
        try result.get()
    }

    /// Checks the server of a connection that was lost before.
    private func checkAgain() {
        self.checkVersion { result in
            switch result {
            case .success, .failure(.connectionLost), .failure(.notConnected), .failure(.closed):
                // After a loss, the next connection is checked in its turn.
                break
            case .failure(.timeout), .failure(.overloaded):
                // The server is slow, or the connection is lost, and the library has not noticed.
                Task {
                    // Nothing cancels this task.
                    try? await Task.sleep(for: .milliseconds(100))
                    if self.state.withLock({ $0.phase == .checking }) { self.checkAgain() }
                }
            case .failure(let error):
                self.onEvent(.refused(error))
                Task { await self.close() }
            }
        }
    }

    /// Asks a server for its version, and opens the connection if that is recent enough; the receiver is called on the
    /// worker.
    ///
    /// The library has read the version from the server's INFO, but does not tell it. The server at the other end
    /// answers this request itself, before any other server can.
    private func checkVersion(_ receive: @escaping @Sendable (Result<Void, NATSError>) -> Void) {
        let client = self.makeClient()
        let epoch = self.state.withLock { $0.epoch }
        let question = NATSMessage(subject: "$SYS.REQ.USER.INFO")
        client.request([question], timeout: self.options.connectTimeout, isCheck: true) { answer in
            // The worker reports losses, too, so a connection is never reported after its loss.
            self.worker.execute {
                self.state.withLock { $0.clients[client.id] = nil }
                receive(Result { () throws(NATSError) in try self.accept(answer, since: epoch) })
            }
            return .done
        }
    }

    private func accept(_ answer: Result<NATSMessage, NATSError>, since epoch: Int) throws(NATSError) {
        if case .failure(.noResponders) = answer { throw Self.unknownVersion }
        let body = try answer.get().body
        let json = try? JSON(parsing: body, limitsMarks: false)
        guard let version = json?["server"]?["ver"]?.string.flatMap({ ServerVersion($0) }) else {
            throw .unsupportedServer("The NATS server does not tell its version.")
        }
        let minimum = self.options.minimumVersion
        guard version >= minimum else {
            throw .unsupportedServer(
                """
                The NATS server has version \(version); \(minimum) or later is needed, because older ones accept two \
                writers with the same expected sequence, and know no atomic batches
                """
            )
        }
        let isOpen = self.state.withLock { state in
            guard state.phase == .checking, state.epoch == epoch else { return false }
            (state.phase, state.hasOpened) = (.open, true)
            return true
        }
        guard isOpen else { throw .connectionLost }
        self.onEvent(.connected(server: version))
    }

    /// The server does not answer the question for its version.
    private static let unknownVersion = NATSError.unsupportedServer(
        """
        The NATS server does not tell its version: it must be 2.12 or later, and the user must be allowed to publish \
        to $SYS.REQ.USER.INFO and to subscribe to _INBOX.>
        """
    )

    // MARK: Clients

    /// Makes a client, which sends requests and gets the answers.
    public func makeClient() -> NATSClient {
        self.state.withLock { state in
            let client = NATSClient(self, id: state.nextClient)
            state.nextClient += 1
            if state.phase != .closed { state.clients[client.id] = client }
            return client
        }
    }

    /// Hands an answer to the client that asked; the library's thread calls it.
    private func route(_ message: NATSMessage) {
        let tokens = message.subject.utf8.dropFirst(self.inbox.utf8.count)
        guard let dot = tokens.firstIndex(of: UInt8(ascii: ".")), let client = Int(Substring(tokens[..<dot])),
            let request = Int(Substring(tokens[tokens.index(after: dot)...]))
        else { return }
        self.state.withLock { $0.clients[client] }?.receive(message, for: request)
    }
}
