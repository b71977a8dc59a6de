import ToastCore

/// The body of a message of a channel's log: runs of events that happened at one instant, as SQLite's rows have them.
///
/// A run is the instant, the number of events, and each envelope after its length in bytes.
enum LogBody {
    /// The most bytes of envelopes in one message, unless a single event has more; servers accept 1 MiB by default.
    static let largest = 512 * 1024

    /// Splits events into those of each message.
    static func parts(_ events: [StoredEvent]) -> [ArraySlice<StoredEvent>] {
        var parts: [ArraySlice<StoredEvent>] = []
        var (start, size) = (events.startIndex, 0)
        for (index, event) in events.enumerated() {
            if index > start, size + event.envelope.count > Self.largest {
                parts.append(events[start..<index])
                (start, size) = (index, 0)
            }
            size += event.envelope.count
        }
        parts.append(events[start...])
        return parts
    }

    static func encode(_ events: ArraySlice<StoredEvent>) -> [UInt8] {
        var writer = ByteWriter()
        var rest = events
        while let at = rest.first?.at {
            let run = rest.prefix { $0.at == at }
            writer.integer(at.nanoseconds)
            writer.count(run.count)
            for event in run { writer.run(event.envelope) }
            rest = rest[run.endIndex...]
        }
        return writer.bytes
    }

    /// Reads the events of a message.
    ///
    /// - Throws: `corrupt` when they are not the events that the header names.
    static func decode(_ bytes: [UInt8], _ header: LogHeader) throws(StoreError) -> [StoredEvent] {
        var reader = ByteReader(bytes, name: "The log message up to event \(header.last.rawValue)")
        var (events, offset): ([StoredEvent], Offset) = ([], header.first)
        while !reader.isAtEnd {
            let at = Instant(nanoseconds: try reader.integer())
            for _ in 0..<(try reader.count()) {
                events.append(StoredEvent(offset: offset, at: at, envelope: try reader.run()))
                offset = offset.next
            }
        }
        guard offset == header.last.next else { throw reader.damage }
        return events
    }
}
