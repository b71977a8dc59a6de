/// The places of those parts of an envelope that are read or replaced without parsing all of it.
///
/// An envelope begins with `type`, `channel`, `cursor` and `at`, in this order and without white space, as
/// `JSONWriter.envelope` writes it.
public struct EnvelopeLayout: Hashable, Sendable {
    /// The name of the event's type.
    public let type: Range<Int>

    /// The text of the cursor, without its quotation marks.
    public let cursor: Range<Int>

    /// The text of the instant, without its quotation marks.
    public let instant: Range<Int>

    /// The end of the head, where other members begin.
    private var end: Int { self.instant.upperBound + 1 }

    /// Reads the head of an envelope; `nil` when the bytes do not begin as one.
    public init?(_ envelope: [UInt8]) {
        guard let type = Self.text(in: envelope, after: 0, Self.typeName),
            let channel = Self.text(in: envelope, after: type.upperBound, Self.channelName),
            let cursor = Self.text(in: envelope, after: channel.upperBound, Self.cursorName),
            let instant = Self.text(in: envelope, after: cursor.upperBound, Self.instantName)
        else { return nil }
        self.type = type
        self.cursor = cursor
        self.instant = instant
    }

    /// The number of a `remaining` that directly follows the head, and so counts down; `nil` when there is none.
    func remaining(in envelope: [UInt8]) -> Range<Int>? {
        guard let start = Self.skip(Self.remainingName, in: envelope, at: self.end),
            let end = envelope[start...].firstIndex(where: { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "}") })
        else { return nil }
        return start..<end
    }

    /// The object of a toast that directly follows the head, and is the last member; `nil` when there is none.
    func lastToast(in envelope: [UInt8]) -> Range<Int>? {
        guard let start = Self.skip(Self.toastName, in: envelope, at: self.end), start < envelope.count else {
            return nil
        }
        return start..<envelope.count - 1
    }

    private static let typeName = Array(#"{"type":""#.utf8)
    private static let channelName = Array(#"","channel":""#.utf8)
    private static let cursorName = Array(#"","cursor":""#.utf8)
    private static let instantName = Array(#"","at":""#.utf8)
    private static let remainingName = Array(#","remaining":"#.utf8)
    private static let toastName = Array(#","toast":"#.utf8)

    /// The text after a name, up to the next quotation mark; texts of a head contain none.
    private static func text(in envelope: [UInt8], after index: Int, _ name: [UInt8]) -> Range<Int>? {
        guard let start = Self.skip(name, in: envelope, at: index),
            let end = envelope[start...].firstIndex(of: UInt8(ascii: "\""))
        else { return nil }
        return start..<end
    }

    /// The index after a name; `nil` when the name is not there.
    private static func skip(_ name: [UInt8], in envelope: [UInt8], at index: Int) -> Int? {
        guard index + name.count <= envelope.count else { return nil }
        for offset in name.indices where envelope[index + offset] != name[offset] { return nil }
        return index + name.count
    }
}
