import Glibc
import Synchronization

/// Dates as HTTP writes them, like `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
public enum HTTPDate {
    /// Now, for the `Date` of responses that libmicrohttpd does not send (RFC 9110 §6.6.1).
    public static var now: String {
        let now = time(nil)
        return self.latest.withLock { latest in
            if latest.seconds != now { latest = (now, self.text(ofSecond: now)) }
            return latest.text
        }
    }

    /// Formatted once a second, because thousands of polls may be answered in one.
    private static let latest = Mutex((seconds: 0, text: text(ofSecond: 0)))

    /// The text of a moment in seconds since the beginning of 1970.
    static func text(ofSecond seconds: Int) -> String {
        var seconds = seconds
        var parts = unsafe tm()
        var text = [CChar](repeating: 0, count: 64)
        // In the C locale, which this program never leaves: its names are those of HTTP.
        guard unsafe gmtime_r(&seconds, &parts) != nil else { return "" }
        let length = unsafe strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        return String(decoding: text.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
