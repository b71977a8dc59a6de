import GRDB
import ToastCore

extension Standing {
    /// Reads a row of ``Query/standing``: a channel's events give its ends, and where there are none its snapshot does.
    init(_ row: Row) {
        let first: Int64? = row[1]
        let last: Int64? = row[2]
        let snapshot: Int64 = row[3] ?? 0
        self.snapshot = Offset(rawValue: snapshot)
        self.last = Offset(rawValue: max(last ?? 0, snapshot))
        self.first = first.map(Offset.init(rawValue:)) ?? self.last.next
    }
}
