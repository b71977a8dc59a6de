// A request's head as the library left it in its read buffer: still in one piece, with a NUL in place of each
// delimiter. What lies between the pieces shows what was there before: see `HeadReader`.

import CMicroHTTPD

/// The first line of a request, and where its parts stand.
struct RequestLine: Sendable {
    let method: String
    let version: String
    fileprivate let methodAddress: UInt
    fileprivate let targetAddress: UInt
    fileprivate let versionAddress: UInt

    /// A line whose parts are at these places.
    init(method: UnsafePointer<CChar>, target: UInt, version: UnsafePointer<CChar>) {
        unsafe self.method = String(cString: method)
        unsafe self.version = String(cString: version)
        self.methodAddress = UInt(bitPattern: method)
        self.targetAddress = target
        self.versionAddress = UInt(bitPattern: version)
    }

    /// Whether one blank stands between the method and a target of that length, and one between it and the version.
    func isTight(around target: Int) -> Bool {
        self.methodAddress + UInt(self.method.utf8.count) + 1 == self.targetAddress
            && self.targetAddress + UInt(target) + 1 == self.versionAddress
    }
}

/// Collects header fields, and notices what the library hides.
///
/// libmicrohttpd 0.9 takes a value to end at its first NUL, glues a folded line (RFC 9112 §5.2) to the *name* of its
/// field, and lets a bare LF end a line (§2.2). None of it shows in the fields themselves. But they are slices of the
/// buffer in which the head came, so in a head without such things each field begins where the one before it ended
/// and CR LF stood, and the last one ends with CR LF before the empty line: any byte too many or too few, and any
/// field that was moved, shows in the addresses. That costs two comparisons for a field.
struct HeadReader {
    private(set) var fields: HeaderFields

    /// How long the head is, in bytes.
    let size: Int

    /// Whether the fields fill the head without a gap.
    private(set) var isSeamless = true

    private let start: UInt
    private var next: UInt

    /// Later libraries check all this themselves, and may keep heads in another way.
    private static let isNeeded = unsafe MHD_get_version().pointee == CChar(UInt8(ascii: "0"))

    init(behind line: RequestLine, size: Int) {
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
