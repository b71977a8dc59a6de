import EventLoop
import InternetAddresses
import Logging

/// How lines of the log look.
package enum LogFormat: String, CaseIterable, Sendable {
    /// `name=value` pairs, for people and for grep.
    case text
    /// A JSON object for each line.
    case json
}

/// A line of the log as a value: ``LogWriter`` makes text of it later, on the log's own thread.
struct LogLine: Sendable {
    enum Value: Sendable {
        case text(String)
        /// The decoded segments of a request's path.
        case path([String])
        case address(IPAddress)
        case number(Int)
        case nanoseconds(Int64)
    }

    /// When it happened, in nanoseconds of the monotonic clock.
    var moment: Int64 = EventLoop.now
    let level: Logger.Level
    let logger: String
    let message: String
    let fields: [(name: String, value: Value)]
}
