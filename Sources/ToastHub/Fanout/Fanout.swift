package import EventLoop
import Metrics
import MicroHTTP
package import ToastAccess
package import ToastCore

/// The streams of one loop, and their subscriptions.
///
/// A channel passes its events once to each loop that has listeners, whatever their number; the fan-out of that loop
/// writes them to the sockets. All events of one turn of the loop go out in one write per stream. A publisher never
/// waits for a stream: a stream that is too slow is closed, and resumes from its cursor.
package actor Fanout: LoopActor {
    package nonisolated let loop: EventLoop
    nonisolated let hub: Hub

    /// Answers a command that a WebSocket peer sent.
    package typealias CommandHandler = @Sendable (SocketSession, [UInt8]) async -> [UInt8]

    let limits: StreamLimits
    /// Closes sockets so that their last frames arrive.
    let lingering: LingeringClose
    var commandHandler: CommandHandler?

    var streams = StreamTable()
    var direct = DirectSubscribers()
    var channels = ChannelSlots()
    var pending = PendingEvents()
    let languages: Languages
    /// The reads for streams that are behind.
    var reads = LogReads()
    var pages = ReplayCache()
    /// Whether streams are closed because the server stops; new ones are refused.
    var isDraining = false
    /// The number of streams in a slice of the drain.
    var sliceSize = 0
    /// The drain, which waits for the end of the last stream.
    var drainWaiter: CheckedContinuation<Void, Never>?
    /// Whether a caller still has its permissions, and its session.
    private var isValid: @Sendable (Principal) -> Bool = { _ in true }
    var scratch = [UInt8](repeating: 0, count: 64 * 1024)
    /// Long-polls that received an event in this turn.
    var due: [StreamID] = []
    var beat = 0
    private var isLookingForLostClients = false

    package nonisolated let meter = StreamMeter()

    /// Called for each stream that has ended.
    var whenEnded: (@Sendable (StreamRecord) -> Void)?

    package init(loop: EventLoop, hub: Hub, limits: StreamLimits) {
        self.loop = loop
        self.hub = hub
        self.limits = limits
        self.lingering = LingeringClose(loop: loop)
        self.languages = Languages(hub.catalogs, hub.epoch)
    }

    /// Starts the delivery to streams, and the beats that count their times.
    ///
    /// Call it after the loop's server has started: hooks run in the order in which they were added, and events of the
    /// server's last requests should still be sent in the same turn.
    package func start() {
        self.loop.addHook(self)
        self.scheduleBeat()
    }

    package func answerCommands(with handler: @escaping CommandHandler) {
        self.commandHandler = handler
    }

    package func reportEnds(to listener: @escaping @Sendable (StreamRecord) -> Void) {
        self.whenEnded = listener
    }

    package var count: Int { self.streams.count }
}

// MARK: - Opening

extension Fanout {
    /// Opens an event stream; its first frames wait for the socket.
    package func openEventStream(_ request: StreamRequest) async throws(StreamError) -> PendingStream {
        try await self.open(.eventStream, request)
    }

    /// Opens a WebSocket; its first frames wait for the socket.
    package func openWebSocket(_ request: StreamRequest) async throws(StreamError) -> PendingStream {
        try await self.open(.webSocket, request)
    }

    /// Answers a long-poll at once if there are events, or lets it wait.
    package func openPoll(
        _ request: StreamRequest,
        wait: Interval,
        answer: @escaping LateAnswer
    ) async throws(StreamError) -> PollOutcome {
        let pendingStream = try await self.open(.poll(answer), request)
        // The events that it missed are read first, at most a page.
        if let failure = await self.stream(pendingStream.id)?.awaitReading() { throw failure }
        guard let stream = self.stream(pendingStream.id) else { return .waiting(pendingStream) }
        if !stream.collected.isEmpty || wait <= .zero {
            let body = self.pollBody(stream)
            // Releases their charges, so that the answer can be charged.
            _ = stream.collected.take()
            self.end(stream, .answered)
            return .ready(body)
        }
        self.limit(stream, to: wait)
        return .waiting(pendingStream)
    }

