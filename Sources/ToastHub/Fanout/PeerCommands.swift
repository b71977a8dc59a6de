import DequeModule
import MicroHTTP

/// What the peer of a WebSocket sends: commands, which are carried out one after the other, and signs of life.
///
/// A class, because most streams are not WebSockets and should not take memory for it. Only the stream's loop uses it.
final class PeerCommands {
    private var reader: WebSocketReader
    /// The commands that wait for the current one.
    private var waiting: Deque<[UInt8]> = []
    /// A task carries out the commands.
    private var isServing = false
    /// The frame that closes the stream after the answers; nil while the peer has not left.
    private var closeFrame: Frame?
    /// Pings since the peer last sent something.
    private var unansweredPings = 0

    init(limits: WebSocketReader.Limits) {
        self.reader = WebSocketReader(limits: limits)
    }

    /// The number of waiting commands.
    var count: Int { self.waiting.count }

    /// Whether no command waits or is carried out.
    var isIdle: Bool { self.waiting.isEmpty && !self.isServing }

    func read(from writer: StreamWriter, using buffer: inout [UInt8]) -> WebSocketReader.Result {
        let result = self.reader.read(from: writer, using: &buffer)
        self.unansweredPings = 0
        self.waiting += result.messages.map(\.bytes)
        return result
    }

    /// Counts a ping; false when as many as the limit are unanswered.
    func countPing(limit: Int) -> Bool {
        guard self.unansweredPings < limit else { return false }
        self.unansweredPings += 1
        return true
    }

    /// Begins to carry out the commands; false when none waits, or a task does it already.
    func beginServing() -> Bool {
        guard !self.waiting.isEmpty, !self.isServing else { return false }
        self.isServing = true
        return true
    }

    /// Takes the next command; nil when none waits.
    func popFirst() -> [UInt8]? { self.waiting.popFirst() }

    /// Drops the waiting commands.
    func removeAll() {
        self.waiting = []
    }

    /// Closes the stream with a frame after the waiting commands, because the peer has left.
    func close(with frame: Frame) {
        self.closeFrame = frame
    }

    /// Notes that all commands are carried out.
    ///
    /// - Returns: The frame that closes the stream, if the peer has left.
    func endServing() -> Frame? {
        self.isServing = false
        return self.closeFrame
    }
}
