package import Logging

/// A log handler that writes to a ``LogSink``.
package struct SinkLogHandler: LogHandler {
    /// The fields of every line.
    package var metadata: Logger.Metadata = [:]

    /// The least level that is logged.
    package var logLevel: Logger.Level

    private let label: String
    private let sink: LogSink

    /// A handler for the logger with the name `label`.
    package init(label: String, level: Logger.Level, sink: LogSink) {
        self.label = label
        self.logLevel = level
        self.sink = sink
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { self.metadata[key] }
        set { self.metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        // By their names in the line: two keys can have the same name there, and the event's value then wins.
        var fields: [String: String] = [:]
        for metadata in [self.metadata, event.metadata ?? [:]] {
            for (key, value) in metadata { fields[LogWriter.fieldName(key)] = value.description }
        }
        if let error = event.error { fields["error"] = "\(error)" }
        self.sink.write(
            LogLine(
                level: event.level,
                logger: self.label,
                message: event.message.description,
                fields: fields.sorted { $0.key < $1.key }.map { ($0.key, .text($0.value)) }
            )
        )
    }
}
