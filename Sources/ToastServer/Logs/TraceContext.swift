import ToastCore

/// The place of a request in a trace that spans several services.
///
/// <https://www.w3.org/TR/trace-context/#traceparent-header>
package struct TraceContext: Hashable, Sendable {
    /// The name of the trace: 32 hexadecimal digits.
    package let trace: String

    /// The name of the caller's part of it: 16 hexadecimal digits.
    package let parent: String

    /// Reads `traceparent`; `nil` when it is malformed.
    ///
    /// "Vendors MUST ignore the traceparent when the version is invalid"; of a version after 00 only the fields of 00
    /// are read, and more may follow.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 55, bytes.count <= 512, let version = Self.hex(bytes[0..<2]), version != "ff",
            bytes[2] == Self.dash, bytes[35] == Self.dash, bytes[52] == Self.dash,
            let trace = Self.hex(bytes[3..<35]), let parent = Self.hex(bytes[36..<52]), Self.hex(bytes[53..<55]) != nil,
            // "All bytes as zero … is considered an invalid value."
            trace.contains(where: { $0 != "0" }), parent.contains(where: { $0 != "0" }),
            bytes.count == 55 || (version != "00" && bytes[55] == Self.dash)
        else { return nil }
        self.trace = trace
        self.parent = parent
    }

    private static let dash = UInt8(ascii: "-")

    /// Hexadecimal digits in lower case, which are the only ones allowed.
    private static let digits = ASCIISet("0123456789abcdef")

    private static func hex(_ bytes: ArraySlice<UInt8>) -> String? {
        bytes.allSatisfy(self.digits.contains) ? String(decoding: bytes, as: UTF8.self) : nil
    }
}
