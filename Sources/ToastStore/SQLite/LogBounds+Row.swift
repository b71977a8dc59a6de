import GRDB
import ToastCore

extension LogBounds {
    /// Reads a row of ``Query/standing``: a channel's events give its ends, and where there are none its snapshot does.
    ///
    /// Before a channel has a snapshot none of its events is ever forgotten, so the first one tells where it began;
    /// no channel begins behind `floor`.
    init(_ row: Row, floor: @autoclosure () throws -> Offset) rethrows {
        let first: Int64? = row[1]
        let last: Int64? = row[2]
        let snapshot: Int64? = row[3]
        guard let end = last ?? snapshot else {
            self = .beginning(behind: try floor())
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
