import ToastCore

/// Where a channel stands: what every decision about its log is made from.
struct LogBounds: Hashable, Sendable {
    /// The last event that was ever appended.
    var last: Offset

    /// The oldest event that is still kept; `last.next` when none is.
    var first: Offset

    /// What the snapshot contains, or where the channel began when there is none; everything up to here may be
    /// forgotten, nothing behind it.
    var snapshot: Offset

    /// Whether nothing was appended to it yet, so that it may still begin elsewhere.
    var isFresh: Bool

    /// A channel that nothing was appended to yet.
    static func beginning(behind offset: Offset) -> Self {
        Self(last: offset, first: offset.next, snapshot: offset, isFresh: true)
    }

    /// Whether events may follow an offset: the last one, or any up to where the channel would begin now.
    func admits(_ offset: Offset) -> Bool {
        self.isFresh ? offset <= self.last : offset == self.last
    }

    /// The last event that a count of `limit` no longer covers and a rebuild does not need.
    func surplus(over limit: Int) -> Offset {
        min(Offset(rawValue: self.last.rawValue - Int64(max(limit, 1))), self.snapshot)
    }

    /// Whether a reader that stands at `offset` missed events that cannot be given any more, or comes from another life
    /// of the channel: both mean that it has to start over.
    func isCut(after offset: Offset) -> Bool {
        offset > self.last || offset.next < self.first
    }
}

extension LogBounds {
    /// How far past the limit a channel grows before an append forgets the surplus: forgetting is paid once for
    /// this many events.
    static let slack = 64

    /// The most events of one channel that are forgotten in one go, so that nobody waits long behind it.
    static let slice = 256

    /// What an append forgets: `nil` while there is too little of it to be worth the while.
    func overflow(over limit: Int) -> Offset? {
        let surplus = self.surplus(over: limit)
        guard surplus.rawValue - self.first.rawValue + 1 >= Int64(Self.slack) else { return nil }
        return min(surplus, Offset(rawValue: self.first.rawValue + Int64(Self.slice) - 1))
    }
}
