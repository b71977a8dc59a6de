import ToastCore

/// The place of a request in a trace that spans several services.
///
/// <https://www.w3.org/TR/trace-context/#traceparent-header>
struct TraceContext: Hashable, Sendable {
    /// The name of the trace: 32 hexadecimal digits.
    let trace: String

    /// The name of the caller's part of it: 16 hexadecimal digits.
    let parent: String

    /// Reads `traceparent`; `nil` when it is malformed.
    ///
    /// "Vendors MUST ignore the traceparent when the version is invalid"; of a version after 00 only the fields of 00
    /// are read, and more may follow.
    init?(_ text: String) {
        let (dash, zero) = (UInt8(ascii: "-"), UInt8(ascii: "0"))
        let parts = text.utf8.split(separator: dash, maxSplits: 4, omittingEmptySubsequences: false)
        guard text.utf8.count <= 512, parts.count >= 4,
            zip(parts, [2, 32, 16, 2]).allSatisfy({ $0.count == $1 && $0.allSatisfy(Self.digits.contains) }),
            !parts[0].elementsEqual("ff".utf8), parts.count == 4 || !parts[0].elementsEqual("00".utf8),
            // "All bytes as zero … is considered an invalid value."
            parts[1].contains(where: { $0 != zero }), parts[2].contains(where: { $0 != zero })
        else { return nil }
        self.trace = String(decoding: parts[1], as: UTF8.self)
        self.parent = String(decoding: parts[2], as: UTF8.self)
    }

    /// Hexadecimal digits in lower case, which are the only ones allowed.
    private static let digits = ASCIISet("0123456789abcdef")
}
