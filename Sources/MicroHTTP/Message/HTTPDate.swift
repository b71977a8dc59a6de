import Synchronization

/// Moments as HTTP writes them, like `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
public enum HTTPDate {
    /// Now, for the `Date` of answers that are written past the library (RFC 9110 §6.6.1).
    public static var now: String {
        let now = WallClock.seconds
        return self.latest.withLock { latest in
            if latest.seconds != now { latest = (now, self.text(ofSecond: now)) }
            return latest.text
        }
    }

    /// Made once a second, though thousands of polls may be answered in it.
    private static let latest = Mutex((seconds: 0, text: text(ofSecond: 0)))

    /// A moment.
    ///
    /// - Parameter seconds: Seconds since the beginning of 1970.
    /// - Returns: Its text.
    static func text(ofSecond seconds: Int) -> String {
        WallClock.text(ofSecond: seconds, format: "%a, %d %b %Y %H:%M:%S GMT")
    }
}
