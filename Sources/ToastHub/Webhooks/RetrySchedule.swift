public import ToastCore

/// When a delivery that failed is tried again, and when it is given up: a value without a clock.
public struct RetrySchedule: Hashable, Sendable {
    /// The pauses between two tries; behind the last of them nothing is tried any more.
    let pauses: [Interval]

    /// The age of an event at which it is not worth another try.
    let maximumAge: Interval

    /// The longest time for which one failure keeps everything else of its webhook back.
    let longestRest: Interval

    /// How long a webhook waits for its turn at an address to which its owner has enough connections.
    private let turn: Interval

    /// How long at most a delivery waits for its next try.
    var longestPause: Interval {
        max(Self.longestWish, Interval(seconds: (self.pauses.last?.seconds ?? 0) * (1 + Self.spread)))
    }

    /// How far a pause may be off, so that what failed together does not come back together.
    private static let spread = 0.2

    /// The longest time that a receiver may ask to be left alone for.
    private static let longestWish = Interval(seconds: 24 * 3600)

    /// A schedule: ten tries, which take two days and ask for more and more patience.
    ///
    /// - Parameter first: The first pause, usually five seconds; the others, and the bounds, grow with it.
    public init(first: Interval = Interval(seconds: 5)) {
        let scale = first.seconds / 5
        func scaled(_ seconds: Double) -> Interval { Interval(seconds: seconds * scale) }
        let (minutes, hours) = (60.0, 3600.0)
        self.pauses = [5, 30, 2 * minutes, 10 * minutes].map(scaled) + [1, 3, 6, 12, 24].map { scaled($0 * hours) }
        self.maximumAge = Interval(seconds: 3 * 86_400 * max(1, scale))
        self.longestRest = scaled(600)
        self.turn = scaled(2)
    }

    /// The pause behind a failed try; `nil` when the delivery is to be given up.
    ///
    /// - Parameters:
    ///   - tries: How often it was tried, this time included.
    ///   - age: How old the event is now.
    ///   - wish: How long the receiver asked to be left alone.
    ///   - jitter: A random number from -1 to 1.
    /// - Returns: The time until the next try.
    func pause(behind tries: Int, age: Interval, wish: Interval? = nil, jitter: Double) -> Interval? {
        guard tries >= 1, tries <= self.pauses.count else { return nil }
        let pause = self.spread(self.pauses[tries - 1], jitter)
        let wished = max(pause, min(wish ?? .zero, Self.longestWish))
        return age + wished <= self.maximumAge ? wished : nil
    }

    /// How long a webhook rests that has failed so many times one after the other.
    func rest(behind failures: Int, jitter: Double) -> Interval {
        let pause = self.pauses[min(max(failures, 1), self.pauses.count) - 1]
        return self.spread(min(pause, self.longestRest), jitter)
    }

    /// How long a webhook waits for its turn at an address to which its owner has enough connections.
    func turn(jitter: Double) -> Interval {
        self.spread(self.turn, jitter)
    }

    private func spread(_ interval: Interval, _ jitter: Double) -> Interval {
        Interval(seconds: interval.seconds * (1 + Self.spread * jitter))
    }
}
