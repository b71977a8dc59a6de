package import InternetAddresses
package import Logging

/// How lines of the log look.
package enum LogFormat: String, CaseIterable, Sendable {
    /// `name=value` pairs, for people and for grep.
    case text
    /// A JSON object for each line.
    case json
}

/// A line of the log as a value: ``LogWriter`` makes text of it later, on the log's own thread.
package struct LogLine: Sendable {
    package enum Value: Sendable {
        case text(String)
        /// The decoded segments of a request's path.
        case path([String])
        case address(IPAddress)
        case number(Int)
        case nanoseconds(Int64)
    }

    /// When it happened, in nanoseconds of the monotonic clock.
    let moment: Int64
    let level: Logger.Level
    let logger: String
    let message: String
    let fields: [(name: String, value: Value)]

    package init(
        _ moment: Int64,
        _ level: Logger.Level,
        _ logger: String,
        _ message: String,
        _ fields: [(name: String, value: Value)]
    ) {
        self.moment = moment
        self.level = level
        self.logger = logger
        self.message = message
        self.fields = fields
    }
}
