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
    }

    struct Subscription {
        let channel: ChannelName
        /// Where the stream stands among those that hear the channel.
        var place: Int
        /// The channel itself, once it was joined.
        var joined: Channel?
        /// The last event that the stream has; nil until it is known.
        var position: Offset?
        /// What came before the opening did; nil once the stream is live.
        var early: [BroadcastEvent]? = []
    }

    let id: StreamID
    let kind: Kind
    let filter: EventFilter
    let isComposite: Bool
    let isAssistive: Bool
    let scale: Double
    let visitor: Visitor
    var subscriptions: [Subscription] = []

    /// The socket's writer; nil until the server has handed the socket over.
    var writer: StreamWriter?
    /// Frames from before the socket was there.
    var held: [Frame] = []
    var watch: EventLoop.Watch?
    var isBlocked = false
    /// Beats since anything of what waits went out.
    var stalledBeats = 0
    /// The beat at which the stream is old enough to be sent away.
    var lastBeat = Int.max
    /// The last frame is there: the stream ends once it has its socket.
    var isEnding = false
    /// The stream is over, and only remembered by whoever works with it right now.
    var isEnded = false
    var timer: EventLoop.Timer?
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

    init(id: StreamID, kind: Kind, request: StreamRequest) {
        self.id = id
        self.kind = kind
        self.filter = request.filter
        self.isComposite = request.isComposite
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
        Listener(transport: self.transport, isAssistive: self.isAssistive, scale: self.scale)
    }

    func index(of channel: ChannelName) -> Int? {
        self.subscriptions.firstIndex { $0.channel == channel }
    }

    /// Where the stream stands in all that it hears.
    func cursor(_ epoch: Epoch) -> Cursor {
        guard self.isComposite else {
            return Cursor(epoch: epoch, offset: self.subscriptions.first?.position ?? .origin)
        }
        // A channel that is still being joined is left out: who resumes from here gets its state.
        let places = self.subscriptions.compactMap { place in place.position.map { (place.channel, $0) } }
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
