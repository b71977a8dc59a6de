package import ToastCore

/// Decides when a failed delivery is retried, and when it is given up; a value without a clock.
package struct RetrySchedule: Hashable, Sendable {
    /// The pauses between two attempts; the attempt after the last pause is the last one.
    let pauses: [Interval]

    /// The age of an event from which on it is not retried.
    let maximumAge: Interval

    /// The maximum time for which a failure keeps back all deliveries of its webhook.
    let longestRest: Interval

    private let crowdedPause: Interval

    /// The maximum time until a delivery's next attempt.
    var longestPause: Interval {
        max(Self.longestRetryAfter, Interval(seconds: (self.pauses.last?.seconds ?? 0) * (1 + Self.spread)))
    }

    /// The jitter of a pause, so that deliveries that failed together are not retried together.
    private static let spread = 0.2

    /// The maximum pause that a receiver may ask for.
    private static let longestRetryAfter = Interval(seconds: 24 * 3600)

    /// A schedule of ten attempts within three days, with growing pauses.
    ///
    /// - Parameter first: The first pause, usually five seconds; the other pauses and `longestRest` are scaled with it;
    ///   `maximumAge` is only scaled up.
    package init(first: Interval = Interval(seconds: 5)) {
        let scale = first.seconds / 5
        func scaled(_ seconds: Double) -> Interval { Interval(seconds: seconds * scale) }
        let (minutes, hours) = (60.0, 3600.0)
        self.pauses = [5, 30, 2 * minutes, 10 * minutes].map(scaled) + [1, 3, 6, 12, 24].map { scaled($0 * hours) }
        self.maximumAge = Interval(seconds: 3 * 86_400 * max(1, scale))
        self.longestRest = scaled(600)
        self.crowdedPause = scaled(2)
    }

    /// The pause after a failed attempt; `nil` when the delivery is to be given up.
    ///
    /// - Parameters:
    ///   - tries: The number of attempts so far, this one included.
    ///   - age: The current age of the event.
    ///   - retryAfter: The pause that the receiver asked for.
    ///   - jitter: A random number from -1 to 1.
    /// - Returns: The time until the next attempt.
    func pause(after tries: Int, age: Interval, retryAfter: Interval? = nil, jitter: Double) -> Interval? {
        guard tries >= 1, tries <= self.pauses.count else { return nil }
        let pause = self.spread(self.pauses[tries - 1], jitter)
        let wanted = max(pause, min(retryAfter ?? .zero, Self.longestRetryAfter))
        return age + wanted <= self.maximumAge ? wanted : nil
    }

    /// How long a webhook rests after consecutive failures.
    func rest(after failures: Int, jitter: Double) -> Interval {
        let pause = self.pauses[min(max(failures, 1), self.pauses.count) - 1]
        return self.spread(min(pause, self.longestRest), jitter)
    }

    /// The minimum rest of a webhook whose receiver asked for a pause; zero when it did not.
    func rest(askedFor pause: Interval?) -> Interval { min(pause ?? .zero, self.longestRest) }

    /// How long a webhook rests when its owner has reached the limit of connections to its address.
    func restWhenCrowded(jitter: Double) -> Interval {
        self.spread(self.crowdedPause, jitter)
    }

    private func spread(_ interval: Interval, _ jitter: Double) -> Interval {
        Interval(seconds: interval.seconds * (1 + Self.spread * jitter))
    }
}
