// Reads the bytes of texts in place, with C functions: `String.UTF8View` takes several times as long for each byte.

import Glibc

extension String {
    /// Whether these bytes are the text, without regard to the case of ASCII letters.
    ///
    /// The text is in lower case, and holds no NUL, where `strncasecmp` would stop.
    func isSpelled(by bytes: ArraySlice<UInt8>) -> Bool {
        let isSame: Bool? = unsafe self.utf8.withContiguousStorageIfAvailable { text in
            unsafe bytes.withUnsafeBufferPointer { bytes in
                guard text.count == bytes.count else { return false }
                guard let one = text.baseAddress, let other = bytes.baseAddress else { return true }
                return unsafe one.withMemoryRebound(to: CChar.self, capacity: text.count) { one in
                    unsafe other.withMemoryRebound(to: CChar.self, capacity: bytes.count) { other in
                        unsafe strncasecmp(one, other, text.count) == 0
                    }
                }
            }
        }
        return isSame ?? self.utf8.elementsEqual(bytes.map(\.asciiLowercased))
    }

    /// Whether the text holds NUL, CR or LF, which end a header field, or a tab, which the library accepts in no field.
    var endsField: Bool {
        let ends: Bool? = unsafe self.utf8.withContiguousStorageIfAvailable { bytes in
            guard let start = bytes.baseAddress else { return false }
            func holds(_ byte: CInt) -> Bool { unsafe memchr(start, byte, bytes.count) != nil }
            return holds(0) || holds(0x09) || holds(0x0A) || holds(0x0D)
        }
        return ends ?? self.utf8.contains { $0 == 0 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    }
}
