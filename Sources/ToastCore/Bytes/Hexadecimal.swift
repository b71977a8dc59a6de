extension UInt8 {
    /// The value of the ASCII character as a hexadecimal digit of either case.
    var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// The byte that two hexadecimal digits stand for; `nil` for anything else.
    ///
    /// `UInt8(_:radix:)` would also accept a sign.
    package init?(hexadecimal digits: ArraySlice<UInt8>) {
        guard digits.count == 2, let high = digits.first?.hexadecimalValue, let low = digits.last?.hexadecimalValue
        else { return nil }
        self = high << 4 | low
    }
}

extension Sequence<UInt8> {
    /// Two lower-case hexadecimal digits for each byte.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: self.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension StringProtocol {
    /// The bytes that pairs of hexadecimal digits of either case stand for; `nil` for any other text.
    package var hexadecimalBytes: [UInt8]? {
        let digits = Array(self.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(hexadecimal: digits[index...index + 1]) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}
