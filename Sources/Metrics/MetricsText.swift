/// Has metrics to expose.
public protocol MetricsCollector: Sendable {
    /// Writes its families.
    func write(to text: inout MetricsText)
}

/// Writes metrics for Prometheus: its text format 0.0.4, or OpenMetrics 1.0.
///
/// Both have the same content. OpenMetrics names a counter's family without `_total`, and requires a decimal point in
/// `le` and an end marker.
///
/// <https://prometheus.io/docs/instrumenting/exposition_formats/>,
/// <https://github.com/prometheus/OpenMetrics/blob/v1.0.0/specification/OpenMetrics.md>
public struct MetricsText: Sendable {
    /// A format of the text.
    public enum Format: Hashable, Sendable {
        /// Prometheus' own, which every tool reads.
        case plain
        /// OpenMetrics.
        case openMetrics

        /// The value of `Content-Type`.
        public var mediaType: String {
            switch self {
            case .plain: "text/plain; version=0.0.4; charset=utf-8"
            case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
            }
        }
    }

    /// What a family counts.
    public enum Kind: String, Sendable {
        /// Something that only grows; its name ends in `_total`.
        case counter
        /// A value at this moment.
        case gauge
        /// A distribution of values.
        case histogram
        /// What does not change while the process runs; its name ends in `_info`.
        case info
    }

    /// The labels of a sample, in the order in which they are written.
    public typealias Labels = KeyValuePairs<String, String>

    private let format: Format
    private var text = ""
    /// The name of the current family, as its samples have it.
    private var name = ""

    /// An empty text.
    public init(_ format: Format) {
        self.format = format
    }

    /// Begins a family with a sentence of help; its samples follow.
    ///
    /// The name is the one that samples have: with `_total` for a counter, with `_info` for an info.
    public mutating func family(_ name: String, _ kind: Kind, _ help: String) {
        self.name = name
        var (family, type) = (name, kind.rawValue)
        switch (self.format, kind) {
        case (.openMetrics, .counter) where name.hasSuffix("_total"): family.removeLast("_total".count)
        case (.openMetrics, .info) where name.hasSuffix("_info"): family.removeLast("_info".count)
        case (.plain, .info): type = Kind.gauge.rawValue
        default: break
        }
        self.text += "# TYPE \(family) \(type)\n"
        if self.format == .openMetrics, let unit = Self.unit(of: family) { self.text += "# UNIT \(family) \(unit)\n" }
        self.text += "# HELP \(family) \(self.escaped(help, quotes: self.format == .openMetrics))\n"
    }

    /// Adds a sample to the family.
    public mutating func sample(_ labels: Labels, _ value: Int) {
        self.sample(self.name, labels, String(value))
    }

    /// Adds a sample to the family.
    public mutating func sample(_ labels: Labels, _ value: Double) {
        self.sample(self.name, labels, Self.number(value))
    }

    /// Adds a histogram to the family.
    public mutating func sample(_ labels: Labels, _ reading: Histogram.Reading) {
        var count = 0
        for (index, limit) in reading.scale.limits.enumerated() {
            count += reading.counts[index]
            let bound = Double(limit) / Double(reading.scale.divisor)
            self.sample(self.name + "_bucket", labels, String(count), limit: self.bound(bound))
        }
        self.sample(self.name + "_bucket", labels, String(reading.count), limit: "+Inf")
        self.sample(self.name + "_sum", labels, Self.number(Double(reading.sum) / Double(reading.scale.divisor)))
        self.sample(self.name + "_count", labels, String(reading.count))
    }

    /// All that was written.
    public var bytes: [UInt8] { Array((self.format == .openMetrics ? self.text + "# EOF\n" : self.text).utf8) }

    private mutating func sample(_ name: String, _ labels: Labels, _ value: String, limit: String? = nil) {
        self.text += name
        var separator = "{"
        for (label, value) in labels {
            self.text += "\(separator)\(label)=\"\(self.escaped(value, quotes: true))\""
            separator = ","
        }
        if let limit {
            self.text += "\(separator)le=\"\(limit)\""
            separator = ","
        }
        self.text += separator == "{" ? " \(value)\n" : "} \(value)\n"
    }

    /// "label_value can be any sequence of UTF-8 characters, but the backslash, double-quote, and line feed characters
    /// have to be escaped"; in help texts of the plain format, only the backslash and the line feed.
    private func escaped(_ text: String, quotes: Bool) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "\"") || $0 == 0x0A }) else {
            return text
        }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// OpenMetrics requires `1.0`; Prometheus writes `1`.
    private func bound(_ value: Double) -> String {
        let text = Self.number(value)
        return self.format == .plain && text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// "+Inf", "-Inf" and "NaN" are spelled like this; Swift and Go write all other numbers alike.
    private static func number(_ value: Double) -> String {
        guard value.isFinite else { return value.isNaN ? "NaN" : value > 0 ? "+Inf" : "-Inf" }
        return value.description
    }

    private static func unit(of family: String) -> String? {
        ["seconds", "bytes"].first { family.hasSuffix("_" + $0) }
    }
}
