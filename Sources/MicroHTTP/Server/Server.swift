public import EventLoop

/// Serves HTTP on one loop: one libmicrohttpd daemon in external epoll mode, run by the loop's thread.
///
/// Several servers may listen on one address, one for each loop: the kernel spreads the connections over them.
public actor Server: LoopActor {
    /// How a server behaves.
    public struct Configuration: Sendable {
        /// Connections that the daemon may hold at a time; detached ones do not count.
        public var connectionLimit = 1024

        /// How long a connection may be silent.
        public var idleTimeout: Duration = .seconds(60)

        /// Memory for a connection's request head, in bytes; a longer head is answered with 431.
        public var memoryLimit = 8 * 1024

        /// The longest body, in bytes.
        public var bodyLimit = 64 * 1024

        /// Answers the requests.
        public var handler: Handler

        /// The methods that a resource knows; none when nothing is there.
        public var allowed: @Sendable (Target) -> [Method] = { _ in [] }

        /// Makes the answer to a request that never reaches the handler.
        public var describe: @Sendable (HTTPError) -> Response

        /// A configuration with these two and defaults for the rest.
        public init(handler: @escaping Handler, describe: @escaping @Sendable (HTTPError) -> Response) {
            self.handler = handler
            self.describe = describe
        }
    }

    /// The loop that serves.
    public nonisolated let loop: EventLoop

    private let configuration: Configuration
    private var daemon: DaemonHandle?
    private var watch: EventLoop.Watch?
    /// A connection was resumed: the daemon has to run before the loop waits, or the connection hangs.
    private var needsRun = false
    private var isStopping = false
    /// Requests whose handler has not answered yet.
    private var pending: Set<ObjectIdentifier> = []
    private var whenIdle: CheckedContinuation<Void, Never>?

    /// How many bytes of a body that is too long are read before the connection is given up, in bytes.
    private static let discardLimit = 1024 * 1024

    /// A server that does nothing yet.
    public init(loop: EventLoop, configuration: Configuration) {
        self.loop = loop
        self.configuration = configuration
    }

    /// Starts to serve on a listening socket.
    ///
    /// - Throws: When the library or the kernel refuses.
    public func start(on listener: consuming Listener) throws(SystemError) {
        precondition(self.daemon == nil, "A server starts once.")
        SocketCalls.ignoreBrokenPipes()
        guard let daemon = DaemonHandle(listening: listener.takeDescriptor(), for: self, self.configuration) else {
            throw SystemError(call: "MHD_start_daemon", code: 0)
        }
        self.watch = try self.loop.watch(daemon.epollDescriptor, for: .readable, by: self)
        self.daemon = consume daemon
        self.loop.addHook(self)
    }

    /// Stops: accepts nothing more, lets handlers answer, ends every connection.
    ///
    /// Handlers have to answer soon: one that waits for a person detaches its connection, and is not waited for.
    public func stop() async {
        guard self.daemon != nil, !self.isStopping else { return }
        self.isStopping = true
        if let listener = self.daemon?.quiesce(), listener >= 0 { SocketCalls.closeDescriptor(listener) }
        if !self.pending.isEmpty { await withCheckedContinuation { self.whenIdle = $0 } }
        // Twice: the first run takes up resumed connections, the second writes what they had to say.
        self.daemon?.run()
        self.daemon?.run()
        if let watch = self.watch { self.loop.unwatch(watch) }
        self.loop.removeHook(self)
        self.daemon = nil
    }
}

// MARK: - The library's calls

extension Server {
    /// Takes a request's head.
    ///
    /// False ends the connection.
    func begin(_ exchange: Exchange, _ connection: ConnectionHandle, method: String, version: String) -> Bool {
        exchange.headers = connection.headers()
        if let error = self.violation(exchange, method: method, version: version) {
            return self.refuse(exchange, connection, error)
        }
        guard let method = Method(rawValue: method) else {
            // RFC 9110 §15.5.6: the resource says which methods it knows.
            guard let target = Target(exchange.target) else {
                return self.refuse(exchange, connection, .malformed("malformed request target"))
            }
            let allowed = self.configuration.allowed(target)
            return self.refuse(exchange, connection, allowed.isEmpty ? .notFound : .methodNotAllowed(allowed))
        }
        exchange.method = method
        exchange.state = .body
        return true
    }

    /// Takes a part of a request's body, or its end when the part is empty.
    ///
    /// False ends the connection.
    func proceed(_ exchange: Exchange, _ connection: ConnectionHandle, _ chunk: UploadChunk) -> Bool {
        switch exchange.state {
        case .body where chunk.count > 0:
            return self.take(chunk, for: exchange)
        case .body:
            return self.dispatch(exchange, connection)
        case .answered(let reply):
            return self.deliver(reply, exchange, connection)
        case .head, .running, .suspended, .completed:
            return false
        }
    }

