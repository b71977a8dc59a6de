import GRDB
import ToastCore

/// Events of a channel that follow each other and were appended at one instant: a row of the table `events`.
///
/// One request often makes a hundred events. A row for each would take SQLite longer than all other work on the
/// request.
struct EventBatchRow {
    /// The offset of the last event.
    let last: Offset
    /// When the events happened.
    let at: Instant
    /// How many events there are: at least one.
    let count: Int
    /// The envelope of a single event as it is; of several, each preceded by its length in four bytes, little-endian.
    let envelopes: [UInt8]

    /// The most events of a row, so that reading or forgetting one of them is fast.
    static let longest = 128

    /// The most bytes of a row with several events, because reading one of them reads all.
    static let largest = 128 * 1024

    /// The offset of the first event.
    var first: Offset { Offset(rawValue: self.last.rawValue - Int64(self.count) + 1) }

    /// Takes the first row's events from `events`; `nil` when there are none.
    init?(next events: inout ArraySlice<StoredEvent>) {
        guard let first = events.first else { return nil }
        var room = max(Self.largest, first.envelope.count)
        let batch = events.prefix(Self.longest).prefix { event in
            room -= event.envelope.count
            return event.at == first.at && room >= 0
        }
        events = events[batch.endIndex...]
        self.last = Offset(rawValue: first.offset.rawValue + Int64(batch.count) - 1)
        self.at = first.at
        self.count = batch.count
        if batch.count == 1 {
            self.envelopes = first.envelope
        } else {
            var writer = ByteWriter()
            for event in batch { writer.run(event.envelope) }
            self.envelopes = writer.bytes
        }
    }
}

extension EventBatchRow {
    /// Reads a row of ``Query/events``.
    ///
    /// - Throws: `corrupt` when its numbers are invalid.
    init(_ row: Row) throws {
        self.last = Offset(rawValue: row[0])
        self.at = Instant(nanoseconds: row[1])
        self.count = row[2]
        self.envelopes = try row.bytes(at: 3)
        // Each of several envelopes has a length of four bytes.
        let most = max(1, self.envelopes.count / 4)
        guard (1...most).contains(self.count), self.count <= self.last.rawValue else { throw self.damage }
    }

    /// The events of the row.
    ///
    /// - Throws: `corrupt` when the lengths of the envelopes do not fit.
    func events() throws(StoreError) -> [StoredEvent] {
        if self.count == 1 { return [StoredEvent(offset: self.last, at: self.at, envelope: self.envelopes)] }
        var reader = ByteReader(self.envelopes, name: "The row of events up to \(self.last.rawValue) of a channel")
        let events = try (self.first.rawValue...self.last.rawValue).map { offset throws(StoreError) in
            StoredEvent(offset: Offset(rawValue: offset), at: self.at, envelope: try reader.run())
        }
        guard reader.isAtEnd else { throw self.damage }
        return events
    }

    private var damage: StoreError {
        .corrupt("The events up to \(self.last.rawValue) of a channel are damaged.")
    }
}
