// The bytes of texts, where they stand: `String.UTF8View` takes several times as long for each.

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
    /// Whether these bytes spell the text, but for the case of ASCII letters; the text itself is in lower case.
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

    /// A text of bytes that are ASCII.
    init(ascii bytes: Span<UInt8>) {
        unsafe self.init(unsafeUninitializedCapacity: bytes.count) { buffer in
            for index in bytes.indices { unsafe buffer[index] = bytes[index] }
            return bytes.count
        }
    }

    /// Whether the text holds NUL, CR or LF, which end a header field, or a tab, which the library takes in none.
    var endsField: Bool {
        let ends: Bool? = unsafe self.utf8.withContiguousStorageIfAvailable { text in
            unsafe text.mayHoldControls && text.contains(where: \.endsField)
        }
        return ends ?? self.utf8.contains(where: \.endsField)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// False if no byte is a control character; eight bytes are looked at at a time, and hardly any text has one.
    fileprivate var mayHoldControls: Bool {
        guard let start = unsafe UnsafeRawPointer(self.baseAddress), self.count >= 8 else { return true }
        let ones: UInt64 = 0x0101_0101_0101_0101
        // The last eight may have been looked at before.
        for place in stride(from: 0, to: self.count - 7, by: 8) {
            let bytes = unsafe start.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            guard (bytes &- ones &* 0x20) & ~bytes & (ones &* 0x80) == 0 else { return true }
        }
        let last = unsafe start.loadUnaligned(fromByteOffset: self.count - 8, as: UInt64.self)
        return (last &- ones &* 0x20) & ~last & (ones &* 0x80) != 0
    }
}

extension UInt8 {
    fileprivate var endsField: Bool { self == 0 || self == 0x09 || self == 0x0A || self == 0x0D }
}
