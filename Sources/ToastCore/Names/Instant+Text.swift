extension Instant {
    /// The instant rounded down to whole milliseconds, the precision of events.
    public var wholeMilliseconds: Self {
        let rest = self.nanoseconds % Interval.millisecond
        return Self(nanoseconds: self.nanoseconds - (rest < 0 ? rest + Interval.millisecond : rest))
    }

    /// The length of its text in bytes.
    static let textLength = 24

    /// Writes RFC 3339 text in UTC with milliseconds, such as `2026-11-21T03:28:22.123Z`.
    public func spell(to text: inout ByteBuffer) {
        let (days, time) = Self.split(self.wholeMilliseconds.nanoseconds / Interval.millisecond, by: 86_400_000)
        let (year, month, day) = Self.civil(fromDays: days)
        text.timestamp(
            year: UInt32(clamping: year),
            month: UInt32(clamping: month),
            day: UInt32(clamping: day),
            milliseconds: UInt32(clamping: time)
        )
    }

    /// Reads the text that ``spell(to:)`` writes; `nil` when it is anything else.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        func number(_ range: Range<Int>) -> Int64? { Self.decimal(bytes[range]) }
        guard bytes.count == Self.textLength, Self.punctuation.allSatisfy({ bytes[$0.position] == $0.byte }),
            let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            let millisecond = number(20..<23), (1...12).contains(month), (1...31).contains(day),
            (0..<24).contains(hour), (0..<60).contains(minute), (0..<60).contains(second)
        else { return nil }
        let days = Self.days(year: year, month: month, day: day)
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second
        let (nanoseconds, overflow) = (seconds * 1000 + millisecond).multipliedReportingOverflow(
            by: Interval.millisecond
        )
        guard !overflow, Self.civil(fromDays: days) == (year, month, day) else { return nil }
        self.init(nanoseconds: nanoseconds)
    }

    /// Reads any date and time of RFC 3339 §5.6, cut to milliseconds; `nil` when the text is none.
    ///
    /// A leap second counts as the second before it, years before 1970 as the beginning of 1970, and years after 2261
    /// as the end of 2261.
    public init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        // 2026-11-21T03:28:22, and then a fraction or none, and Z or an offset.
        guard bytes.count > 19, bytes.count <= 64, let seconds = Self.decimal(bytes[17..<19]), seconds <= 60,
            let year = Self.decimal(bytes[..<4])
        else { return nil }
        var rest = bytes[19...]
        var digits = [UInt8](repeating: UInt8(ascii: "0"), count: 3)
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst().prefix { $0.isDigit }
            guard !fraction.isEmpty else { return nil }
            for (index, digit) in fraction.prefix(3).enumerated() { digits[index] = digit }
            rest = rest.dropFirst(1 + fraction.count)
        }
        guard let offset = Self.minutes(ofOffset: rest) else { return nil }
        var head = bytes[..<19].map { $0 == UInt8(ascii: "t") || $0 == UInt8(ascii: " ") ? UInt8(ascii: "T") : $0 }
        if seconds == 60 { head.replaceSubrange(17..<19, with: Array("59".utf8)) }
        let isNear = (1970...2261).contains(year)
        // 2000 is a leap year, so that every day of a leap year is valid.
        if !isNear { head.replaceSubrange(..<4, with: Array("2000".utf8)) }
        let utc = String(decoding: head + [UInt8(ascii: ".")] + digits + [UInt8(ascii: "Z")], as: UTF8.self)
        guard let local = Self(utc) else { return nil }
        guard isNear else {
            self.init(clampingWallClock: year < 1970 ? 0 : .greatestFiniteMagnitude)
            return
        }
        let instant = local + Interval(nanoseconds: -offset * 60_000_000_000)
        self = min(max(instant, Self(nanoseconds: 0)), Self(clampingWallClock: .greatestFiniteMagnitude))
    }

    private static func decimal(_ digits: ArraySlice<UInt8>) -> Int64? {
        digits.allSatisfy(\.isDigit) ? digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) } : nil
    }

    /// The minutes that local time is ahead of UTC.
    private static func minutes(ofOffset text: ArraySlice<UInt8>) -> Int64? {
        let text = Array(text)
        if text == [UInt8(ascii: "Z")] || text == [UInt8(ascii: "z")] { return 0 }
        guard text.count == 6, text[3] == UInt8(ascii: ":"), let hours = self.decimal(text[1..<3]), hours < 24,
            let minutes = self.decimal(text[4..<6]), minutes < 60
        else { return nil }
        switch text[0] {
        case UInt8(ascii: "+"): return hours * 60 + minutes
        case UInt8(ascii: "-"): return -(hours * 60 + minutes)
        default: return nil
        }
    }

    private static let punctuation: [(position: Int, byte: UInt8)] = [
        (4, UInt8(ascii: "-")), (7, UInt8(ascii: "-")), (10, UInt8(ascii: "T")), (13, UInt8(ascii: ":")),
        (16, UInt8(ascii: ":")), (19, UInt8(ascii: ".")), (23, UInt8(ascii: "Z")),
    ]

    /// Quotient and remainder, the remainder never negative.
    private static func split(_ value: Int64, by divisor: Int64) -> (Int64, Int64) {
        let remainder = value % divisor
        return remainder < 0 ? (value / divisor - 1, remainder + divisor) : (value / divisor, remainder)
    }

    /// The date of a day counted from 1970-01-01, in the proleptic Gregorian calendar.
    ///
    /// Years are counted from March in eras of 400 years, so that leap days come last and need no tables
    /// (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
    private static func civil(fromDays days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = Self.split(days + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
    }

    /// The inverse of ``civil(fromDays:)``.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let (era, yearOfEra) = Self.split(month <= 2 ? year - 1 : year, by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
