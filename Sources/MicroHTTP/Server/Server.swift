public import EventLoop

/// Serves HTTP on one loop: one libmicrohttpd daemon in external epoll mode, run by the loop's thread.
///
/// Several servers may listen on one address, one for each loop; the kernel distributes the connections.
public actor Server: LoopActor {
    /// The settings of a server.
    public struct Configuration: Sendable {
        /// The most connections at a time; detached ones do not count.
        public var connectionLimit = 1024

        /// The most of them that one source may have, over all servers that share the quota.
        public var quota = ConnectionQuota()

        /// How long a connection may wait for its next request, and how long its peer may take to read a response.
        public var idleTimeout: Duration = .seconds(60)

        /// How long a request may take to arrive: the first one from when the connection was opened, each later one
        /// from its first line.
        public var requestTimeout: Duration = .seconds(20)

        /// The longest request head, in bytes; the response to a longer one is 431.
        ///
        /// A stream of 128 channels that resumes names each of them twice, which takes 18 KiB.
        public var headLimit = 20 * 1024

        /// The most fields of a request head; the response to more is 431.
        public var fieldLimit = 100

        /// Memory for a connection's request head, the library's data for it, a part of the body and the response, in
        /// bytes; a head that does not even fit into this is answered by the library itself.
        ///
        /// All of it is resident for every connection that has had a request, and cleared before the next one.
        var memoryLimit: Int { self.headLimit + max(4096, 40 * self.fieldLimit) + Self.bodyMemory }

        /// The part of that memory that a head may not take, in bytes.
        ///
        /// The library reads the body into what the head leaves, and lets that grow only while 8 KiB are free: with
        /// less it would read a few bytes at a time. The response needs some 2 KiB of it.
        static let bodyMemory = 8192

        /// The longest body of a request for any resource, in bytes.
        public var bodyLimit = 64 * 1024

        /// The longest body of a request for a resource that accepts longer ones, in bytes; nil for others.
        public var bodyLimitOf: @Sendable (Target) -> Int? = { _ in nil }

        /// Answers requests.
        public var handler: Handler

        /// The methods of a resource; none when there is no resource.
        public var allowed: @Sendable (Target) -> [Method] = { _ in [] }

        /// Makes the response to a request that never reaches the handler.
        public var describe: @Sendable (HTTPError) -> Response

        /// Called with each response to a request that never reached the handler; may add to it.
        public var refused: @Sendable (RefusedRequest, Response) -> Response = { $1 }

        /// Descriptors that are reserved for other uses than connections: accepting pauses when fewer are free.
        public var spareDescriptors = 0

        /// Called when accepting pauses because descriptors ran out, at most once in ten seconds.
        public var ranOut: @Sendable () -> Void = {}

        /// Counts connections.
        public var meter = ConnectionMeter()

        /// A configuration with defaults for all other settings.
        public init(handler: @escaping Handler, describe: @escaping @Sendable (HTTPError) -> Response) {
            self.handler = handler
            self.describe = describe
        }
    }

    /// The loop that serves.
    public nonisolated let loop: EventLoop

    let configuration: Configuration
    /// The timeouts of requests and of idle connections, in ticks.
    let (requestTicks, idleTicks): (Int, Int)
    /// Ends connections so that their peers get the last bytes.
    let lingering: LingeringClose
    private var daemon: DaemonHandle?
    private var watch: EventLoop.Watch?
    /// Whether a connection was resumed: the daemon has to run before the loop waits, or the connection hangs.
    var needsRun = false
    private(set) var isStopping = false
    /// How many requests wait for the answer of their handler.
    var pending = 0
    var whenIdle: CheckedContinuation<Void, Never>?
    /// How many responses the library is sending.
    var sending = 0
    /// The stop that waits until the responses are sent, and the tick in which it goes on at the latest; nil for none.
    var whenSent: (stop: CheckedContinuation<Void, Never>, tick: Int)?

    /// How many connections have returned to the library since it last ran.
    var added = 0
    /// The bytes of earlier requests on each returned connection, by descriptor, until the library reports it.
    var returning: [CInt: Int] = [:]

    var accepting = Accepting.idle
    /// The first descriptor that is reserved for other uses.
    var descriptorLimit = CInt.max

    /// When `ranOut` was last called.
    var lastAlarm = Int64.min

    /// The connections that the library holds, or that are parked.
    var connections: [Connection] = []
    /// Half seconds in which there were connections: the unit of deadlines, so that a request reads no clock.
    var tick = 0
    var isTicking = false

    /// A server that is not started.
    public init(loop: EventLoop, configuration: Configuration) {
        self.loop = loop
        self.configuration = configuration
        self.requestTicks = Self.ticks(in: configuration.requestTimeout)
        self.idleTicks = Self.ticks(in: configuration.idleTimeout)
        self.lingering = LingeringClose(loop: loop)
    }

    /// Starts to serve on a listening socket.
    ///
    /// - Throws: When the library or the kernel refuses.
    public func start(on listener: consuming ListeningSocket) throws(SystemError) {
        precondition(self.daemon == nil, "A server starts once.")
        SocketCalls.ignoreBrokenPipes()
        guard let daemon = DaemonHandle(for: self, self.configuration) else {
            throw SystemError(call: "MHD_start_daemon", code: 0)
        }
        self.watch = try self.loop.watch(daemon.epollDescriptor, for: .readable, by: self)
        self.daemon = consume daemon
        self.loop.addHook(self)
        self.descriptorLimit = CInt(clamping: SystemLimits.descriptors - self.configuration.spareDescriptors)
        self.listen(on: listener.takeDescriptor())
    }

    /// Stops: accepts no connection, lets handlers answer, ends every connection, and returns when the last responses
    /// have been sent and read, or their time is over.
    ///
    /// Handlers have to answer soon: one that waits for a person detaches its connection, and does not delay the stop.
    public func stop() async {
        guard self.daemon != nil, !self.isStopping else { return }
        self.isStopping = true
        self.stopListening()
        if self.pending > 0 { await withCheckedContinuation { self.whenIdle = $0 } }
        // Twice: the first run finds the resumed connections, the second writes their responses.
        self.daemon?.run()
        self.daemon?.run()
        // What the kernel did not take at once is sent as fast as the peers read.
        if self.sending > 0 {
            let end = self.tick + 1 + Self.ticks(in: Self.lastSending)
            await withCheckedContinuation { self.whenSent = ($0, end) }
        }
        if let watch = self.watch { self.loop.unwatch(watch) }
        self.loop.removeHook(self)
        self.daemon = nil
        self.clearParking()
        await self.lingering.finish()
    }
}

