package import MicroHTTP

/// The limits of a loop's streams: their number, and how long they may be silent, blocked or open.
///
/// Times are in beats, each a second ± 20 %: the jitter keeps the loops of many servers from beating together.
package struct StreamLimits: Hashable, Sendable {
    /// The maximum number of streams, waiting requests included.
    package var count: Int

    /// The maximum number of channels per stream.
    package var channels = 128

    /// The limit of waiting frames; a stream that reads more slowly is closed.
    package var backlog = StreamWriter.Backlog()

    /// The limits of a message from a WebSocket peer.
    package var socket = WebSocketReader.Limits()

    /// The maximum number of waiting commands per WebSocket; a peer that sends faster is closed.
    package var commands = 64

    /// The interval of comments on event streams, because proxies cut silent connections.
    package var commentInterval = 15

    /// The interval of pings to WebSockets; a peer that leaves two of them unanswered is ended.
    package var pingInterval = 25

    /// How long a peer may read none of its waiting frames before it is ended.
    ///
    /// While it gets events from the log: how long it may take to read all of them.
    package var stallTimeout = 30

    /// The age limit: a stream is closed at 80 to 100 % of it, and its client reconnects at once; nil for none.
    package var maximumAge: Int?

    package init(count: Int) {
        self.count = count
    }
}
