import EventLoop
package import MicroHTTP
import Synchronization
package import ToastAccess
package import ToastCore

/// A request to open a stream.
package struct StreamRequest: Sendable {
    /// The channels, at least one unless the stream is composite.
    package var channels: [ChannelName]

    /// Whether the stream may have several channels, so that its cursors include all of them.
    package var isComposite: Bool

    /// The last event that the client has; nil for a new client.
    package var cursor: Cursor?

    /// The types of events that the client wants.
    package var filter = EventFilter.all

    /// The value of `Accept-Language`; nil for the server's default.
    package var languages: String?

    /// Whether a user sees the toasts; the stream is audience if it also receives `presented` events.
    package var isAudience = true

    /// Whether the user uses assistive technology.
    package var isAssistive = false

    /// The factor by which the user wants toasts to stay longer, from 1 to 10.
    package var scale = 1.0

    /// The caller; the stream ends with its permission.
    package var caller = Caller.server

    /// The identifier of the HTTP request, for log lines about the stream.
    package var requestID = ""

    /// How the events are written; nil for envelopes.
    package var encoding: StreamEncoding?

    /// Whether the client has left before the stream was open.
    package var hasLeft: @Sendable () -> Bool = { false }
}

// In an extension, so that the memberwise initializer stays.
extension StreamRequest {
    package init(channels: [ChannelName], isComposite: Bool) {
        self.channels = channels
        self.isComposite = isComposite
    }
}

/// Makes the complete HTTP message of a late answer from its body; the message says whether the connection ends.
package typealias LateAnswer = @Sendable (_ body: [UInt8], _ closesConnection: Bool) -> Frame

/// What a waiting publisher gets as its answer: its toast, or why there is none.
package enum AwaitedToast: Sendable {
    /// The toast has ended, or the time is up.
    case known(Toast)

    /// The channel does not know the toast: the channel was deleted, or has forgotten the toast because many others
    /// ended later.
    case forgotten

    /// The channel could not be asked.
    case unavailable
}

/// Makes the complete HTTP message that tells a publisher the state of its toast, and whether the connection ends.
package typealias OutcomeAnswer = @Sendable (_ toast: AwaitedToast, _ closesConnection: Bool) -> Frame

/// A stream that waits for its socket.
///
/// It is passed to the server's reply. If the connection is lost before the socket is handed over, releasing this
/// object ends the stream.
package final class PendingStream: Sendable {
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
        // The server did not hand over the connection, because the peer had closed it.
        let end: StreamEnd = state == .replied ? .peer : .failed
        let (fanout, id) = (self.fanout, self.id)
        fanout.execute { $0.endUnattached(id, end) }
    }

    /// The reply that hands the connection to the stream.
    ///
    /// - Parameters:
    ///   - head: Sent before the first frame; nil for a late answer, which is a complete message.
    ///   - response: The answer when the system has no descriptor for the stream.
    /// - Returns: A reply that detaches the socket.
    package func reply(
        head: Frame? = nil,
        otherwise response: @autoclosure @escaping @Sendable () -> Response = Response(status: 503)
    ) -> Reply {
        self.state.store(.replied, ordering: .relaxed)
        return .detach(
            { socket in
                self.state.store(.attached, ordering: .relaxed)
                self.fanout.assumeIsolated { $0.attach(socket, to: self.id, head: head) }
            },
            answersOnce: head == nil,
            otherwise: {
                self.state.store(.refused, ordering: .relaxed)
                return response()
            }
        )
    }
}

/// The result of opening a long-poll.
package enum PollOutcome: Sendable {
    /// There are events: the body of the answer.
    case ready([UInt8])

    /// There are no events yet: the stream waits.
    case waiting(PendingStream)
}

/// Names a stream for as long as it lives.
package struct StreamID: Hashable, Sendable {
    let slot: Int
    let serial: UInt64
}
