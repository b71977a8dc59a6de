import EventLoop
import MicroHTTP
import ToastAccess
import ToastCore

/// One consumer's connection, and what it hears.
///
/// Confined to the fanout that holds it.
final class Stream {
    enum Kind {
        case eventStream
        case webSocket
        /// Answers once, with what came or with nothing when its time is up.
        case poll(LateAnswer)
        /// Answers once, when the toast is dismissed or its time is up.
        case outcome(ToastID, OutcomeAnswer)

        /// Whether whoever asks only wants to know how things are, and is gone when it knows.
        ///
        /// A long-poll without a cursor is answered with the state of before it came: what came on screen for it, nobody
        /// would see unless it asks again.
        fileprivate func isFirstLook(_ cursor: Cursor?) -> Bool {
            if case .poll = self { cursor == nil } else { false }
        }
    }

    struct Subscription {
        let channel: ChannelName
        /// Where the stream stands among those that hear the channel.
        var place: Int
        /// The channel itself, once it was joined.
        var joined: Channel?
        /// Where the stream stands in the channel's log.
        var log: LogPosition
        /// When the channel was joined, by its own clock, which may run ahead of the hub's.
        var since = Instant(nanoseconds: .min)
    }

    let id: StreamID
    let kind: Kind
    let filter: EventFilter
    let isComposite: Bool
    /// Whether toasts come on screen for it, and it has a say in how long they stay.
    let isAudience: Bool
    let isAssistive: Bool
    let scale: Double
    /// In which language it reads; nil for the server's own, whatever the catalogs become.
    let reading: Reading?
    let visitor: Caller
    var subscriptions: [Subscription] = []

    /// The socket's writer; nil until the server has handed the socket over.
    var writer: StreamWriter?
    /// Frames from before the socket was there; of a long-poll, the envelopes of its answer.
    var held: [Frame] = []
    /// How many bytes these have.
    var heldBytes = 0
    /// A long-poll's answer is a page already: what follows is for the next one.
    var isFull = false
    /// Part of a log is being read for the stream, or waits for memory.
    var isReading = false
    /// Goes on when a long-poll that is being opened has its answer, or nothing to answer yet.
    var whenRead: CheckedContinuation<StreamError?, Never>?
    var watch: EventLoop.Watch?
    var isBlocked = false
    /// The peer sends nothing more, and may still read.
    var isHalfClosed = false
    /// Beats since anything of what waits went out.
    var stalledBeats = 0
    /// The beat at which the stream is old enough to be sent away.
    var lastBeat = Int.max
    /// The last frame is there: the stream ends once it has its socket.
    var isEnding = false
    /// The question that the stream waits for is taken back when its peer is lost.
    var withdraws = false
    /// The stream is over, and only remembered by whoever works with it right now.
    var isEnded = false
    var timer: EventLoop.Timer?
    /// How the toast ended that the stream waits for, once that is known.
    var ending: Ending?
    /// Why the stream ends, when that is known before it does.
    var end: StreamEnd?

    /// The name of the request that opened the stream.
    let request: String
    /// When that was, in nanoseconds of the monotonic clock.
    let start = EventLoop.now
    private(set) var frames = 0
    private(set) var bytes = 0

    var reader = WebSocketReader()
    /// Commands of the peer that wait for the one under way.
    var inbox: [[UInt8]] = []
    var isServing = false
    /// What is sent behind the answers to these, because the peer has left; nil while it has not.
    var lastWords: Frame?
    /// Heartbeats since the peer last said something.
    var silence = 0

    init(id: StreamID, kind: Kind, request: StreamRequest, reading: Reading?) {
        self.id = id
        self.reading = reading
        self.kind = kind
        self.filter = request.filter
        self.isComposite = request.isComposite
        self.isAudience = request.isAudience && request.filter.wants(.presented) && !kind.isFirstLook(request.cursor)
        self.isAssistive = request.isAssistive
        self.scale = request.scale
        self.visitor = request.visitor
        self.request = request.name
    }

    /// Notes that frames were written.
    func count(_ frames: Int, bytes: Int) {
        self.frames += frames
        self.bytes += bytes
    }

    /// How the stream is carried; nil for one who waits for a toast's end.
    var transport: Transport? {
        switch self.kind {
        case .eventStream: .sse
        case .webSocket: .websocket
        case .poll: .poll
        case .outcome: nil
        }
    }

    var listener: Listener {
        guard self.isAudience else { return .nobody }
        return Listener(transport: self.transport, isAssistive: self.isAssistive, scale: self.scale)
    }

    /// The number of the language that it reads in; 0 for the server's own.
    var language: UInt16 { self.reading?.number ?? 0 }

    /// Whether some of what happened is still to be read.
    var isBehind: Bool { self.subscriptions.contains { $0.log.isBehind } }

    func index(of channel: ChannelName) -> Int? {
        self.subscriptions.firstIndex { $0.channel == channel }
    }

    /// Where the stream stands in all that it hears.
    func cursor(_ epoch: Epoch) -> Cursor {
        guard self.isComposite else {
            return Cursor(epoch: epoch, offset: self.subscriptions.first?.log.offset ?? .origin)
        }
        // A channel that is still being joined is left out: who resumes from here gets its state.
        let places = self.subscriptions.compactMap { place in place.log.offset.map { (place.channel, $0) } }
        return Cursor(epoch: epoch, offsets: Dictionary(places, uniquingKeysWith: max))
    }

    /// An envelope as this stream gets it: with the cursor of all its channels, if it has several.
    func envelope(_ envelope: [UInt8], _ epoch: Epoch) -> [UInt8] {
        guard self.isComposite else { return envelope }
        return envelope.replacingCursor(with: self.cursor(epoch).description)
    }

    /// A frame of this stream's transport.
    func frame(_ type: EventType, _ envelope: [UInt8], _ epoch: Epoch) -> Frame {
        let envelope = self.envelope(envelope, epoch)
        if case .webSocket = self.kind { return .webSocketText(envelope) }
        // Control frames carry no id, or they would overwrite the place to resume from; a snapshot is such a place.
        let hasID = type != .resumed && type != .shutdown
        return .event(type.rawValue, id: hasID ? self.cursor(epoch).description : nil, data: envelope)
    }
}

extension [UInt8] {
    /// The envelope with another cursor.
    ///
    /// Names before it hold no quotation mark, so the first match is the member.
    fileprivate func replacingCursor(with cursor: String) -> [UInt8] {
        let mark = Array(#""cursor":""#.utf8)
        guard let start = self.firstRange(of: mark)?.upperBound,
            let end = self[start...].firstIndex(of: UInt8(ascii: "\""))
        else { return self }
        return Array(self[..<start] + cursor.utf8 + self[end...])
    }
}
