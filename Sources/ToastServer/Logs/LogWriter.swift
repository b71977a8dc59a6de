import InternetAddresses
import Logging
import ToastCore

/// Puts lines of log together.
///
/// A line stays a line whatever is in it: what could end it, move the cursor of a terminal, or turn the direction of text
/// around, is written as an escape. Values are cut at ``valueLimit`` bytes.
public struct LogWriter: ~Copyable {
    /// The longest value, in bytes.
    public static let valueLimit = 1024

    /// Letters, digits and marks that neither logfmt, nor JSON, nor a shell takes for more than themselves.
    private static let plain = ASCIISet(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/:+@%{}~"
    )

    /// What needs no escape between quotes.
    private static let quotable = ASCIISet(
        String(decoding: (UInt8(ascii: " ")...UInt8(ascii: "~")).filter { !#""\"#.utf8.contains($0) }, as: UTF8.self)
    )

    private let format: LogFormat
    private var buffer = ByteBuffer(capacity: 4096)

    init(_ format: LogFormat) {
        self.format = format
    }

    /// How many bytes there are.
    var count: Int { self.buffer.count }

    /// The lines so far.
    var bytes: [UInt8] { self.buffer.bytes }

    mutating func begin(_ time: Instant, _ level: Logger.Level, _ logger: String, _ message: String) {
        self.begin(time)
        self.field("level", level.rawValue)
        self.field("logger", logger)
        self.field("message", message)
    }

    /// Begins a line whose next fields are known.
    ///
    /// - Parameters:
    ///   - time: When it happened.
    ///   - text: The fields as they stand in logfmt, with the blank in front.
    ///   - json: The fields as they stand in JSON, with the comma in front.
    mutating func begin(_ time: Instant, text: StaticString, json: StaticString) {
        self.begin(time)
        self.buffer.append(self.format == .json ? json : text)
    }

    private mutating func begin(_ time: Instant) {
        if self.format == .json { self.buffer.append(UInt8(ascii: "{")) }
        self.name("time", isFirst: true)
        self.quote()
        time.spell(to: &self.buffer)
        self.quote()
    }

    /// A name that others chose as one that can stand in a line.
    static func name(from name: String) -> String {
        String(decoding: name.utf8.map { Self.plain.contains($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
    }

    /// Adds a value as text.
    ///
    /// - Parameters:
    ///   - name: A name that others chose, made fit by ``name(from:)``.
    ///   - value: The value.
    mutating func field(named name: String, _ value: String) {
        self.buffer.append(UInt8(ascii: self.format == .json ? "," : " "))
        self.quote()
        self.buffer.append(name)
        self.quote()
        self.buffer.append(UInt8(ascii: self.format == .json ? ":" : "="))
        self.text(value)
    }

    /// Adds a value as text.
    public mutating func field(_ name: StaticString, _ value: String) {
        self.name(name)
        self.text(value)
    }

    private mutating func text(_ value: String) {
        let start = self.buffer.count
        self.quote()
        let first = self.buffer.count
        self.buffer.append(value)
        self.quote()
        guard !self.isPlain(from: first) else { return }
        self.buffer.truncate(to: start)
        self.escape(value)
    }

    /// Adds a path as text.
    mutating func field(_ name: StaticString, path segments: [String]) {
        self.name(name)
        let start = self.buffer.count
        self.quote()
        let first = self.buffer.count
        if segments.isEmpty { self.buffer.append(UInt8(ascii: "/")) }
        for segment in segments {
            self.buffer.append(UInt8(ascii: "/"))
            self.buffer.append(segment)
        }
        self.quote()
        guard !self.isPlain(from: first) else { return }
        self.buffer.truncate(to: start)
        self.escape("/" + segments.joined(separator: "/"))
    }

    /// Adds a value, if there is one.
    public mutating func field(_ name: StaticString, _ value: String?) {
        if let value { self.field(name, value) }
    }

    /// Adds an address, if there is one.
    mutating func field(_ name: StaticString, _ address: IPAddress?) {
        guard let address else { return }
        guard let v4 = address.v4 else { return self.field(name, address.description) }
        self.name(name)
        self.quote()
        for place in 0..<4 {
            if place > 0 { self.buffer.append(UInt8(ascii: ".")) }
            self.buffer.digits(UInt64(v4 >> UInt32(24 - 8 * place) & 0xFF))
        }
        self.quote()
    }

    /// Adds a number.
    public mutating func field(_ name: StaticString, _ value: Int) {
        self.name(name)
        if value < 0 { self.buffer.append(UInt8(ascii: "-")) }
        self.buffer.digits(UInt64(value.magnitude))
    }

    /// Adds a length of time as seconds, to the microsecond.
    public mutating func field(_ name: StaticString, nanoseconds: Int64) {
        self.name(name)
        let microseconds = UInt64(max(0, nanoseconds)) / 1000
        self.buffer.digits(microseconds / 1_000_000)
        self.buffer.append(UInt8(ascii: "."))
        self.buffer.digits(microseconds % 1_000_000, width: 6)
    }

    mutating func end() {
        if self.format == .json { self.buffer.append(UInt8(ascii: "}")) }
        self.buffer.append(0x0A)
    }

    /// Begins anew, with the same memory.
    mutating func clear() {
        self.buffer.truncate(to: 0)
    }

    private mutating func name(_ name: StaticString, isFirst: Bool = false) {
        switch self.format {
        case .json: self.buffer.member(name, isBehindValue: !isFirst)
        case .text: self.buffer.logged(name, isBehindField: !isFirst)
        }
    }

    /// JSON has texts in quotes; logfmt needs none around what is plain.
    private mutating func quote() {
        if self.format == .json { self.buffer.append(UInt8(ascii: "\"")) }
    }

    /// Whether a value that was just written is good as it is.
    private func isPlain(from start: Int) -> Bool {
        let end = self.format == .json ? self.buffer.count - 1 : self.buffer.count
        guard end > start || self.format == .json, end - start <= Self.valueLimit else { return false }
        return self.buffer.isMade(of: Self.plain, from: start, to: end)
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
    /// Controls (C0, DEL, C1), other ends of lines, marks that turn the direction of text, and what is never a character.
    fileprivate var isForbiddenInLogs: Bool {
        switch self.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: true
        default: false
        }
    }
}
