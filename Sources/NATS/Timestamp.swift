/// Instants as JetStream writes them.
enum Timestamp {
    /// Nanoseconds since 1970 of a time like `2026-11-23T21:50:14.576297886Z`; nil when it is malformed.
    static func nanoseconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.last == UInt8(ascii: "Z") else { return nil }
        func number(_ range: Range<Int>) -> Int64? { Int64(String(decoding: bytes[range], as: UTF8.self)) }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            (1...12).contains(month), (1678...2261).contains(year)
        else { return nil }
        var fraction: Int64 = 0
        if bytes[19] == UInt8(ascii: ".") {
            let digits = String(decoding: bytes[20..<bytes.count - 1].prefix(9), as: UTF8.self)
            // `prefix` may cut a UTF-8 character, which is then decoded as U+FFFD: three bytes, perhaps more than nine
            // in all.
            guard digits.utf8.count <= 9 else { return nil }
            let padded = digits + String(repeating: "0", count: 9 - digits.utf8.count)
            guard let value = Int64(padded) else { return nil }
            fraction = value
        }
        // The days since 1970, computed as if a year began in March.
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let days = shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
        return ((days * 24 + hour) * 60 + minute) * 60_000_000_000 + second * 1_000_000_000 + fraction
    }
}
