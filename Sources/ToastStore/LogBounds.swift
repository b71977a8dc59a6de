import ToastCore

/// The first and last offset of a channel's log, and the offset of its snapshot.
struct LogBounds: Hashable, Sendable {
    /// The last event that was ever appended.
    var last: Offset

    /// The oldest event that is still kept; `last.next` when none is.
    var first: Offset

    /// The offset of the snapshot, or the offset after which the channel began when it has none.
    ///
    /// Events up to here may be forgotten, later ones may not.
    var snapshot: Offset

    /// Whether nothing was appended yet, so that the channel may still begin at another offset.
    var isFresh: Bool

    /// A channel that nothing was appended to yet.
    static func beginning(after offset: Offset) -> Self {
        Self(last: offset, first: offset.next, snapshot: offset, isFresh: true)
    }

    /// Whether events may be appended after an offset: the last one, or for a fresh channel any up to it.
    func accepts(_ offset: Offset) -> Bool { self.isFresh ? offset <= self.last : offset == self.last }

    /// The last event that is past a count of `limit` and not needed to rebuild the channel.
    func surplus(over limit: Int) -> Offset {
        min(Offset(rawValue: self.last.rawValue - Int64(max(limit, 1))), self.snapshot)
    }

    /// Whether a reader that has read up to `offset` must start over, because events after it were forgotten or the
    /// offset is from another life of the channel.
    func isCut(after offset: Offset) -> Bool { offset > self.last || offset.next < self.first }
}

extension LogBounds {
    /// How far past the limit a channel grows before an append forgets the surplus, so that the cost of forgetting is
    /// paid once for this many events.
    static let slack = 64

    /// The most events of one channel that are forgotten at once, so that later appends do not wait long.
    static let slice = 256

    /// The last event that an append forgets; `nil` while there are fewer than ``slack`` to forget.
    func overflow(over limit: Int) -> Offset? {
        let surplus = self.surplus(over: limit)
        guard surplus.rawValue - self.first.rawValue + 1 >= Int64(Self.slack) else { return nil }
        return min(surplus, Offset(rawValue: self.first.rawValue + Int64(Self.slice) - 1))
    }
}