    /// Waits for the end of a toast, on behalf of its publisher.
    ///
    /// The toast is dismissed when the publisher's connection is lost, if it `withdraws`.
    package func openOutcome(
        of id: ToastID,
        in channel: ChannelName,
        for caller: Caller = .server,
        wait: Interval,
        withdraws: Bool = false,
        requestID: String,
        answer: @escaping OutcomeAnswer
    ) async throws(StreamError) -> PendingStream {
        let request = StreamRequest(
            channels: [channel],
            isComposite: false,
            filter: EventFilter([.dismissed]),
            caller: caller,
            requestID: requestID
        )
        let pendingStream = try await self.open(.outcome(id, answer), request)
        if withdraws, let stream = self.stream(pendingStream.id) {
            stream.withdraws = true
            self.hub.waitingPublishers.add(id)
        }
        // The toast may have ended before the channel was joined, and no event will report that. If the channel cannot
        // be loaded now, an event will still report the end.
        let found = try? await self.hub.perform(.watchEnd(id), on: channel)
        guard let stream = self.stream(pendingStream.id) else { return pendingStream }
        if case .lives(false)? = found { stream.isEnding = true } else { self.limit(stream, to: wait) }
        return pendingStream
    }

    private func open(_ kind: Stream.Kind, _ request: StreamRequest) async throws(StreamError) -> PendingStream {
        guard !self.isDraining else { throw .draining }
        // The permissions were checked earlier, perhaps before a new access file removed them and ended this
        // principal's other streams.
        guard self.isValid(request.caller.principal) else { throw .permissionsEnded }
        do throws(StreamError) {
            guard self.count < self.limits.count else { throw StreamError.tooManyStreams }
            try self.hub.streamQuotas.countStream(from: request.caller.source)
        } catch {
            self.meter.refused.add()
            throw error
        }
        if self.languages.isStale { self.renewLanguages() }
        let stream = self.add(kind, request)
        self.lookForLostClients()
        let pendingStream = PendingStream(fanout: self, id: stream.id)
        // All subscriptions are added before the first channel is joined, so that every cursor includes all channels.
        do throws(StreamError) {
            for channel in request.channels { try self.prepare(stream, for: channel, since: request.cursor) }
        } catch {
            if error == .tooManyStreamsOfChannel { self.meter.refused.add() }
            throw error
        }
        for channel in request.channels {
            try await self.join(stream, channel, since: request.cursor, hasLeft: request.hasLeft)
        }
        self.limit(stream, to: request.caller.principal.expires)
        return pendingStream
    }

    /// The time between two looks for lost clients, in nanoseconds.
    ///
    /// Short compared with the 5 s for which the audience of a lost node still counts.
    private static let lookInterval: Int64 = 250_000_000

    /// Schedules the next look for clients that have left before their stream has its socket.
    ///
    /// Only a stream with a socket notices that its client leaves. Before, while missed events are read or further
    /// channels are joined, it already counts as audience; in a cluster that has lost its log this can take long.
    private func lookForLostClients() {
        guard !self.isLookingForLostClients else { return }
        self.isLookingForLostClients = true
        _ = self.loop.schedule(at: EventLoop.now + Self.lookInterval, self, token: TimerToken.lostClients)
    }

    func endStreamsOfLostClients() {
        self.isLookingForLostClients = false
        let opening = self.streams.all.filter { $0.writer == nil }
        for stream in opening where stream.hasLeft?() == true { self.end(stream) }
        if !opening.isEmpty { self.lookForLostClients() }
    }

    /// Completes the streams of callers without permission, and opens none for them from now on.
    package func endStreams(unless isValid: @escaping @Sendable (Principal) -> Bool) {
        self.isValid = isValid
        for stream in self.streams.all where !isValid(stream.caller.principal) { self.complete(stream, .expired) }
    }

    /// Sets a timer for the end of the caller's credentials, which is an instant of the wall clock.
    ///
    /// A stream with a single answer ends before that matters.
    private func limit(_ stream: Stream, to end: Instant?) {
        guard let end, !stream.isEnded, !stream.kind.answersOnce else { return }
        self.limit(stream, to: max(.zero, end - .wallClock))
    }

    private func add(_ kind: Stream.Kind, _ request: StreamRequest) -> Stream {
        let languageChoice = request.languages.map(self.languages.choice)
        let lastBeat = self.limits.maximumAge.map { self.beat + Int(Double($0) * .random(in: 0.8...1)) }
        let stream = self.streams.add { id in
            Stream(
                id: id,
                kind: kind,
                request: request,
                languageChoice: languageChoice,
                lastBeat: lastBeat ?? .max,
                socket: self.limits.socket
            )
        }
        if let transport = stream.kind.transport { self.meter.countOpened(transport) }
        return stream
    }

    func stream(_ id: StreamID) -> Stream? { self.streams[id] }
}
