import CombiningMarks
import ToastCore

extension String {
    /// The text with the encoded words of RFC 2047 that are in UTF-8 decoded, such as `=?UTF-8?B?w6Q=?=`.
    package var withoutEncodedWords: String {
        guard self.contains("=?") else { return self }
        var result = ""
        var rest = self[...]
        var followsWord = false
        while let start = rest.firstRange(of: "=?") {
            let before = rest[..<start.lowerBound]
            let parts = rest[start.upperBound...].split(separator: "?", maxSplits: 3, omittingEmptySubsequences: false)
            guard parts.count == 4, parts[3].hasPrefix("="), let text = Self.decode(parts[0], parts[1], parts[2]) else {
                result += rest[..<start.upperBound]
                rest = rest[start.upperBound...]
                followsWord = false
                continue
            }
            // White space between two encoded words is not part of the text (§6.2).
            if !followsWord || !before.allSatisfy(\.isWhitespace) { result += before }
            result += text
            rest = parts[3].dropFirst()
            followsWord = true
        }
        let decoded = result + rest
        // The words together may have too many marks in a row, though no single one has.
        return decoded.hasTooManyMarks ? self : decoded
    }

    private static func decode(_ charset: Substring, _ encoding: Substring, _ text: Substring) -> String? {
        guard charset.lowercased() == "utf-8" else { return nil }
        switch encoding.lowercased() {
        case "b": return Array(text.utf8).decodedBase64.flatMap { String(received: $0) }
        case "q":
            var bytes: [UInt8] = []
            var rest = Array(text.utf8)[...]
            while let byte = rest.popFirst() {
                if byte == UInt8(ascii: "=") {
                    guard let value = UInt8(hexadecimal: rest.prefix(2)) else { return nil }
                    bytes.append(value)
                    rest = rest.dropFirst(2)
                } else {
                    bytes.append(byte == UInt8(ascii: "_") ? UInt8(ascii: " ") : byte)
                }
            }
            return String(received: bytes)
        default: return nil
        }
    }
}
