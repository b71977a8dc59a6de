public import MicroHTTP

/// How many streams a loop may have, and how long they may be silent, blocked or open.
///
/// Times are in beats, each a second ± 20 %: the jitter keeps the loops of many servers from beating together.
public struct StreamLimits: Hashable, Sendable {
    /// The most streams at a time, waiting requests among them.
    public var count: Int

    /// The most channels that one stream hears.
    public var channels = 128

    /// What waits for a stream at most; one that reads more slowly is sent away.
    public var backlog = StreamWriter.Backlog()

    /// What a WebSocket's peer may send as one message.
    public var socket = WebSocketReader.Limits()

    /// The most commands of one WebSocket that wait; a peer that sends faster is sent away.
    public var commands = 64

    /// An event stream gets a comment once in so many beats: proxies cut connections that are silent.
    public var commentInterval = 15

    /// A WebSocket gets a ping once in so many beats; two that stay unanswered end it.
    public var pingInterval = 25

    /// A peer that reads nothing of what waits for it is gone after so many beats.
    public var stallTimeout = 30

    /// A stream is sent away, to come back at once, when it is 80 to 100 % of this old; nil lets it live.
    public var maximumAge: Int?

    /// The usual times for so many streams.
    public init(count: Int) {
        self.count = count
    }
}
