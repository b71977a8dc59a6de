/// A property list in Apple's binary form, as far as a theme is one: a dictionary of texts.
///
/// Read here and not by Foundation, which trusts the numbers in it: that of Swift 6.3 ends the process at a count past 63
/// bits. The form is described at the head of CFBinaryPList.c: objects, a table of their places, and a trailer of 32 bytes.
/// Objects may name each other in any way, and share bytes; so what is read of them is bounded here.
struct BinaryPropertyList {
    enum Value: Equatable {
        case text(String)
        case other
    }

    /// What begins a property list of this form, whatever its version.
    static let mark = Array("bplist".utf8)

    /// The most members of a dictionary; a theme has fewer by far.
    private static let maximumCount = 1000

    /// The longest name of a member, in bytes or UTF-16 units.
    private static let maximumName = 1024

    /// The longest value that is read; one that is longer is no colour, and as good as none.
    private static let maximumText = 64

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let count: Int
    private let top: Int
    /// Where the table of places is; objects stand before it.
    private let table: Int

    /// Reads the trailer; `nil` when it makes no sense.
    init?(_ bytes: [UInt8]) {
        let trailer = bytes.count - 32
        guard bytes.starts(with: "bplist0".utf8), trailer >= 8,
            let count = Self.integer(bytes, trailer + 8, 8), let top = Self.integer(bytes, trailer + 16, 8),
            let table = Self.integer(bytes, trailer + 24, 8)
        else { return nil }
        let (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), (8...trailer).contains(table),
            top < count, count <= (trailer - table) / offsetSize
        else { return nil }
        (self.bytes, self.offsetSize, self.referenceSize) = (bytes, offsetSize, referenceSize)
        (self.count, self.top, self.table) = (count, top, table)
    }

    /// The members of the dictionary that the property list is; `nil` when it is none, or one with names that are none.
    var dictionary: [String: Value]? {
        guard let head = self.head(of: self.top), head.kind == 0xD, head.count <= Self.maximumCount,
            head.start + 2 * head.count * self.referenceSize <= self.table
        else { return nil }
        var members: [String: Value] = [:]
        for index in 0..<head.count {
            let place = head.start + index * self.referenceSize
            guard let name = Self.integer(self.bytes, place, self.referenceSize),
                let value = Self.integer(self.bytes, place + head.count * self.referenceSize, self.referenceSize),
                let key = self.text(of: name, atMost: Self.maximumName),
                members.updateValue(self.value(of: value), forKey: key) == nil
            else { return nil }
        }
        return members
    }

    private func value(of object: Int) -> Value {
        guard let head = self.head(of: object), head.isText else { return .other }
        return .text(self.text(of: object, atMost: Self.maximumText) ?? "")
    }

    /// A text of ASCII or UTF-16; `nil` when it is none, or longer than it may be.
    private func text(of object: Int, atMost limit: Int) -> String? {
        guard let head = self.head(of: object), head.isText, head.count <= limit else { return nil }
        let width = head.kind == 0x5 ? 1 : 2
        let end = head.start + head.count * width
        guard end <= self.table else { return nil }
        let bytes = self.bytes[head.start..<end]
        guard width == 2 else { return bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : nil }
        let places = stride(from: head.start, to: end, by: 2)
        let units = places.map { UInt16(self.bytes[$0]) << 8 | UInt16(self.bytes[$0 + 1]) }
        return String(validating: units, as: UTF16.self)
    }

    /// The first bytes of an object: what it is, how many things are in it, and where they begin.
    private struct Head {
        let kind: UInt8
        let count: Int
        let start: Int

        var isText: Bool { self.kind == 0x5 || self.kind == 0x6 }
    }

    private func head(of object: Int) -> Head? {
        guard object < self.count,
            let place = Self.integer(self.bytes, self.table + object * self.offsetSize, self.offsetSize),
            (8..<self.table).contains(place)
        else { return nil }
        let (kind, low) = (self.bytes[place] >> 4, Int(self.bytes[place] & 0xF))
        guard low == 0xF else { return Head(kind: kind, count: low, start: place + 1) }
        // The count is an object of its own: a whole number of 1, 2, 4 or 8 bytes.
        guard place + 1 < self.table, self.bytes[place + 1] >> 4 == 0x1, self.bytes[place + 1] & 0xF <= 3 else {
            return nil
        }
        let size = 1 << Int(self.bytes[place + 1] & 0xF)
        guard let count = Self.integer(self.bytes, place + 2, size) else { return nil }
        return Head(kind: kind, count: count, start: place + 2 + size)
    }

    /// A whole number, the highest byte first; `nil` when it is past the end, or past 63 bits.
    private static func integer(_ bytes: [UInt8], _ place: Int, _ size: Int) -> Int? {
        guard place >= 0, place <= bytes.count - size else { return nil }
        return Int(exactly: bytes[place..<(place + size)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
