import EventLoop
public import Logging

/// Sends what is logged to a ``LogSink``.
public struct SinkLogHandler: LogHandler {
    /// What every line bears.
    public var metadata: Logger.Metadata = [:]

    /// What is worth a line.
    public var logLevel: Logger.Level

    private let label: String
    private let sink: LogSink

    /// A handler for a logger of a name.
    public init(label: String, level: Logger.Level, sink: LogSink) {
        self.label = label
        self.logLevel = level
        self.sink = sink
    }

    /// One value of what every line bears.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { self.metadata[key] }
        set { self.metadata[key] = newValue }
    }

    /// Writes a line.
    public func log(event: LogEvent) {
        var fields = self.metadata.merging(event.metadata ?? [:]) { $1 }
        if let error = event.error { fields["error"] = "\(error)" }
        self.sink.write(
            LoggedLine(
                moment: EventLoop.now,
                level: event.level,
                logger: self.label,
                message: event.message.description,
                fields: fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value.description) }
            )
        )
    }
}

/// A line with whatever is worth knowing.
struct LoggedLine: LogLine {
    let moment: Int64
    let level: Logger.Level
    let logger: String
    let message: String
    var fields: [(name: String, value: String)] = []

    func write(to writer: inout LogWriter, at clock: LogClock) {
        writer.begin(clock.instant(of: self.moment), self.level, self.logger, self.message)
        for field in self.fields { writer.field(named: LogWriter.name(from: field.name), field.value) }
        writer.end()
    }
}
