import ToastCore

extension String {
    /// The text with RFC 2047 encoded words decoded, such as `=?UTF-8?B?w6Q=?=`; others than UTF-8 stay as they are.
    package var withoutEncodedWords: String {
        guard self.contains("=?") else { return self }
        var result = ""
        var rest = self[...]
        while let start = rest.firstRange(of: "=?") {
            let before = rest[..<start.lowerBound]
            let parts = rest[start.upperBound...].split(separator: "?", maxSplits: 3, omittingEmptySubsequences: false)
            guard parts.count == 4, parts[3].hasPrefix("="), let text = Self.decode(parts[0], parts[1], parts[2]) else {
                result += rest[..<start.upperBound]
                rest = rest[start.upperBound...]
                continue
            }
            // White space between two encoded words is not part of the text (§6.2).
            if !(result.isEmpty == false && before.allSatisfy(\.isWhitespace)) { result += before }
            result += text
            rest = parts[3].dropFirst()
        }
        return result + rest
    }

    private static func decode(_ charset: Substring, _ encoding: Substring, _ text: Substring) -> String? {
        guard charset.lowercased() == "utf-8" else { return nil }
        switch encoding.lowercased() {
        case "b": return Array(text.utf8).decodedBase64.flatMap { String(validating: $0, as: UTF8.self) }
        case "q":
            var bytes: [UInt8] = []
            var rest = Array(text.utf8)[...]
            while let byte = rest.popFirst() {
                if byte == UInt8(ascii: "=") {
                    guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
                    else { return nil }
                    bytes.append(value)
                    rest = rest.dropFirst(2)
                } else {
                    bytes.append(byte == UInt8(ascii: "_") ? UInt8(ascii: " ") : byte)
                }
            }
            return String(validating: bytes, as: UTF8.self)
        default: return nil
        }
    }
}

extension [UInt8] {
    /// The bytes that base64 stands for, of the standard or the URL alphabet, with or without padding.
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
