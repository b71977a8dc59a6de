public import EventLoop
import Measures
import MicroHTTP
public import ToastAccess
public import ToastCore

/// The streams of one loop, and who of them hears which channel.
///
/// A channel hands what happened once to each loop that has listeners, whatever their number; the fanout of that
/// loop writes it to the sockets. All that happened in one turn of the loop goes out in one write for each stream.
/// A publisher never waits for a stream: one that is too slow is ended, and resumes by its cursor.
public actor Fanout: LoopActor {
    /// The loop that the streams live on.
    public nonisolated let loop: EventLoop

    nonisolated let hub: Hub

    /// Answers a command that a WebSocket peer sent.
    public typealias CommandHandler = @Sendable (SocketSession, [UInt8]) async -> [UInt8]

    let limits: StreamLimits
    /// Ends streams so that their last frames arrive.
    let lingering: LingeringClose
    var commandHandler: CommandHandler?

    var streams: [Stream?] = []
    /// What a delivery needs of a stream, at the stream's slot.
    var seats: [DirectSubscriber] = []
    var free: [Int] = []
    private var serial: UInt64 = 0
    /// The slots of the streams that hear a channel.
    var audiences: [ChannelName: [Int]] = [:]
    /// What came in this turn and has not gone out yet.
    var fresh: [ChannelName: [BroadcastEvent]] = [:]
    /// What the streams read in.
    let languages: Languages
    /// What is read for streams that are behind.
    var reads = LogReads()
    /// The last pages that were read since the last beat, for streams that come to the same place.
    var pages: [ReplayPage] = []
    var isDraining = false
    /// Whether a listener's rights still hold, by the access file that was read last.
    private var mayGoOn: @Sendable (Principal) -> Bool = { _ in true }
    /// Goes on when the last stream has ended.
    var whenDrained: CheckedContinuation<Void, Never>?
    var scratch = [UInt8](repeating: 0, count: 64 * 1024)
    /// Long-polls for which something came in this turn.
    var due: [StreamID] = []
    var beat = 0

    /// What happened to the streams.
    public nonisolated let meter = StreamMeter()

    /// Told of every stream that has ended.
    var whenEnded: (@Sendable (StreamRecord) -> Void)?

    /// The streams of a loop.
    ///
    /// - Parameters:
    ///   - loop: The loop.
    ///   - hub: Where the channels are.
    ///   - limits: How many streams there may be, and how long each.
    public init(loop: EventLoop, hub: Hub, limits: StreamLimits) {
        self.loop = loop
        self.hub = hub
        self.limits = limits
        self.lingering = LingeringClose(loop: loop)
        self.languages = Languages(hub.catalogs, hub.epoch)
    }

    /// Starts to send and to keep streams alive.
    ///
    /// Call it after the loop's server has started: hooks run in the order in which they were added, and what the
    /// server's last requests brought should still go out in the same turn.
    public func start() {
        self.loop.addHook(self)
        self.scheduleBeat()
    }

    /// Sets who answers the commands of WebSocket peers.
    public func answerCommands(with handler: @escaping CommandHandler) {
        self.commandHandler = handler
    }

    /// Sets who is told of every stream that has ended.
    public func tellEnds(to listener: @escaping @Sendable (StreamRecord) -> Void) {
        self.whenEnded = listener
    }

    /// How many streams there are.
    public var count: Int { self.streams.count - self.free.count }
}

// MARK: - Opening

extension Fanout {
    /// Opens an event stream; its first frames wait for the socket.
    public func openEventStream(_ request: StreamRequest) async throws(StreamError) -> PendingStream {
        try await self.open(.eventStream, request)
    }

    /// Opens a WebSocket; its first frames wait for the socket.
    public func openWebSocket(_ request: StreamRequest) async throws(StreamError) -> PendingStream {
        try await self.open(.webSocket, request)
    }

    /// Answers a long-poll at once if there is something, or lets it wait.
    public func openPoll(
        _ request: StreamRequest,
        wait: Interval,
        answer: @escaping LateAnswer
    ) async throws(StreamError) -> PollOutcome {
        let ticket = try await self.open(.poll(answer), request)
        try await self.read(for: ticket.id)
        guard let stream = self.stream(ticket.id) else { return .waiting(ticket) }
        if !stream.held.isEmpty || wait <= .zero {
            let body = self.pollBody(stream)
            // What these took is for the answer now.
            stream.held = []
            self.end(stream, .answered)
            return .ready(body)
        }
        self.expire(stream, after: wait)
        return .waiting(ticket)
    }

