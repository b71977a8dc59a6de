import MicroHTTP
package import ToastCore

/// How often something may be done: a token bucket's rate and size.
///
/// Written `50/s`, `50/s:200` or `12/min:60`: the tokens that return in a second, a minute (`m`, `min`) or an hour
/// (`h`), and how many a bucket holds, by default as many as return in that time. `none` or `0` is no limit.
package struct RateLimit: Hashable, Sendable {
    /// The tokens that a full bucket holds.
    package let burst: Int

    /// The time in which one token returns.
    package let interval: Interval

    /// The longest time that a bucket may take to fill, in nanoseconds.
    private static let longest = 86_400 * 1_000_000_000.0

    /// Reads a rate; `.some(nil)` for no limit, `nil` when the text is malformed.
    package static func parse(_ text: String) -> Self?? {
        if text == "none" || text == "0" { return .some(nil) }
        let halves = text.split(separator: ":", omittingEmptySubsequences: false)
        let rate = halves[0].split(separator: "/", omittingEmptySubsequences: false)
        let units: [Substring: Double] = ["s": 1, "m": 60, "min": 60, "h": 3600]
        guard halves.count <= 2, rate.count == 2, let seconds = units[rate[1]], let count = Int(digits: rate[0]),
            let burst = halves.count == 2 ? Int(digits: halves[1]) : count,
            [count, burst].allSatisfy({ (1...1_000_000).contains($0) })
        else { return nil }
        let interval = seconds * 1_000_000_000 / Double(count)
        guard interval * Double(burst) <= Self.longest else { return nil }
        return .some(Self(burst: burst, interval: Interval(nanoseconds: Int64(interval))))
    }

    /// How long it takes to fill an empty bucket, in whole seconds.
    var window: Int { Int((self.interval.nanoseconds * Int64(self.burst) + 999_999_999) / 1_000_000_000) }
}

/// The kinds of requests, each of which has a rate of its own.
package enum RateClass: String, CaseIterable, Sendable {
    /// Posting toasts; each counts, also in a batch, and once for each channel.
    case publish
    /// Every other change, including what people do with toasts.
    case change
    /// Reading, and opening streams.
    case read

    /// The class of a route's requests by its method, unless the route has a class of its own.
    init(of method: Method) {
        self = method == .get ? .read : .change
    }
}
