import ToastCore

/// Where a channel's log ends, and from where the channel is rebuilt: what the next append needs.
struct ChannelPlace: Hashable, Sendable {
    /// The offset of the last event; of a channel without events, the greatest offset after which it may begin.
    var last: Offset

    /// The sequence of the last message: what the next append expects; 0 when there is none.
    var sequence: UInt64

    /// The offset after which the tail begins: the snapshot's, or the one before the first event.
    var base: Offset

    /// The sequence of the message that ended with ``base``; 0 when the channel has no snapshot.
    var baseSequence: UInt64 = 0

    var hasSnapshot = false

    /// The sequence of the tombstone after which the channel begins; 0 when there is none.
    var life: UInt64 = 0

    /// Whether nothing was appended yet.
    var isFresh = false

    /// The smallest offset after which a fresh channel may begin, as its tombstone says; the origin without one.
    var earliest = Offset.origin

    /// When the last event happened.
    var at = Instant(nanoseconds: 0)

    /// Whether an append may expect an offset.
    func accepts(_ offset: Offset) -> Bool {
        self.isFresh ? (self.earliest...max(self.earliest, self.last)).contains(offset) : offset == self.last
    }

    /// The last event that is past a count of `limit` and not needed to rebuild the channel.
    func surplus(over limit: Int) -> Offset {
        min(Offset(rawValue: self.last.rawValue - Int64(max(limit, 1))), self.base)
    }

    /// The sequence of the first message that must stay, so that the channel can be rebuilt and its end is known.
    var firstNeeded: UInt64 {
        guard self.hasSnapshot else { return self.life + 1 }
        return self.base == self.last ? self.sequence : self.baseSequence + 1
    }
}

extension ChannelPlace {
    /// The place of a channel whose log ends with a message.
    init(_ header: LogHeader, sequence: UInt64) {
        self.init(last: header.last, sequence: sequence, base: header.base)
        // The message that ends with the snapshot cannot name its own sequence.
        self.baseSequence = header.baseSequence == 0 && header.hasSnapshot ? sequence : header.baseSequence
        self.hasSnapshot = header.hasSnapshot
        self.life = header.life
        self.at = header.at
    }

    /// The place of a channel without events, whose log is empty or ends with a tombstone.
    init(beginningAt floor: Offset, behind tombstone: (header: LogHeader, sequence: UInt64)?) {
        let earliest = tombstone?.header.last ?? .origin
        let begin = max(floor, earliest)
        self.init(last: begin, sequence: tombstone?.sequence ?? 0, base: begin)
        self.life = tombstone?.sequence ?? 0
        self.isFresh = true
        self.earliest = earliest
    }
}