    /// Waits for the end of a toast, for a publisher who wants to know it.
    ///
    /// The toast is taken back when the publisher's connection is lost, if it `withdraws`.
    public func openOutcome(
        of id: ToastID,
        in channel: ChannelName,
        for visitor: Caller = .nobody,
        wait: Interval,
        withdraws: Bool = false,
        name: String,
        answer: @escaping OutcomeAnswer
    ) async throws(StreamError) -> PendingStream {
        let filter = EventFilter([.dismissed])
        let request = StreamRequest(
            channels: [channel],
            isComposite: false,
            filter: filter,
            visitor: visitor,
            name: name
        )
        let ticket = try await self.open(.outcome(id, answer), request)
        if withdraws { self.withdrawIfLost(ticket.id) }
        // The toast may have gone before its channel was joined, and no event will tell.
        let isOver = await !self.lives(id, in: channel)
        guard let stream = self.stream(ticket.id) else { return ticket }
        if isOver { stream.isEnding = true } else { self.expire(stream, after: wait) }
        return ticket
    }

    /// Whether a toast lives, so that an event will tell how it ends.
    private func lives(_ id: ToastID, in channel: ChannelName) async -> Bool {
        // A channel that cannot be read right now will tell by an event, too.
        guard case .lives(let lives) = try? await self.hub.perform(.watchEnd(id), on: channel) else { return true }
        return lives
    }

    private func open(_ kind: Stream.Kind, _ request: StreamRequest) async throws(StreamError) -> PendingStream {
        guard !self.isDraining else { throw .draining }
        // They were checked a while ago, perhaps before the streams of those like them were ended.
        guard self.mayGoOn(request.visitor.principal) else { throw .rightsEnded }
        guard self.count < self.limits.count else {
            self.meter.refused.add()
            throw .tooManyStreams
        }
        do throws(StreamError) {
            try self.hub.census.enter(from: request.visitor.source)
        } catch {
            self.meter.refused.add()
            throw error
        }
        if self.languages.isStale { self.renewLanguages() }
        let stream = self.add(kind, request)
        let ticket = PendingStream(fanout: self, id: stream.id)
        // All channels have their places before the first one is heard, so that every cursor speaks for all of them.
        for channel in request.channels { try self.prepare(stream, for: channel, since: request.cursor) }
        for channel in request.channels { try await self.join(stream, channel, since: request.cursor) }
        self.limit(stream, to: request.visitor.principal.expires)
        return ticket
    }

    /// Ends the streams of those who may not do any more what they could, and opens none for them from now on; what
    /// answers once does so now.
    public func endStreams(unless mayGoOn: @escaping @Sendable (Principal) -> Bool) {
        self.mayGoOn = mayGoOn
        for case let stream? in self.streams where !mayGoOn(stream.visitor.principal) { self.finish(stream, .expired) }
    }

    /// Ends a stream when its listener's rights do; what answers once is over before it matters.
    private func limit(_ stream: Stream, to end: Instant?) {
        guard let end, !stream.isEnded else { return }
        switch stream.kind {
        case .eventStream, .webSocket: self.expire(stream, after: max(.zero, end - self.hub.clock.now))
        case .poll, .outcome: break
        }
    }

    private func add(_ kind: Stream.Kind, _ request: StreamRequest) -> Stream {
        let slot = self.free.popLast() ?? self.streams.count
        if slot == self.streams.count { self.streams.append(nil) }
        self.serial += 1
        let stream = Stream(
            id: StreamID(slot: slot, serial: self.serial),
            kind: kind,
            request: request,
            reading: request.languages.map(self.languages.reading)
        )
        if case .webSocket = kind { stream.reader = WebSocketReader(limits: self.limits.socket) }
        if let age = self.limits.maximumAge { stream.lastBeat = self.beat + Int(Double(age) * .random(in: 0.8...1)) }
        self.streams[slot] = stream
        if let transport = stream.transport { self.meter.countOpened(transport) }
        return stream
    }

    func stream(_ id: StreamID) -> Stream? {
        guard let stream = self.streams[id.slot], stream.id == id else { return nil }
        return stream
    }
}
