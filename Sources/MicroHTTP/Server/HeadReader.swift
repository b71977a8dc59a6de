// A request's head in the read buffer of libmicrohttpd, which only replaces each delimiter by a NUL. The gaps between
// the pieces show what was there before: see `HeadReader`.

import CMicroHTTPD

/// The first line of a request, and the addresses of its parts.
struct RequestLine: Sendable {
    let method: String
    let version: String
    fileprivate let methodAddress: UInt
    fileprivate let targetAddress: UInt
    fileprivate let versionAddress: UInt

    /// A line with parts at these addresses.
    init(method: UnsafePointer<CChar>, target: UInt, version: UnsafePointer<CChar>) {
        unsafe self.method = String(cString: method)
        unsafe self.version = String(cString: version)
        self.methodAddress = UInt(bitPattern: method)
        self.targetAddress = target
        self.versionAddress = UInt(bitPattern: version)
    }

    /// Whether there is one blank between the method and a target of that length, and one between it and the version.
    func isTight(around target: Int) -> Bool {
        self.methodAddress + UInt(self.method.utf8.count) + 1 == self.targetAddress
            && self.targetAddress + UInt(target) + 1 == self.versionAddress
    }
}

/// Collects header fields, and detects malformed ones that the library repairs silently.
///
/// libmicrohttpd 0.9 ends a value at its first NUL, appends a folded line (RFC 9112 §5.2) to the *name* of its field,
/// and accepts a bare LF as the end of a line (§2.2). The fields themselves do not show it. But they are slices of the
/// read buffer. In a well-formed head each field begins right after the one before it and CR LF, and the last one ends
/// with CR LF before the empty line. So the addresses show any byte too many or too few, and any field that was moved.
/// The check takes two comparisons for a field.
struct HeadReader {
    private(set) var fields: HeaderFields

    /// The length of the head in bytes.
    let size: Int

    /// Whether the fields fill the head without a gap.
    private(set) var isSeamless = true

    private let start: UInt
    private var next: UInt

    /// Whether the library is a 0.x: later versions check all this themselves, and may store heads differently.
    private static let isNeeded = unsafe MHD_get_version().pointee == CChar(UInt8(ascii: "0"))

    init(after line: RequestLine, size: Int) {
        self.size = size
        self.fields = HeaderFields(capacity: size)
        self.start = line.methodAddress
        self.next = line.versionAddress + UInt(line.version.utf8.count) + 2
    }

    mutating func add(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        let begin = UInt(bitPattern: name.baseAddress)
        let colon = begin + UInt(name.count)
        let content = UInt(bitPattern: value.baseAddress)
        self.isSeamless = self.isSeamless && begin == self.next && content > colon
        self.next = content + UInt(value.count) + 2
        unsafe self.fields.append(name: name, value: value)
    }

    mutating func finish() {
        self.isSeamless = !Self.isNeeded || (self.isSeamless && self.next + 2 == self.start + UInt(self.size))
    }
}
