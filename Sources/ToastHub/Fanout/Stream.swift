import EventLoop
import MicroHTTP
import ToastAccess
import ToastCore

/// A client's connection, and its subscriptions.
///
/// Confined to the fan-out that holds it.
final class Stream {
    enum Kind {
        case eventStream
        case webSocket
        /// A single answer: the events that came, or none when its time is up.
        case poll(LateAnswer)
        /// A single answer, when the toast is dismissed or the time is up.
        case outcome(ToastID, OutcomeAnswer)

        /// Whether the request is a long-poll without a cursor, which is not audience.
        ///
        /// It is answered with the state from before its arrival. If its arrival presented a toast, no user would see
        /// it unless the client polls again.
        fileprivate func isFirstLook(_ cursor: Cursor?) -> Bool {
            if case .poll = self { cursor == nil } else { false }
        }

        /// Whether the stream gets a single answer, instead of frames as events are stored.
        var answersOnce: Bool {
            switch self {
            case .eventStream, .webSocket: false
            case .poll, .outcome: true
            }
        }

        /// The transport; nil for a publisher that waits for the end of a toast.
        var transport: Transport? {
            switch self {
            case .eventStream: .sse
            case .webSocket: .websocket
            case .poll: .poll
            case .outcome: nil
            }
        }
    }

    /// A channel whose events the stream receives.
    struct Subscription {
        let channel: ChannelName
        /// The stream's index among the slots of the channel.
        fileprivate(set) var index: Int
        /// Whether the client's cursor names the channel, perhaps in another epoch.
        let isInCursor: Bool
        /// Whether the channel counts the stream as a listener.
        fileprivate(set) var isJoined = false
        /// The stream's position in the channel's log; out of date while ``DirectSubscribers`` serves the stream.
        fileprivate(set) var log: LogPosition
        /// How far the channel's clock runs ahead of the hub's: by as much as the wall clock was set back before the
        /// last start, if the channel has events from then.
        fileprivate(set) var lead = Interval.zero
    }

    // What the request says.

    let id: StreamID
    let kind: Kind
    let filter: EventFilter
    let isComposite: Bool
    /// The stream as its channels count it; ``ChannelListener/unseen`` unless it is audience.
    let listener: ChannelListener
    /// The stream's language; nil when the client asked for none, which stays the server's default when catalogs
    /// change.
    let languageChoice: LanguageChoice?
    let caller: Caller
    let requestID: String
    /// How its events are written; nil for envelopes.
    let encoding: StreamEncoding?
    /// Whether its client has left; nil once the stream has its socket.
    ///
    /// The closure keeps the request's connection in memory.
    private(set) var hasLeft: (@Sendable () -> Bool)?
    /// When the stream was opened, in nanoseconds of the monotonic clock.
    let start = EventLoop.now
    /// The beat at which the stream reaches its maximum age.
    let lastBeat: Int

    /// Frames that wait for the socket; for a long-poll, the envelopes of its answer.
    var collected = CollectedFrames()
    /// The commands of a WebSocket peer; nil for other streams.
    let commands: PeerCommands?

    private(set) var subscriptions: [Subscription] = []

    /// Writes to the socket; nil until the server has handed over the socket, and after the end.
    private(set) var writer: StreamWriter?
    /// The watch of the socket; nil when another object watches the socket, or none does.
    private(set) var watch: EventLoop.Watch?
    /// Frames wait because the socket is full.
    private(set) var isBlocked = false
    /// The peer sends nothing more, and may still read.
    var isHalfClosed = false
    /// A read for the stream is under way, or waits for memory.
    var isReading = false
    /// Beats since a part of the waiting frames was sent.
    private var stalledBeats = 0

    /// Resumes the opening of a long-poll when its events are read, or when there are none.
    private var whenRead: CheckedContinuation<StreamError?, Never>?

    /// The final state of the toast that the publisher waits for, when it is known.
    var ending: Ending?
    /// The toast that the publisher waits for is being looked up.
    private var isLookingUp = false
    /// The toast that the publisher waits for is dismissed when its connection is lost.
    var withdraws = false

    /// The last frame or answer is known: the stream ends when it has its socket.
    var isEnding = false
    /// The stream has ended; only tasks that are working with it still hold it.
    private(set) var isEnded = false
    /// Why the stream ends, when the reason is known before the end: the first of several.
    private(set) var end: StreamEnd?
    /// Wakes the fan-out when the stream's time is up.
    var timer: EventLoop.Timer?

    private(set) var frames = 0
    private(set) var bytes = 0

