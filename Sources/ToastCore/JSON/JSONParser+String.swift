import CombiningMarks

extension JSONParser {
    /// `string = quotation-mark *char quotation-mark`; a text without escapes is copied at once.
    mutating func string() throws(JSONSyntaxError) -> String {
        self.index += 1
        let start = self.index
        self.index = self.bytes.firstEscape(from: start)
        guard self.index < self.bytes.count else { throw self.fault("The string does not end.") }
        switch self.bytes[self.index] {
        case UInt8(ascii: "\""):
            let text = try self.text(self.bytes.span.extracting(start..<self.index), from: start)
            self.index += 1
            return text
        case UInt8(ascii: "\\"):
            return try self.escapedString(from: start)
        default:
            throw self.fault("Control characters in a string must be escaped.")
        }
    }

    /// The rest of a string whose first escape stands at the index.
    private mutating func escapedString(from start: Int) throws(JSONSyntaxError) -> String {
        var unescaped = Array(self.bytes[start..<self.index])
        while self.index < self.bytes.count {
            let byte = self.bytes[self.index]
            switch byte {
            case UInt8(ascii: "\""):
                self.index += 1
                return try self.text(unescaped.span, from: start)
            case UInt8(ascii: "\\"):
                try self.escape(into: &unescaped)
            case 0..<0x20:
                throw self.fault("Control characters in a string must be escaped.")
            default:
                unescaped.append(byte)
                self.index += 1
            }
        }
        throw self.fault("The string does not end.")
    }

    private mutating func escape(into unescaped: inout [UInt8]) throws(JSONSyntaxError) {
        guard self.index + 1 < self.bytes.count else { throw self.fault("The string does not end.") }
        switch self.bytes[self.index + 1] {
        case UInt8(ascii: "\""): unescaped.append(UInt8(ascii: "\""))
        case UInt8(ascii: "\\"): unescaped.append(UInt8(ascii: "\\"))
        case UInt8(ascii: "/"): unescaped.append(UInt8(ascii: "/"))
        case UInt8(ascii: "b"): unescaped.append(0x08)
        case UInt8(ascii: "f"): unescaped.append(0x0C)
        case UInt8(ascii: "n"): unescaped.append(0x0A)
        case UInt8(ascii: "r"): unescaped.append(0x0D)
        case UInt8(ascii: "t"): unescaped.append(0x09)
        case UInt8(ascii: "u"): return unescaped.append(contentsOf: Character(try self.unicodeEscape()).utf8)
        default: throw self.fault("There is no such escape.")
        }
        self.index += 2
    }

    /// `\uXXXX`, or two of them for a character beyond the Basic Multilingual Plane (RFC 8259 §7).
    private mutating func unicodeEscape() throws(JSONSyntaxError) -> Unicode.Scalar {
        let start = self.index
        let unit = try self.hexadecimalUnit()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        let isFollowed =
            self.index + 1 < self.bytes.count && self.bytes[self.index] == UInt8(ascii: "\\")
            && self.bytes[self.index + 1] == UInt8(ascii: "u")
        if UTF16.isLeadSurrogate(unit), isFollowed {
            let trail = try self.hexadecimalUnit()
            if UTF16.isTrailSurrogate(trail) { return UTF16.decode(UTF16.EncodedScalar([unit, trail])) }
        }
        throw JSONSyntaxError(offset: start, detail: "Half of a surrogate pair is no character.")
    }

    private mutating func hexadecimalUnit() throws(JSONSyntaxError) -> UInt16 {
        var unit: UInt16 = 0
        for offset in 2..<6 {
            guard self.index + offset < self.bytes.count,
                let digit = self.bytes[self.index + offset].hexadecimalValue
            else { throw self.fault("Four hexadecimal digits are expected here.") }
            unit = unit << 4 | UInt16(digit)
        }
        self.index += 6
        return unit
    }

    private func text(_ span: Span<UInt8>, from start: Int) throws(JSONSyntaxError) -> String {
        guard let utf8 = try? UTF8Span(validating: span) else {
            throw JSONSyntaxError(offset: start, detail: "The string is not valid UTF-8.")
        }
        let text = String(copying: utf8)
        guard !self.limitsMarks || utf8.isKnownASCII || !text.hasTooManyMarks else {
            let detail = "The string has more than \(String.mostMarks) combining marks in a row."
            throw JSONSyntaxError(offset: start, detail: detail)
        }
        return text
    }
}