    /// The library is done with a request, answered or not.
    func complete(_ exchange: Exchange) {
        exchange.state = .completed
        exchange.task?.cancel()
        exchange.task = nil
    }

    private func violation(_ exchange: Exchange, method: String, version: String) -> HTTPError? {
        let headers = exchange.headers
        if let error = RequestRules.violation(method: method, version: version, headers: headers) { return error }
        if let length = headers["content-length"].flatMap(Int.init), length > self.configuration.bodyLimit {
            return .bodyTooLong(limit: self.configuration.bodyLimit)
        }
        return self.isStopping ? .stopping : nil
    }

    private func refuse(_ exchange: Exchange, _ connection: ConnectionHandle, _ error: HTTPError) -> Bool {
        var response = self.configuration.describe(error)
        response.closesConnection = true
        exchange.state = .answered(.response(response))
        return connection.queue(response)
    }

    private func take(_ chunk: UploadChunk, for exchange: Exchange) -> Bool {
        guard exchange.body.count + chunk.count <= self.configuration.bodyLimit, exchange.discarded == 0 else {
            // An answer can only be queued at the end, so the rest is read and dropped, within reason.
            exchange.discarded += chunk.count
            return exchange.discarded <= Self.discardLimit
        }
        chunk.append(to: &exchange.body)
        return true
    }

    private func dispatch(_ exchange: Exchange, _ connection: ConnectionHandle) -> Bool {
        guard exchange.discarded == 0 else {
            return self.refuse(exchange, connection, .bodyTooLong(limit: self.configuration.bodyLimit))
        }
        guard !self.isStopping else { return self.refuse(exchange, connection, .stopping) }
        guard let target = self.target(of: exchange) else {
            return self.refuse(exchange, connection, .malformed("malformed request target"))
        }
        let request = Request(
            method: exchange.method,
            target: target,
            headers: exchange.headers,
            body: exchange.body,
            peer: connection.peer
        )
        exchange.state = .running
        self.pending.insert(ObjectIdentifier(exchange))
        exchange.task = Task.immediate {
            let reply = await self.configuration.handler(request)
            self.finish(exchange, with: reply)
        }
        switch exchange.state {
        case .answered(let reply):
            return self.deliver(reply, exchange, connection)
        case .running:
            exchange.state = .suspended(connection)
            connection.suspend()
            return true
        case .head, .body, .suspended, .completed:
            preconditionFailure("A running request is answered or waits.")
        }
    }

    /// RFC 9112 §3.2.4: `OPTIONS *` asks about the server; the router knows it as the root path.
    private func target(of exchange: Exchange) -> Target? {
        if exchange.method == .options, exchange.target == [UInt8(ascii: "*")] { return Target("/".utf8) }
        return Target(exchange.target)
    }

    private func finish(_ exchange: Exchange, with reply: Reply) {
        self.pending.remove(ObjectIdentifier(exchange))
        exchange.task = nil
        switch exchange.state {
        case .running:
            exchange.state = .answered(reply)
        case .suspended(let connection):
            exchange.state = .answered(reply)
            connection.resume()
            self.needsRun = true
        case .head, .body, .answered, .completed:
            break
        }
        guard self.isStopping, self.pending.isEmpty else { return }
        self.whenIdle?.resume()
        self.whenIdle = nil
    }

    private func deliver(_ reply: Reply, _ exchange: Exchange, _ connection: ConnectionHandle) -> Bool {
        switch reply {
        case .response(var response):
            if self.isStopping { response.closesConnection = true }
            return connection.queue(response)
        case .detach(let take):
            // Without a descriptor to spare the connection just ends, and the client comes back later.
            if let copy = try? SocketCalls.duplicate(connection.descriptor) { take(Socket(owning: copy)) }
            return false
        }
    }
}

// MARK: - The loop's calls

extension Server: Watcher, TurnHook {
    /// The daemon has something to do.
    public nonisolated func ready(_ readiness: Readiness, token: Int) {
        self.assumeIsolated { $0.daemon?.run() }
    }

    /// Runs the daemon for what was resumed in this turn, or for connections that were silent too long.
    public nonisolated func endOfTurn() -> Int64? {
        self.assumeIsolated { $0.catchUp() }
    }

    private func catchUp() -> Int64? {
        var timeout = self.daemon?.timeout
        if self.needsRun || timeout == 0 {
            self.needsRun = false
            self.daemon?.run()
            timeout = self.daemon?.timeout
        }
        if self.needsRun { timeout = 0 }
        return timeout.map { EventLoop.now + Int64(clamping: $0) * 1_000_000 }
    }
}
