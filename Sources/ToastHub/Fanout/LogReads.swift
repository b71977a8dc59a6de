import ToastCore

/// What is read of a channel for streams that are behind, and for readers of which language; nil for the server's own.
enum LogPart: Hashable {
    /// The events behind an offset, a page at most.
    case page(ChannelName, after: Offset, in: LanguageTag? = nil)
    /// The state of now, for a stream that cannot have all events.
    case snapshot(ChannelName, isReset: Bool, in: LanguageTag? = nil)
}

/// Which parts of logs are read, and which streams wait for them.
///
/// Streams that need the same part share one reading: when a server or a network comes back, many come from the same place
/// at once. Only a few parts are read at a time, oldest wish first, so that what is read waits in the log and not in memory.
struct LogReads {
    /// The most readings at a time.
    static let limit = 8

    private var waiting: [LogPart: [StreamID]] = [:]
    /// The parts whose reading has not begun, oldest first.
    private var order: [LogPart] = []
    private var head = 0
    private var underWay = 0
    /// Those for whom there was no memory when their part was there.
    private var postponed: [StreamID] = []

    /// Whether a reading could begin now.
    var canBegin: Bool { self.head < self.order.count && self.underWay < Self.limit }

    /// Notes that a stream needs a part.
    mutating func want(_ part: LogPart, for stream: StreamID) {
        if self.waiting[part] == nil { self.order.append(part) }
        self.waiting[part, default: []].append(stream)
    }

    /// The part to read next; nil while as many are read as may be, or nobody waits.
    mutating func begin() -> LogPart? {
        guard self.canBegin else { return nil }
        let part = self.order[self.head]
        self.head += 1
        if self.head == self.order.count || self.head >= 64 {
            self.order.removeFirst(self.head)
            self.head = 0
        }
        self.underWay += 1
        return part
    }

    /// A reading has ended, or cannot take place.
    ///
    /// - Returns: Those who waited for it.
    mutating func finish(_ part: LogPart) -> [StreamID] {
        self.underWay -= 1
        return self.waiting.removeValue(forKey: part) ?? []
    }

    /// Those who wait for a part.
    func waiting(for part: LogPart) -> [StreamID] { self.waiting[part] ?? [] }

    /// Lets a stream try again later.
    mutating func postpone(_ stream: StreamID) {
        self.postponed.append(stream)
    }

    /// Those who try again now.
    mutating func takePostponed() -> [StreamID] {
        defer { self.postponed = [] }
        return self.postponed
    }
}
