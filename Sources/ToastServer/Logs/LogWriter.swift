import InternetAddresses
import Logging
import ToastCore

/// Writes lines of the log as text.
///
/// No value can end its line: characters that would end it, move the cursor of a terminal, or change the direction of
/// text are written as escapes. Values are cut at ``valueLimit`` bytes.
struct LogWriter: ~Copyable {
    /// The longest value, in bytes.
    static let valueLimit = 1024

    /// Characters that need no quotes in logfmt and no escape in JSON.
    private static let plain = ASCIISet(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/:+@%{}~"
    )

    /// Characters that need no escape between quotes.
    private static let quotable = ASCIISet(
        String(decoding: (UInt8(ascii: " ")...UInt8(ascii: "~")).filter { !#""\"#.utf8.contains($0) }, as: UTF8.self)
    )

    /// The names of the fields that every line has.
    private static let commonNames: Set = ["time", "level", "logger", "message"]

    /// A field's name with `_` for each character that a name cannot have, and after a name that every line has:
    /// libraries may log under any name.
    static func fieldName(_ name: String) -> String {
        let bytes = name.utf8.map { Self.plain.contains($0) ? $0 : UInt8(ascii: "_") }
        let written = String(decoding: bytes, as: UTF8.self)
        return Self.commonNames.contains(written) ? written + "_" : written
    }

    private let format: LogFormat
    private var buffer = ByteBuffer(capacity: 4096)

    init(_ format: LogFormat) {
        self.format = format
    }

    /// The length of the lines so far, in bytes.
    var count: Int { self.buffer.count }

    /// The lines so far, which are removed; their memory is kept.
    mutating func take() -> [UInt8] {
        defer { self.buffer.truncate(to: 0) }
        return self.buffer.bytes
    }

    /// Adds a line; `offset` plus the monotonic clock is the time since 1970.
    mutating func write(_ line: LogLine, clockOffset offset: Interval) {
        self.name("time", isFirst: true)
        self.quote()
        (Instant(nanoseconds: line.moment) + offset).spell(to: &self.buffer)
        self.quote()
        self.field("level", .text(line.level.rawValue))
        self.field("logger", .text(line.logger))
        self.field("message", .text(line.message))
        for (name, value) in line.fields { self.field(name, value) }
        if self.format == .json { self.buffer.append(UInt8(ascii: "}")) }
        self.buffer.append(UInt8(ascii: "\n"))
    }

    private mutating func field(_ name: String, _ value: LogLine.Value) {
        self.name(name, isFirst: false)
        switch value {
        case .text(let text): self.text(text)
        case .path(let segments): self.path(segments)
        case .address(let address): self.address(address)
        case .number(let number):
            if number < 0 { self.buffer.append(UInt8(ascii: "-")) }
            self.buffer.digits(UInt64(number.magnitude))
        case .nanoseconds(let nanoseconds):
            // As seconds, to the microsecond.
            let microseconds = UInt64(max(0, nanoseconds)) / 1000
            self.buffer.digits(microseconds / 1_000_000)
            self.buffer.append(UInt8(ascii: "."))
            self.buffer.digits(microseconds % 1_000_000, width: 6)
        }
    }

    /// Writes an IPv4 address without a `String`: each line of the access log has one.
    private mutating func address(_ address: IPAddress) {
        guard let v4 = address.v4 else { return self.text(address.description) }
        self.quote()
        for index in 0..<4 {
            if index > 0 { self.buffer.append(UInt8(ascii: ".")) }
            self.buffer.digits(UInt64(v4 >> UInt32(24 - 8 * index) & 0xFF))
        }
        self.quote()
    }

    private mutating func name(_ name: String, isFirst: Bool) {
        if self.format == .json {
            self.buffer.append(UInt8(ascii: isFirst ? "{" : ","))
        } else if !isFirst {
            self.buffer.append(UInt8(ascii: " "))
        }
        self.quote()
        self.buffer.append(name)
        self.quote()
        self.buffer.append(UInt8(ascii: self.format == .json ? ":" : "="))
    }

    private mutating func path(_ segments: [String]) {
        let start = self.buffer.count
        self.quote()
        let first = self.buffer.count
        if segments.isEmpty { self.buffer.append(UInt8(ascii: "/")) }
        for segment in segments {
            self.buffer.append(UInt8(ascii: "/"))
            self.buffer.append(segment)
        }
        if self.isPlain(from: first) { return self.quote() }
        self.buffer.truncate(to: start)
        self.escape("/" + segments.joined(separator: "/"))
    }

    private mutating func text(_ value: String) {
        let start = self.buffer.count
        self.quote()
        let first = self.buffer.count
        self.buffer.append(value)
        // In logfmt an empty text needs quotes; in JSON every text has them.
        if self.isPlain(from: first), !value.isEmpty || self.format == .json { return self.quote() }
        self.buffer.truncate(to: start)
        self.escape(value)
    }

    /// Whether the bytes from an index on need neither quotes nor escapes.
    private func isPlain(from index: Int) -> Bool {
        self.buffer.count - index <= Self.valueLimit && self.buffer.isMade(of: Self.plain, from: index)
    }

    /// Writes the quotes that every text has in JSON; in logfmt a plain one has none.
    private mutating func quote() {
        if self.format == .json { self.buffer.append(UInt8(ascii: "\"")) }
    }

    private mutating func escape(_ value: String) {
        self.buffer.append(UInt8(ascii: "\""))
        let start = self.buffer.count
        self.buffer.append(value)
        if self.buffer.count - start <= Self.valueLimit, self.buffer.isMade(of: Self.quotable, from: start) {
            return self.buffer.append(UInt8(ascii: "\""))
        }
        self.buffer.truncate(to: start)
        let end = self.buffer.count + Self.valueLimit
        for scalar in value.unicodeScalars {
            guard self.buffer.count < end else {
                self.buffer.append("…")
                break
            }
            self.append(scalar)
        }
        self.buffer.append(UInt8(ascii: "\""))
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": self.buffer.append(#"\""#)
        case "\\": self.buffer.append(#"\\"#)
        case "\n": self.buffer.append(#"\n"#)
        case "\r": self.buffer.append(#"\r"#)
        case "\t": self.buffer.append(#"\t"#)
        case " "..."~": self.buffer.append(UInt8(truncatingIfNeeded: scalar.value))
        default:
            guard scalar.isForbiddenInLogs else {
                self.buffer.append(String(scalar))
                return
            }
            for unit in String(scalar).utf16 {
                self.buffer.append("\\u")
                self.buffer.hexadecimalDigits(UInt64(unit), width: 4)
            }
        }
    }
}

extension Unicode.Scalar {
    /// Whether it is a control (C0, DEL, C1), another end of a line, an invisible mark such as those that change the
    /// direction of text, or a code point to which Unicode assigns no character.
    fileprivate var isForbiddenInLogs: Bool {
        switch self.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: true
        default: false
        }
    }
}
