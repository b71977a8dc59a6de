import ToastCore

extension Sequence<UInt8> {
    /// The bytes without percent escapes (RFC 3986 §2.1); a percent sign that begins none stays as it is.
    var percentDecoded: [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(self)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = UInt8(hexadecimal: rest.prefix(2)) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}
