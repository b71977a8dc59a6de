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
    }

    struct Subscription {
        let channel: ChannelName
        /// The stream's index among the slots of the channel.
        var index: Int
        /// Whether the channel counts the stream as a listener.
        var isJoined = false
        /// The stream's position in the channel's log; out of date while ``DirectSubscribers`` serves the stream.
        var log: LogPosition
        /// When the channel was joined, by the channel's clock, which may run ahead of the hub's.
        var since = Instant(nanoseconds: .min)
    }

    let id: StreamID
    let kind: Kind
    let filter: EventFilter
    let isComposite: Bool
    /// Whether toasts are presented for it, and its scale and assistive technology influence how long they stay.
    let isAudience: Bool
    let isAssistive: Bool
    let scale: Double
    /// The stream's language; nil when the client asked for none, which stays the server's default when catalogs
    /// change.
    let languageChoice: LanguageChoice?
    let caller: Caller
    var subscriptions: [Subscription] = []

    /// Writes to the socket; nil until the server has handed over the socket.
    var writer: StreamWriter?
    /// Frames that wait for the socket; for a long-poll, the envelopes of its answer.
    var collected: [Frame] = []
    /// The number of bytes of these frames.
    var collectedBytes = 0
    /// The long-poll's answer is a full page; further events are for the next poll.
    var isFull = false
    /// A read for the stream is under way, or waits for memory.
    var isReading = false
    /// Resumes the opening of a long-poll when its events are read, or when there are none.
    var whenRead: CheckedContinuation<StreamError?, Never>?
    var watch: EventLoop.Watch?
    var isBlocked = false
    /// The peer sends nothing more, and may still read.
    var isHalfClosed = false
    /// Beats since a part of the waiting frames was sent.
    var stalledBeats = 0
    /// The beat at which the stream reaches its maximum age.
    var lastBeat = Int.max
    /// The last frame or answer is known: the stream ends when it has its socket.
    var isEnding = false
    /// The toast that the publisher waits for is dismissed when its connection is lost.
    var withdraws = false
    /// The stream has ended; only tasks that are working with it still hold it.
    var isEnded = false
    var timer: EventLoop.Timer?
    /// The final state of the toast that the publisher waits for, when it is known.
    var ending: Ending?
    /// Why the stream ends, when the reason is known before the end.
    var end: StreamEnd?

    /// The identifier of the request that opened the stream.
    let request: String
    /// When the stream was opened, in nanoseconds of the monotonic clock.
    let start = EventLoop.now
    private(set) var frames = 0
    private(set) var bytes = 0

    var reader = WebSocketReader()
    /// Commands of the peer that wait for the current one.
    var inbox: [[UInt8]] = []
    var isServing = false
    /// The last frame after the answers to these commands, because the peer has left; nil while it has not.
    var lastWords: Frame?
    /// Pings since the peer last sent something.
    var silence = 0

    init(id: StreamID, kind: Kind, request: StreamRequest, languageChoice: LanguageChoice?) {
        self.id = id
        self.languageChoice = languageChoice
        self.kind = kind
        self.filter = request.filter
        self.isComposite = request.isComposite
        self.isAudience = request.isAudience && request.filter.wants(.presented) && !kind.isFirstLook(request.cursor)
        self.isAssistive = request.isAssistive
        self.scale = request.scale
        self.caller = request.caller
        self.request = request.name
    }

    /// Counts written frames.
    func count(_ frames: Int, bytes: Int) {
        self.frames += frames
        self.bytes += bytes
    }

    /// The transport; nil for a publisher that waits for the end of a toast.
    var transport: Transport? {
        switch self.kind {
        case .eventStream: .sse
        case .webSocket: .websocket
        case .poll: .poll
        case .outcome: nil
        }
    }

    var listener: ChannelListener {
        guard self.isAudience else { return .unseen }
        return ChannelListener(transport: self.transport, isAssistive: self.isAssistive, scale: self.scale)
    }

    /// The number of the stream's language; 0 for the server's default.
    var language: UInt16 { self.languageChoice?.number ?? 0 }

    /// Whether events still have to be read from a log.
    var isBehind: Bool { self.subscriptions.contains { $0.log.isBehind } }

    func index(of channel: ChannelName) -> Int? {
        self.subscriptions.firstIndex { $0.channel == channel }
    }

    /// The stream's cursor over all of its channels.
    func cursor(_ epoch: Epoch) -> Cursor {
        guard self.isComposite else {
            return Cursor(epoch: epoch, offset: self.subscriptions.first?.log.offset ?? .origin)
        }
        // A channel that is still being joined is left out: a client that resumes from here gets its snapshot.
        let places = self.subscriptions.compactMap { place in place.log.offset.map { (place.channel, $0) } }
        return Cursor(epoch: epoch, offsets: Dictionary(places, uniquingKeysWith: max))
    }

    /// The envelope for this stream: with the cursor of all channels, if it is composite.
    func envelope(_ envelope: [UInt8], _ epoch: Epoch) -> [UInt8] {
        guard self.isComposite, let range = EnvelopeLayout(envelope)?.cursor else { return envelope }
        return Array(
            envelope[..<range.lowerBound] + self.cursor(epoch).description.utf8 + envelope[range.upperBound...]
        )
    }

    /// A frame of this stream's transport.
    func frame(_ type: EventType, _ envelope: [UInt8], _ epoch: Epoch) -> Frame {
        let envelope = self.envelope(envelope, epoch)
        if case .webSocket = self.kind { return .webSocketText(envelope) }
        // Control frames have no id: it would overwrite the position to resume from. A snapshot is such a position.
        let hasID = type != .resumed && type != .shutdown
        return .event(type.rawValue, id: hasID ? self.cursor(epoch).description : nil, data: envelope)
    }
}
