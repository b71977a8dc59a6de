public import Measures

/// Why a stream ended.
public enum StreamEnd: Int, CaseIterable, Sendable {
    /// The consumer closed it, or its connection broke.
    case peer
    /// More waited than may: the consumer reads too slowly.
    case slow
    /// The consumer read nothing of what waited, for too long.
    case stalled
    /// A WebSocket's peer answered no pings.
    case silent
    /// It was as old as streams may get, and was told to come back.
    case aged
    /// The rights of its listener ended.
    case expired
    /// The server stops.
    case drained
    /// It had one answer to give, and gave it.
    case answered
    /// Its peer broke the protocol, or sent too many commands at once, or one too long.
    case refused
    /// It never got as far as its connection, or the system would not carry it.
    case failed

    /// The reason as a label.
    public var label: String { Self.labels[self.rawValue] }

    /// Made once: to ask a case for its name looks it up in what the compiler left about the type.
    private static let labels = Self.allCases.map { "\($0)" }
}

/// How streams began to hear a channel.
public enum StreamBegin: Int, CaseIterable, Sendable {
    /// They had no cursor.
    case fresh
    /// Their cursor was honoured.
    case resumed
    /// Their cursor was of another life, or from before the retention.
    case reset

    /// The outcome as a label.
    public var label: String { "\(self)" }
}

/// A stream that has ended.
public struct StreamRecord: Sendable {
    /// The name of the request that opened it.
    public let request: String

    /// How it was carried; nil for a publisher that waited for a toast's end.
    public let transport: Transport?

    /// Who listened.
    public let caller: String

    /// How long it lasted, in nanoseconds.
    public let duration: Int64

    /// What was written to it; an answer counts as one.
    public let frames: Int

    /// How many bytes that were.
    public let bytes: Int

    /// Why it ended.
    public let end: StreamEnd
}

/// What the streams of one loop have done, written by that loop alone.
public final class StreamMeter: Sendable {
    /// Frames that were written.
    public let frames = Counter()

    /// Bytes of these frames.
    public let bytes = Counter()

    /// Streams that were not opened because there were as many as there may be.
    public let refused = Counter()

    private let opened = CounterArray()
    private let closed = CounterArray()
    private let begun = CounterArray()

    /// Nothing happened yet.
    init() {}

    /// Streams that were opened.
    public func opened(_ transport: Transport) -> Int { self.opened.value(transport.ordinal) }

    /// Streams that ended for a reason.
    public func closed(_ transport: Transport, _ end: StreamEnd) -> Int {
        self.closed.value(Self.place(transport, end))
    }

    /// Streams that are open.
    public func open(_ transport: Transport) -> Int {
        StreamEnd.allCases.reduce(self.opened(transport)) { $0 - self.closed(transport, $1) }
    }

    /// Channels that streams began to hear.
    public func begun(_ outcome: StreamBegin) -> Int { self.begun.value(outcome.rawValue) }

    func countOpened(_ transport: Transport) { self.opened.add(transport.ordinal) }

    func countClosed(_ transport: Transport, _ end: StreamEnd) { self.closed.add(Self.place(transport, end)) }

    func countBegun(_ outcome: StreamBegin) { self.begun.add(outcome.rawValue) }

    private static func place(_ transport: Transport, _ end: StreamEnd) -> Int {
        transport.ordinal * StreamEnd.allCases.count + end.rawValue
    }
}
