import Logging
import ToastCore

/// Puts lines of log together.
///
/// A line stays a line whatever is in it: what could end it, move the cursor of a terminal, or turn the direction of text
/// around, is written as an escape. Values are cut at ``valueLimit`` bytes.
public struct LogWriter: Sendable {
    /// The longest value, in bytes.
    public static let valueLimit = 1024

    private let format: LogFormat
    private(set) var bytes: [UInt8] = []

    init(_ format: LogFormat) {
        self.format = format
    }

    mutating func begin(_ time: Instant, _ level: Logger.Level, _ logger: String, _ message: String) {
        if self.format == .json { self.bytes.append(UInt8(ascii: "{")) }
        var text = JSONWriter()
        time.write(to: &text)
        self.name("time", isFirst: true)
        self.bytes += self.format == .json ? text.bytes : Array(text.bytes.dropFirst().dropLast())
        self.field("level", level.rawValue)
        self.field("logger", logger)
        self.field("message", message)
    }

    /// Adds a value as text.
    public mutating func field(_ name: String, _ value: String) {
        self.name(name)
        let isPlain = self.format == .text && !value.isEmpty && value.utf8.allSatisfy(\.needsNoQuotes)
        guard !isPlain || value.utf8.count > Self.valueLimit else {
            self.bytes += value.utf8
            return
        }
        self.bytes.append(UInt8(ascii: "\""))
        let end = self.bytes.count + Self.valueLimit
        for scalar in value.unicodeScalars {
            guard self.bytes.count < end else {
                self.bytes += "…".utf8
                break
            }
            self.append(scalar)
        }
        self.bytes.append(UInt8(ascii: "\""))
    }

    /// Adds a value, if there is one.
    public mutating func field(_ name: String, _ value: String?) {
        if let value { self.field(name, value) }
    }

    /// Adds a number.
    public mutating func field(_ name: String, _ value: Int) {
        self.name(name)
        self.bytes += String(value).utf8
    }

    /// Adds a length of time as seconds, to the microsecond.
    public mutating func field(_ name: String, nanoseconds: Int64) {
        self.name(name)
        let microseconds = max(0, nanoseconds) / 1000
        let fraction = String(microseconds % 1_000_000)
        self.bytes += String(microseconds / 1_000_000).utf8
        self.bytes.append(UInt8(ascii: "."))
        self.bytes += String(repeating: "0", count: 6 - fraction.count).utf8
        self.bytes += fraction.utf8
    }

    mutating func end() {
        if self.format == .json { self.bytes.append(UInt8(ascii: "}")) }
        self.bytes.append(0x0A)
    }

    /// Begins anew, with the same memory.
    mutating func clear() {
        self.bytes.removeAll(keepingCapacity: true)
    }

    private mutating func name(_ name: String, isFirst: Bool = false) {
        if !isFirst { self.bytes.append(UInt8(ascii: self.format == .json ? "," : " ")) }
        if self.format == .json { self.bytes.append(UInt8(ascii: "\"")) }
        self.bytes += name.utf8.map { $0.needsNoQuotes ? $0 : UInt8(ascii: "_") }
        if self.format == .json { self.bytes.append(UInt8(ascii: "\"")) }
        self.bytes.append(UInt8(ascii: self.format == .json ? ":" : "="))
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": self.bytes += #"\""#.utf8
        case "\\": self.bytes += #"\\"#.utf8
        case "\n": self.bytes += #"\n"#.utf8
        case "\r": self.bytes += #"\r"#.utf8
        case "\t": self.bytes += #"\t"#.utf8
        default:
            guard scalar.isForbiddenInLogs else {
                self.bytes += UTF8.encode(scalar).map { Array($0) } ?? []
                return
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                self.bytes += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8
            }
        }
    }
}

extension UInt8 {
    /// Letters, digits and marks that neither logfmt nor a shell takes for more than themselves.
    fileprivate var needsNoQuotes: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"),
            UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "+"), UInt8(ascii: "@"), UInt8(ascii: "%"),
            UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "~"):
            true
        default:
            false
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
