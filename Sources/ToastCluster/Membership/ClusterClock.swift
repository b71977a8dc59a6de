package import ToastCore

/// A comparison of this machine's clock with the NATS server's: `ts` in an answer of the server.
package struct ClockSample: Equatable, Sendable {
    /// The time between question and answer.
    package let roundTrip: Interval

    /// How far the server's clock is ahead of this machine's, if both ways took the same time; it is off by half of the
    /// round trip at most, and by a millisecond, because the server's time is cut to milliseconds.
    package let offset: Interval

    /// A sample of a question and its answer; `nil` when the answer is before the question.
    ///
    /// This machine's clock says when they were sent and received; the server's time is in the answer.
    package init?(sent: Instant, received: Instant, server: Instant) {
        guard received >= sent else { return nil }
        self.roundTrip = received - sent
        self.offset = server - (sent + Self.half(self.roundTrip))
    }

    /// Whether both samples can be right, although clocks drift a little in between; not if one of the clocks was set.
    func agrees(with other: Self) -> Bool {
        let (first, second) = (max(self.offset, other.offset), min(self.offset, other.offset))
        return first - second <= self.uncertainty + other.uncertainty + Interval(nanoseconds: 10_000_000)
    }

    /// The largest error of the offset.
    var uncertainty: Interval { Self.half(self.roundTrip) + Interval(nanoseconds: 1_000_000) }

    private static func half(_ interval: Interval) -> Interval { Interval(nanoseconds: interval.nanoseconds / 2) }
}

/// The time of the cluster, as one node shows it: that of the NATS server, but never backwards and without leaps.
///
/// It starts with the first sample. Later ones change its rate only, by at most a millisecond a second. Of the last
/// eight samples the one with the shortest round trip counts, because its error is the smallest; samples that a later
/// one contradicts are dropped. A node whose time is more than a second off, counting the error of the sample, owns
/// nothing.
///
/// Local instants are readings of one clock of this machine that never goes backwards.
package struct ClusterClock: Sendable {
    /// How far a node's time may be off while it owns partitions.
    package static let tolerance = Interval(seconds: 1)

    /// The number of samples that are compared.
    package static let sampleCount = 8

    /// The inverse of the rate at which the time is corrected: a millisecond a second.
    private static let slewDivisor: Int64 = 1000

    /// The latest samples, oldest first; never empty.
    private var samples: [ClockSample]
    private var best: ClockSample
    /// The local reading from which the rate is counted, and by how much the time was ahead of it then.
    private var base: (local: Instant, offset: Interval)

    /// A clock that starts with a sample.
    package init(_ first: ClockSample, at local: Instant) {
        self.samples = [first]
        self.best = first
        self.base = (local, first.offset)
    }

    /// Takes a further sample at a reading of the local clock; readings must never go back.
    package mutating func add(_ sample: ClockSample, at local: Instant) {
        let start = max(self.base.local, local)
        self.base = (start, self.lead(at: start))
        self.samples = (self.samples.filter { $0.agrees(with: sample) } + [sample]).suffix(Self.sampleCount)
        // The latest of several with the same round trip.
        self.best = self.samples.reversed().min { $0.roundTrip < $1.roundTrip } ?? sample
    }

    /// The time of the cluster at a reading of the local clock.
    package func now(at local: Instant) -> Instant {
        // A reading from before the last sample gets the time of that sample, so that the time never goes backwards.
        let reading = max(self.base.local, local)
        return reading + self.lead(at: reading)
    }

    /// By how much the server's clock is ahead of this one: what remains to be slewed; negative when it is behind.
    package func error(at local: Instant) -> Interval { self.best.offset - self.lead(at: local) }

    /// Whether the time is right enough for owning partitions.
    package func mayOwn(at local: Instant) -> Bool {
        let (error, rest) = (self.error(at: local), Self.tolerance - self.best.uncertainty)
        return error <= rest && Interval.zero - error <= rest
    }

    /// By how much the time is ahead of a local reading.
    private func lead(at local: Instant) -> Interval {
        let elapsed = max(.zero, local - self.base.local)
        let step = Interval(nanoseconds: elapsed.nanoseconds / Self.slewDivisor)
        let missing = self.best.offset - self.base.offset
        return self.base.offset + max(Interval.zero - step, min(step, missing))
    }
}