extension Server {
    /// How long peers may take to read the last responses of a server that stops.
    private static let lastSending = Duration.seconds(5)

    /// Notes that the library has sent a response, or given it up.
    func noteSent() {
        self.sending -= 1
        if self.sending == 0 { self.endSending() }
    }

    /// Lets a stop go on that waits for responses to be sent.
    func endSending() {
        self.whenSent?.stop.resume()
        self.whenSent = nil
    }
}

// MARK: - The loop's calls

extension Server: Watcher, TurnHook {
    /// The daemon has something to do, or a connection can be accepted.
    public nonisolated func ready(_ readiness: Readiness, token: Int) {
        self.onLoop(token) { server, token in token == Self.listenerToken ? server.accept() : server.run() }
    }

    func run() {
        self.added = 0
        self.daemon?.run()
    }

    /// Passes a connection to the library, perhaps one that had requests of `received` bytes before.
    func add(_ accepted: consuming AcceptedConnection, received: Int = 0) {
        // Also 0, because the descriptor may be that of a connection that the library closed without reporting it.
        if received > 0 || !self.returning.isEmpty { self.returning[accepted.descriptor] = received }
        self.daemon?.add(accepted)
    }

    /// Runs the daemon for connections that were resumed in this turn, and for the library's own timeouts.
    public nonisolated func endTurn(begunAt start: Int64) -> Int64? {
        self.onLoop(()) { server, _ in server.runIfNeeded() }
    }

    private func runIfNeeded() -> Int64? {
        var timeout = self.daemon?.timeout
        if self.needsRun || timeout == 0 {
            self.needsRun = false
            self.run()
            timeout = self.daemon?.timeout
        }
        if self.needsRun { timeout = 0 }
        return timeout.map { EventLoop.now + Int64(clamping: $0) * 1_000_000 }
    }
}
