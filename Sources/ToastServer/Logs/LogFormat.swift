/// How lines of the log look.
public enum LogFormat: String, CaseIterable, Sendable {
    /// `name=value` pairs, for people and for grep.
    case text
    /// A JSON object for each line.
    case json
}

/// Something to log: written to its line later, on the thread that writes the log.
public protocol LogLine: Sendable {
    /// Writes all that the line has to say.
    ///
    /// - Parameters:
    ///   - writer: The line.
    ///   - clock: The time.
    func write(to writer: inout LogWriter, at clock: LogClock)
}

/// Turns the monotonic clock into the time of day, once for all lines that are written together.
public struct LogClock: Sendable {
    /// What has to be added to the monotonic clock to get nanoseconds since 1970.
    let offset: Int64
}
