/// Parses Server-Sent Events (WHATWG HTML §9.2.6), however their bytes are divided.
package struct EventStreamReader: Sendable {
    package enum Item: Hashable, Sendable {
        /// An event: its data, and the last id of the stream, its own or an earlier event's.
        case event(data: String, id: String)

        /// An id without data: how far the stream has come since its last event.
        case position(id: String)

        /// The milliseconds to wait before reconnecting.
        case retry(milliseconds: Int)
    }

    /// The line that is not complete yet.
    private var line: [UInt8] = []
    /// Whether the last byte was a CR: a LF after it belongs to the same line end.
    private var endedInCR = false
    private var isFirstLine = true
    private var data: [String] = []
    /// The size of `data` in bytes.
    private var size = 0
    private var id = ""
    /// Whether the block of lines that is not complete yet has an id.
    private var hasID = false

    /// Whether an event was longer than ``longestEvent``; then nothing more is read.
    package private(set) var isFlooded = false

    /// The longest event, in bytes of its lines; the events of toastd are far shorter.
    static let longestEvent = 33_554_432

    /// A reader at the start of a stream.
    package init() {}

    /// Parses the next bytes; returns the items that they complete.
    package mutating func read(_ bytes: [UInt8]) -> [Item] {
        var items: [Item] = []
        for byte in bytes where !self.isFlooded {
            defer { self.endedInCR = byte == UInt8(ascii: "\r") }
            switch byte {
            case UInt8(ascii: "\n") where self.endedInCR: break
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): self.endLine().map { items.append($0) }
            default: self.append(byte)
            }
        }
        return items
    }

    private mutating func append(_ byte: UInt8) {
        self.line.append(byte)
        guard self.size + self.line.count > Self.longestEvent else { return }
        (self.line, self.data, self.size, self.isFlooded) = ([], [], 0, true)
    }

    private mutating func endLine() -> Item? {
        var line = self.line[...]
        if self.isFirstLine, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        self.isFirstLine = false
        defer { self.line.removeAll(keepingCapacity: true) }
        guard !line.isEmpty else { return self.endEvent() }
        // On bytes, because a combining character may join with a colon or a space into one character.
        let name = line.prefix { $0 != UInt8(ascii: ":") }
        var rest = line.dropFirst(name.count + 1)
        if rest.first == UInt8(ascii: " ") { rest = rest.dropFirst() }
        let value = String(decoding: rest, as: UTF8.self)
        switch String(decoding: name, as: UTF8.self) {
        case "data":
            // An empty value takes memory for its string, too.
            self.size += line.count + MemoryLayout<String>.size
            self.data.append(value)
        case "id": if !value.contains("\0") { (self.id, self.hasID) = (value, true) }
        case "retry":
            // Digits only: `Int` would also accept a sign.
            let isNumber = rest.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            if isNumber, let number = Int(value) { return .retry(milliseconds: number) }
        // Comments have no name, and other fields are ignored; the type of an event is in its data, too.
        default: break
        }
        return nil
    }

    private mutating func endEvent() -> Item? {
        defer { (self.data, self.size, self.hasID) = ([], 0, false) }
        if !self.data.isEmpty { return .event(data: self.data.joined(separator: "\n"), id: self.id) }
        return self.hasID ? .position(id: self.id) : nil
    }
}
