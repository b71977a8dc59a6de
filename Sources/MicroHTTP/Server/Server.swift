public import EventLoop

/// Serves HTTP on one loop: one libmicrohttpd daemon in external epoll mode, run by the loop's thread.
///
/// Several servers may listen on one address, one for each loop: the kernel spreads the connections over them.
public actor Server: LoopActor {
    /// How a server behaves.
    public struct Configuration: Sendable {
        /// Connections that the daemon may hold at a time; detached ones do not count.
        public var connectionLimit = 1024

        /// How many of them one source may have, over all servers that share the quota.
        public var quota = ConnectionQuota()

        /// How long a connection may wait for its next request, and how long its peer may take to read an answer.
        public var idleTimeout: Duration = .seconds(60)

        /// How long a request may take to come: the first one of a connection since it was opened, each later one
        /// since its first line.
        public var requestTimeout: Duration = .seconds(20)

        /// The longest request head, in bytes; a longer one is answered with 431.
        ///
        /// A stream of 128 channels that comes back names each of them twice, which takes 18 KiB.
        public var headLimit = 20 * 1024

        /// The most fields of a request head; more are answered with 431.
        public var fieldLimit = 100

        /// Memory for a connection's request head and what the library keeps beside it, in bytes; what does not even fit in
        /// here the library answers itself.
        ///
        /// All of it is resident in every connection that has had a request, and cleared before the next one.
        var memoryLimit: Int { self.headLimit + max(4096, 40 * self.fieldLimit) }

        /// The longest body of the requests for any resource, in bytes.
        public var bodyLimit = 64 * 1024

        /// The longest body of the requests for a resource, where it may be longer.
        public var bodyLimitOf: @Sendable (Target) -> Int? = { _ in nil }

        /// Answers the requests.
        public var handler: Handler

        /// The methods that a resource knows; none when nothing is there.
        public var allowed: @Sendable (Target) -> [Method] = { _ in [] }

        /// Makes the answer to a request that never reaches the handler.
        public var describe: @Sendable (HTTPError) -> Response

        /// Sees each answer to a request that never reached the handler before it goes out, and may add to it.
        public var refused: @Sendable (RefusedRequest, Response) -> Response = { $1 }

        /// Descriptors that are left for other things than connections: accepting pauses when fewer are free.
        public var spareDescriptors = 0

        /// Called when accepting pauses for want of descriptors, at most once in ten seconds.
        public var ranOut: @Sendable () -> Void = {}

        /// Counts connections.
        public var meter = ConnectionMeter()

        /// A configuration with these two and defaults for the rest.
        public init(handler: @escaping Handler, describe: @escaping @Sendable (HTTPError) -> Response) {
            self.handler = handler
            self.describe = describe
        }
    }

    /// The loop that serves.
    public nonisolated let loop: EventLoop

    let configuration: Configuration
    /// How long requests may take, and connections between them, in beats.
    let (requestBeats, idleBeats): (Int, Int)
    /// Ends the connections whose requests were refused.
    let lingering: LingeringClose
    private var daemon: DaemonHandle?
    private var watch: EventLoop.Watch?
    /// A connection was resumed: the daemon has to run before the loop waits, or the connection hangs.
    var needsRun = false
    private(set) var isStopping = false
    /// How many requests there are whose handler has not answered yet.
    var pending = 0
    var whenIdle: CheckedContinuation<Void, Never>?

    /// How many connections the library got back since it ran, and those of them that it has not told of yet: by descriptor,
    /// the bytes of their requests so far.
    var (added, returning): (Int, [CInt: Int]) = (0, [:])

    var accepting = Accepting.idle
    /// The first descriptor that is not for connections.
    var descriptorLimit = CInt.max

    /// When it was last told that descriptors ran out.
    var lastAlarm = Int64.min

    /// The connections that the library holds.
    var peers: [Peer] = []
    /// Beats since the first connection came: what deadlines are counted in, so that a request reads no clock.
    var beat = 0
    var isBeating = false

    /// A server that does nothing yet.
    public init(loop: EventLoop, configuration: Configuration) {
        self.loop = loop
        self.configuration = configuration
        self.requestBeats = Self.beats(in: configuration.requestTimeout)
        self.idleBeats = Self.beats(in: configuration.idleTimeout)
        self.lingering = LingeringClose(loop: loop)
    }

    /// Starts to serve on a listening socket.
    ///
    /// - Throws: When the library or the kernel refuses.
    public func start(on listener: consuming Listener) throws(SystemError) {
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

    /// Stops: accepts nothing more, lets handlers answer, ends every connection, and returns when the last answers
    /// have been read, or too slowly.
    ///
    /// Handlers have to answer soon: one that waits for a person detaches its connection, and is not waited for.
    public func stop() async {
        guard self.daemon != nil, !self.isStopping else { return }
        self.isStopping = true
        self.stopListening()
        if self.pending > 0 { await withCheckedContinuation { self.whenIdle = $0 } }
        // Twice: the first run takes up resumed connections, the second writes what they had to say.
        self.daemon?.run()
        self.daemon?.run()
        if let watch = self.watch { self.loop.unwatch(watch) }
        self.loop.removeHook(self)
        self.daemon = nil
        self.clearParking()
        await self.lingering.finish()
    }
}

// MARK: - The loop's calls

extension Server: Watcher, TurnHook {
    /// The daemon has something to do.
    public nonisolated func ready(_ readiness: Readiness, token: Int) {
        self.onLoop(token) { $1 == Self.listenerToken ? $0.accept() : $0.run() }
    }

    func run() {
        self.added = 0
        self.daemon?.run()
    }

    /// Hands a connection to the library, perhaps behind requests of so many bytes.
    func add(_ arrival: consuming Arrival, behind received: Int = 0) {
        // Of each, because descriptors are used again, and the library may close one before it tells of it.
        if received > 0 || !self.returning.isEmpty { self.returning[arrival.descriptor] = received }
        self.daemon?.add(arrival)
    }

    /// Runs the daemon for what was resumed in this turn, or for connections that were silent too long.
    public nonisolated func endOfTurn() -> Int64? {
        self.onLoop(()) { server, _ in server.catchUp() }
    }

    private func catchUp() -> Int64? {
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
