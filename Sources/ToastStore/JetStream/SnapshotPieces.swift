import NATS
import ToastCore

/// A snapshot, or another long document, cut into messages.
struct Piece: Hashable, Sendable {
    static let name = "Toastd-Piece"

    /// The most bytes of a piece.
    static let largest = 512 * 1024

    /// Identifies the whole: a snapshot by its offset, a document by its length in bytes.
    let whole: Int64

    /// Its index among the pieces, from 0.
    let index: Int

    /// How many pieces the whole has: at least one.
    let count: Int

    let bytes: [UInt8]

    /// The value of the header.
    var text: String {
        var fields = FieldWriter()
        fields.add("of", self.whole)
        fields.add("index", self.index)
        fields.add("count", self.count)
        return fields.text
    }

    /// The message that holds it, on a subject of its own.
    func message(on subject: String) -> StreamMessage {
        StreamMessage(subject: subject, body: self.bytes, headers: [Self.name: self.text], replacesSubject: true)
    }
}

extension Piece {
    /// Reads a piece; `nil` when the header is none.
    init?(_ text: String, bytes: [UInt8]) {
        let fields = Fields(reading: text)
        guard let whole = fields.integer("of"), let index = fields.integer("index"),
            let count = fields.integer("count"), (1...Self.most).contains(count), (0..<count).contains(index)
        else { return nil }
        self.init(whole: whole, index: Int(index), count: Int(count), bytes: bytes)
    }

    /// The most pieces: more than the largest document has.
    static let most: Int64 = 512

    /// Cuts a document.
    static func cut(_ document: [UInt8], of whole: Int64) -> [Self] {
        let count = max(1, (document.count + Self.largest - 1) / Self.largest)
        return (0..<count).map { index in
            let bytes = document[(index * Self.largest)...].prefix(Self.largest)
            return Self(whole: whole, index: index, count: count, bytes: Array(bytes))
        }
    }

    /// Puts a document together; `nil` when a piece is missing, or they are not of the same document.
    static func join(_ pieces: [Self]) -> [UInt8]? {
        guard let first = pieces.first, pieces.count == first.count else { return nil }
        var document: [UInt8] = []
        for (index, piece) in pieces.enumerated() {
            guard piece.index == index, piece.whole == first.whole, piece.count == first.count else { return nil }
            document += piece.bytes
        }
        return document
    }
}
