import DequeModule
import ToastCore

/// A read for streams that are behind, in their language; nil for the server's default.
enum LogPart: Hashable {
    /// The events after an offset, at most a page.
    case page(ChannelName, after: Offset, in: LanguageTag? = nil)
    /// The current state, for a stream whose missing events were pruned.
    case snapshot(ChannelName, isReset: Bool, in: LanguageTag? = nil)
}

/// The reads of logs, and the streams that wait for them.
///
/// Streams that need the same part share one read: when a server or a network recovers, many clients resume from the
/// same position at once. Only a few reads run at a time, in the order of their requests, so that history waits in the
/// log and not in memory.
struct LogReads {
    /// The maximum number of concurrent reads.
    static let limit = 8

    private var waiting: [LogPart: [StreamID]] = [:]
    /// The parts whose read has not begun, oldest first.
    private var order: Deque<LogPart> = []
    private var underWay = 0
    /// The streams for which there was no memory.
    private var postponed: [StreamID] = []

    mutating func want(_ part: LogPart, for stream: StreamID) {
        if self.waiting[part] == nil { self.order.append(part) }
        self.waiting[part, default: []].append(stream)
    }

    /// The next part to read; nil while the maximum is reached, or nothing waits.
    mutating func begin() -> LogPart? {
        guard self.underWay < Self.limit, let part = self.order.popFirst() else { return nil }
        self.underWay += 1
        return part
    }

    /// Notes that a read has ended, or cannot begin.
    ///
    /// - Returns: The streams that waited for it.
    mutating func finish(_ part: LogPart) -> [StreamID] {
        self.underWay -= 1
        return self.waiting.removeValue(forKey: part) ?? []
    }

    func waiting(for part: LogPart) -> [StreamID] { self.waiting[part] ?? [] }

    mutating func postpone(_ stream: StreamID) {
        self.postponed.append(stream)
    }

    mutating func takePostponed() -> [StreamID] {
        defer { self.postponed = [] }
        return self.postponed
    }
}
