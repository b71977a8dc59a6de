package import Metrics

/// Why a stream ended.
package enum StreamEnd: Int, CaseIterable, Sendable {
    /// The client closed it, or its connection broke.
    case peer
    /// The limit of waiting frames was exceeded: the client reads too slowly.
    case slow
    /// The client read nothing, or not all of a page of the log, within ``StreamLimits/stallTimeout``.
    case stalled
    /// A WebSocket peer did not answer pings.
    case silent
    /// It reached the maximum age, and the client was told to reconnect.
    case aged
    /// The caller's permission ended.
    case expired
    /// The server stopped.
    case drained
    /// Its single answer was sent.
    case answered
    /// The peer violated the protocol, or sent too many commands at once, or one that was too long.
    case refused
    /// It never got its socket, or a system call or a read failed.
    case failed

    package var label: String { "\(self)" }
}

/// How streams joined a channel.
package enum StreamBegin: Int, CaseIterable, Sendable {
    /// Without a cursor.
    case fresh
    /// After the event of the cursor.
    case resumed
    /// With a snapshot, because the cursor was of another epoch, or before the retained events.
    case reset

    package var label: String { "\(self)" }
}

/// A stream that has ended.
package struct StreamRecord: Sendable {
    /// The identifier of the request that opened it.
    package let requestID: String

    /// The transport; nil for a publisher that waited for the end of a toast.
    package let transport: Transport?

    /// The name of the caller's principal.
    package let caller: String

    /// The duration, in nanoseconds.
    package let duration: Int64

    /// The number of frames written to it; an answer counts as one.
    package let frames: Int

    package let bytes: Int

    package let end: StreamEnd
}

/// Counters of the streams of one loop, written only by that loop.
package final class StreamMeter: Sendable {
    /// The number of written frames.
    package let frames = Counter()

    /// The number of bytes of these frames.
    package let bytes = Counter()

    /// The number of streams refused because of a limit.
    package let refused = Counter()

    private let opened = CounterArray()
    private let closed = CounterArray()
    private let begun = CounterArray()

    init() {}

    package func opened(_ transport: Transport) -> Int { self.opened.value(transport.ordinal) }

    package func closed(_ transport: Transport, _ end: StreamEnd) -> Int {
        self.closed.value(Self.place(transport, end))
    }

    package func open(_ transport: Transport) -> Int {
        StreamEnd.allCases.reduce(self.opened(transport)) { $0 - self.closed(transport, $1) }
    }

    /// The number of joins of channels with an outcome.
    package func begun(_ outcome: StreamBegin) -> Int { self.begun.value(outcome.rawValue) }

    func countOpened(_ transport: Transport) { self.opened.add(transport.ordinal) }

    func countClosed(_ transport: Transport, _ end: StreamEnd) { self.closed.add(Self.place(transport, end)) }

    func countBegun(_ outcome: StreamBegin) { self.begun.add(outcome.rawValue) }

    private static func place(_ transport: Transport, _ end: StreamEnd) -> Int {
        transport.ordinal * StreamEnd.allCases.count + end.rawValue
    }
}
