/// Bytes as text, RFC 4648 §4: the standard alphabet, with padding.
///
/// Written here because ToastCore does not import Foundation.
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
        guard let bytes = Array(text.utf8).decodedBase64, Self.encode(bytes) == text else { return nil }
        return bytes
    }
}

extension [UInt8] {
    /// The bytes of a base64 text in the standard or the URL alphabet, with or without padding; `nil` when invalid.
    package var decodedBase64: [UInt8]? {
        var (bytes, bits, count): ([UInt8], UInt32, Int) = ([], 0, 0)
        var digits = self[...]
        while digits.last == UInt8(ascii: "=") { digits = digits.dropLast() }
        guard self.count - digits.count <= 2, digits.count % 4 != 1 else { return nil }
        for digit in digits {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = digit - UInt8(ascii: "A")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = digit - UInt8(ascii: "a") + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0") + 52
            case UInt8(ascii: "+"), UInt8(ascii: "-"): value = 62
            case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
            default: return nil
            }
            (bits, count) = (bits << 6 | UInt32(value), count + 6)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }
}
