import TestSupport
import Testing
import ToastCore
import ToastHub

/// Draws values, always the same ones for a seed.
struct Generator {
    var random: SplitMix64

    static let start = Instant(nanoseconds: 1_800_000_000_000_000_000)

    init(seed: UInt64) {
        self.random = SplitMix64(seed: seed)
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &self.random) }

    mutating func chance(_ percent: Int) -> Bool { self.number(1...100) <= percent }

    mutating func one<Value>(of values: [Value]) -> Value { values[self.number(0...values.count - 1)] }

    mutating func maybe<Value>(_ value: (inout Self) throws -> Value) rethrows -> Value? {
        self.chance(40) ? try value(&self) : nil
    }

    mutating func list<Value>(upTo count: Int, _ value: (inout Self) throws -> Value) rethrows -> [Value] {
        try (0..<self.number(0...count)).map { _ in try value(&self) }
    }

    // MARK: Names and numbers

    /// A text with characters that have to be escaped, and others that only look like them.
    mutating func text() -> String {
        let pieces = [
            "a", "Saved", "\"", "\\", "/", "\n", "\r\n", "\t", "\u{0}", "\u{1F}", "\u{7F}", "\u{2028}", "é", "e\u{301}",
            "👩‍👩‍👧‍👦", "𝄞", "\u{FEFF}", "%@", "{0}", "\u{10FFFF}",
        ]
        return "x" + (0..<self.number(0...6)).map { _ in self.one(of: pieces) }.joined()
    }

    mutating func id() -> ToastID {
        ToastID(at: self.instant(), using: &self.random)
    }

    mutating func channel() throws -> ChannelName {
        try #require(ChannelName(rawValue: self.one(of: ["ops", "a", "Room_1-x", String(repeating: "z", count: 64)])))
    }

    mutating func epoch() throws -> Epoch {
        try #require(Epoch(rawValue: self.one(of: ["k3f9a2zz", "00000000"])))
    }

    mutating func offset() -> Offset {
        Offset(rawValue: Int64(self.one(of: [0, 1, 1024, 1 << 31, 1 << 53, self.number(0...1_000_000)])))
    }

    /// An offset that many others can follow.
    mutating func early() -> Offset { Offset(rawValue: Int64(self.number(0...1_000_000))) }

    mutating func cursor() throws -> Cursor {
        let epoch = try self.epoch()
        guard self.chance(30) else { return Cursor(epoch: epoch, offset: self.offset()) }
        let other = try #require(ChannelName(rawValue: "other"))
        return Cursor(epoch: epoch, offsets: [try self.channel(): self.offset(), other: self.offset()])
    }

    /// Any nanosecond of half a century.
    mutating func instant() -> Instant {
        Instant(nanoseconds: Int64(self.number(0...1_600_000_000_000_000_000)))
    }

    mutating func interval() -> Interval {
        Interval(nanoseconds: Int64(self.one(of: [0, 1, 999, 1_500_000_000, self.number(0...30_000_000_000)])))
    }

    mutating func language() throws -> LanguageTag {
        try #require(LanguageTag(rawValue: self.one(of: ["de", "pt-BR", "zh-Hant-TW", "en-x-own"])))
    }

    mutating func bytes() -> [UInt8] {
        self.list(upTo: 40) { UInt8($0.number(0...255)) }
    }

    // MARK: JSON

    mutating func json(depth: Int = 3) -> JSON {
        switch self.number(0...(depth > 0 ? 8 : 6)) {
        case 0: .null
        case 1: .bool(self.chance(50))
        case 2: .integer(Int64(self.number(-1000...1000)))
        case 3: .integer(self.one(of: [.max, .min + 1, 1 << 53, -(1 << 53) - 1]))
        case 4:
            JSON(
                number: self.one(of: [
                    0.1, -1.5e-300, 1e300, .leastNonzeroMagnitude, 1e15, 1.7976931348623157e308, 2 / 3,
                ])
            )
        case 5, 6: .string(self.text())
        case 7: .array(self.list(upTo: 3) { $0.json(depth: depth - 1) })
        default: .object(self.object(depth: depth - 1))
        }
    }

    mutating func object(depth: Int = 3) -> JSONObject {
        var object = JSONObject()
        for _ in 0..<self.number(0...4) { object[self.text()] = self.json(depth: depth) }
        return object
    }

    // MARK: Errors

    mutating func issue() -> ValidationIssue {
        let limits: [ExceededLimit?] = [nil, .text, .arguments, .actions, .webhooks, .catalog]
        return ValidationIssue(pointer: "/" + self.text(), detail: self.text(), past: self.one(of: limits))
    }

    mutating func error() -> ValidationError {
        ValidationError(issues: [self.issue()] + self.list(upTo: 2) { $0.issue() })
    }
}
