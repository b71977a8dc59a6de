import EventLoop
public import MicroHTTP
import Synchronization
public import ToastAccess
public import ToastCore

/// What a stream wants to hear.
public struct StreamRequest: Sendable {
    /// The channels, at least one unless the stream is composite.
    public var channels: [ChannelName]

    /// Whether the stream may hear several channels, and so has cursors for all of them at once.
    public var isComposite: Bool

    /// Where the listener stood when it last listened.
    public var cursor: Cursor?

    /// The types of events it wants.
    public var filter: EventFilter

    /// The languages that its reader wants, in the words of `Accept-Language`; nil for the server's own.
    public var languages: String?

    /// Whether somebody sees what it tells; it is audience if it gets what comes on screen, too.
    public var isAudience: Bool

    /// Whether its person uses assistive technology.
    public var isAssistive: Bool

    /// How many times longer than others the person wants to see toasts, from 1 to 10.
    public var scale: Double

    /// Who listens, and from where; their rights end the stream when they end.
    public var visitor: Caller

    /// The name of the HTTP request, which log lines about the stream bear.
    public var name: String

    /// A request to listen.
    public init(
        channels: [ChannelName],
        isComposite: Bool,
        cursor: Cursor? = nil,
        filter: EventFilter = .all,
        languages: String? = nil,
        isAudience: Bool = true,
        isAssistive: Bool = false,
        scale: Double = 1,
        visitor: Caller = .nobody,
        name: String = ""
    ) {
        self.channels = channels
        self.isComposite = isComposite
        self.cursor = cursor
        self.filter = filter
        self.languages = languages
        self.isAudience = isAudience
        self.isAssistive = isAssistive
        self.scale = scale
        self.visitor = visitor
        self.name = name
    }
}

/// Makes the whole HTTP message of an answer that comes later from its body, and says in it whether the connection ends.
public typealias LateAnswer = @Sendable (_ body: [UInt8], _ isLast: Bool) -> Frame

/// Makes the whole HTTP message that tells a publisher how its toast stands, and says in it whether the connection ends.
///
/// The toast is nil when it ended so long ago, or with so many others, that nobody remembers.
public typealias OutcomeAnswer = @Sendable (_ toast: Toast?, _ isLast: Bool) -> Frame

/// A stream that waits for its socket.
///
/// Given to the server's reply; if the connection is gone before the socket is handed over, letting go of the
/// ticket ends the stream.
public final class PendingStream: Sendable {
    private let fanout: Fanout
    let id: StreamID
    private let state = Atomic(State.opening)

    private enum State: UInt8, AtomicRepresentable {
        /// The stream is being opened. Leaves to `replied`.
        case opening
        /// The server was told to hand the connection over. Leaves to `attached` or `refused`.
        case replied
        /// The stream has its socket.
        case attached
        /// The system had no descriptor for the stream, and the peer got another answer.
        case refused
    }

    init(fanout: Fanout, id: StreamID) {
        self.fanout = fanout
        self.id = id
    }

    deinit {
        let state = self.state.load(ordering: .relaxed)
        guard state != .attached else { return }
        // Nobody took the connection that was to be handed over: the peer had closed it.
        let end: StreamEnd = state == .replied ? .peer : .failed
        let (fanout, id) = (self.fanout, self.id)
        fanout.loop.execute { fanout.assumeIsolated { $0.abandon(id, end) } }
    }

    /// The reply that hands the connection to the stream.
    ///
    /// - Parameters:
    ///   - head: What goes out before the first frame; nothing when the answer comes as a whole later.
    ///   - response: The answer when the system has no descriptor for the stream.
    /// - Returns: A reply that detaches the socket.
    public func reply(
        head: Frame? = nil,
        otherwise response: @autoclosure @escaping @Sendable () -> Response = Response(status: 503)
    ) -> Reply {
        self.state.store(.replied, ordering: .relaxed)
        return .detach(
            { socket in
                self.state.store(.attached, ordering: .relaxed)
                self.fanout.onLoop((socket, self.id, head)) { $0.attach($1.0, to: $1.1, head: $1.2) }
            },
            answersOnce: head == nil,
            otherwise: {
                self.state.store(.refused, ordering: .relaxed)
                return response()
            }
        )
    }
}

/// What became of a long-poll.
public enum PollOutcome: Sendable {
    /// There is something to answer with at once.
    case ready([UInt8])

    /// There is nothing yet: the stream waits.
    case waiting(PendingStream)
}

/// Names a stream for as long as it lives.
public struct StreamID: Hashable, Sendable {
    let slot: Int
    let serial: UInt64
}

/// Why a stream was not opened.
public enum StreamError: Error, Equatable, Sendable {
    /// The channel could not be joined.
    case channel(ChannelError)

    /// There are as many streams as there may be: come back later.
    case tooManyStreams

    /// There are as many streams as one source may have: close some.
    case tooManyStreamsOfSource

    /// There are as many streams as the channel may have: come back later.
    case tooManyStreamsOfChannel

    /// The server is stopping: come back later.
    case draining

    /// The stream hears as many channels as it may.
    case tooManyChannels

    /// Whoever asks lost their rights after they were checked: show another credential.
    case rightsEnded

    /// What the stream begins with takes more memory than there is: come back later.
    case outOfMemory
}