    init(
        id: StreamID,
        kind: Kind,
        request: StreamRequest,
        languageChoice: LanguageChoice?,
        lastBeat: Int,
        socket: WebSocketReader.Limits
    ) {
        self.id = id
        self.languageChoice = languageChoice
        self.kind = kind
        self.filter = request.filter
        self.isComposite = request.isComposite
        let isAudience = request.isAudience && request.filter.wants(.presented) && !kind.isFirstLook(request.cursor)
        self.listener =
            isAudience
            ? ChannelListener(transport: kind.transport, isAssistive: request.isAssistive, scale: request.scale)
            : .unseen
        self.caller = request.caller
        self.requestID = request.requestID
        self.encoding = request.encoding
        self.hasLeft = request.hasLeft
        self.lastBeat = lastBeat
        self.commands = if case .webSocket = kind { PeerCommands(limits: socket) } else { nil }
    }

    func count(_ frames: Int, bytes: Int) {
        self.frames += frames
        self.bytes += bytes
    }

    /// The number of the stream's language; 0 for the server's default.
    var language: UInt16 { self.languageChoice?.number ?? 0 }
}

// MARK: - Subscriptions

extension Stream {
    func index(of channel: ChannelName) -> Int? {
        self.subscriptions.firstIndex { $0.channel == channel }
    }

    /// How far a channel's clock runs ahead of the hub's; nil when the stream does not receive its events.
    func lead(of channel: ChannelName) -> Interval? {
        self.index(of: channel).map { self.subscriptions[$0].lead }
    }

    /// The position in the log of the channel at an index.
    subscript(logAt index: Int) -> LogPosition {
        get { self.subscriptions[index].log }
        set { self.subscriptions[index].log = newValue }
    }

    /// Adds a channel that is about to be joined, after the listener's cursor if it is known.
    func addSubscription(to channel: ChannelName, index: Int, after offset: Offset?, isInCursor: Bool) {
        self.subscriptions.append(
            Subscription(channel: channel, index: index, isInCursor: isInCursor, log: LogPosition(offset))
        )
    }

    /// Notes that the channel at an index counts the stream as a listener.
    func didJoin(at index: Int, lead: Interval) {
        self.subscriptions[index].isJoined = true
        self.subscriptions[index].lead = lead
    }

    /// Notes the stream's new index among the slots of a channel.
    func didMove(to index: Int, of channel: ChannelName) {
        guard let place = self.index(of: channel) else { return }
        self.subscriptions[place].index = index
    }

    /// Removes and returns the subscription to a channel; nil when there is none.
    func removeSubscription(to channel: ChannelName) -> Subscription? {
        self.index(of: channel).map { self.subscriptions.remove(at: $0) }
    }
}

// MARK: - The socket

extension Stream {
    func attach(_ writer: StreamWriter, watchedBy watch: EventLoop.Watch) {
        self.writer = writer
        self.watch = watch
        self.hasLeft = nil
    }

    /// Gives up the watch: the caller ends it, or watches the socket from now on.
    func takeWatch() -> EventLoop.Watch? { self.watch.take() }

    func noteBlocked(_ isBlocked: Bool) {
        self.isBlocked = isBlocked
        self.stalledBeats = 0
    }

    /// Counts a beat at which the stream is blocked; returns the number since a part of the waiting frames was sent.
    func countBlockedBeat() -> Int {
        let hasMoved = self.writer?.takeProgress() == true
        // A page must be sent within the time limit: otherwise a peer that reads a byte now and then could keep its
        // memory from others.
        let isBehind = self.subscriptions.contains { $0.log.isBehind }
        self.stalledBeats = hasMoved && !isBehind ? 0 : self.stalledBeats + 1
        return self.stalledBeats
    }
}

// MARK: - Reads of the log

extension Stream {
    /// Waits until the events that a long-poll missed are read; returns why they could not be read.
    func awaitReading() async -> StreamError? {
        guard self.isReading else { return nil }
        return await withCheckedContinuation { self.whenRead = $0 }
    }

    /// Resumes the opening of a long-poll; returns whether it waited.
    @discardableResult
    func resumeOpening(_ failure: StreamError?) -> Bool {
        guard let whenRead = self.whenRead.take() else { return false }
        whenRead.resume(returning: failure)
        return true
    }
}

// MARK: - The toast that a publisher waits for

extension Stream {
    /// Begins to look up the toast; false when that has begun already.
    func beginLookingUp() -> Bool {
        defer { self.isLookingUp = true }
        return !self.isLookingUp
    }
}

// MARK: - The end

extension Stream {
    /// Notes why the stream ends, unless an earlier reason is known.
    func noteEnd(_ reason: StreamEnd) {
        self.end = self.end ?? reason
    }

    /// Notes that the stream has ended, and releases its socket.
    ///
    /// The subscriptions stay: a delivery in progress still iterates over them, but writes nothing more.
    func didEnd() {
        self.isEnded = true
        self.writer = nil
    }
}
