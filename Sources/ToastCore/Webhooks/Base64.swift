/// Bytes as text, RFC 4648 §4: the standard alphabet, with padding.
///
/// Written here because the core imports nothing.
public enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")

    /// The text of some bytes.
    public static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = (start..<start + 3).reduce(UInt32(0)) { bits, index in
                bits << 8 | (index < group.endIndex ? UInt32(group[index]) : 0)
            }
            for place in 0..<4 {
                let digit = Int(bits >> UInt32(18 - 6 * place) & 0x3F)
                text.append(place <= group.count ? Self.alphabet[digit] : Self.padding)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads the text that ``encode(_:)`` writes; `nil` when it is anything else, so that each key has one text.
    static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 4) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 4 * 3)
        for start in stride(from: 0, to: digits.count, by: 4) {
            let isLast = start + 4 == digits.count
            let missing = isLast ? digits[start...].reversed().prefix { $0 == Self.padding }.count : 0
            guard missing <= 2 else { return nil }
            var bits: UInt32 = 0
            for place in 0..<4 {
                guard place < 4 - missing else {
                    bits <<= 6
                    continue
                }
                guard let digit = Self.alphabet.firstIndex(of: digits[start + place]) else { return nil }
                bits = bits << 6 | UInt32(digit)
            }
            let group = [UInt8(bits >> 16 & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF)]
            guard group[(3 - missing)...].allSatisfy({ $0 == 0 }) else { return nil }
            bytes.append(contentsOf: group[..<(3 - missing)])
        }
        return bytes
    }
}
