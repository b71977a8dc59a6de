import GRDB
import ToastCore

extension LogBounds {
    /// Reads a row of ``Query/bounds``: a channel's events give its bounds, or its snapshot if it has no events.
    ///
    /// No event is forgotten before the first snapshot, so without a snapshot the first event tells where the channel
    /// began. No channel begins after `floor`.
    init(_ row: Row, floor: @autoclosure () throws -> Offset) rethrows {
        let first: Int64? = row[1]
        let last: Int64? = row[2]
        let snapshot: Int64? = row[3]
        guard let end = last ?? snapshot else {
            self = .beginning(after: try floor())
            return
        }
        self.isFresh = false
        if let snapshot {
            self.snapshot = Offset(rawValue: snapshot)
        } else if let first, first > 1 {
            self.snapshot = min(Offset(rawValue: first - 1), try floor())
        } else {
            self.snapshot = .origin
        }
        self.last = max(Offset(rawValue: end), self.snapshot)
        self.first = first.map(Offset.init(rawValue:)) ?? self.last.next
    }
}
