// Text as bytes in place: `String.UTF8View` takes several times as long for each byte.

import Glibc

extension [UInt8] {
    /// Whether CR or LF is among the bytes.
    var breaksLine: Bool {
        unsafe self.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return false }
            return unsafe memchr(start, 0x0A, bytes.count) != nil || memchr(start, 0x0D, bytes.count) != nil
        }
    }
}

extension String {
    /// Whether these bytes are the text, without regard to the case of ASCII letters; the text itself is in lower case.
    func isSpelled(by bytes: ArraySlice<UInt8>) -> Bool {
        let isSame: Bool? = unsafe self.utf8.withContiguousStorageIfAvailable { text in
            guard text.count == bytes.count else { return false }
            var index = bytes.startIndex
            for position in 0..<text.count {
                guard unsafe text[position] == bytes[index].asciiLowercased else { return false }
                index += 1
            }
            return true
        }
        return isSame ?? self.utf8.elementsEqual(bytes.map(\.asciiLowercased))
    }

    /// Whether the text holds NUL, CR or LF, which end a header field, or a tab, which the library takes in none.
    var endsField: Bool {
        let ends = unsafe self.utf8.withContiguousStorageIfAvailable { unsafe $0.contains(where: \.endsField) }
        return ends ?? self.utf8.contains(where: \.endsField)
    }
}

extension UInt8 {
    fileprivate var endsField: Bool { self == 0 || self == 0x09 || self == 0x0A || self == 0x0D }
}
