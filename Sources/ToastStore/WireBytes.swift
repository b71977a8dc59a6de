import ToastCore

/// Writes the body of a message, or a row: numbers little-endian, everything else after its length in four bytes.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func integer(_ number: Int64) { self.append(UInt64(bitPattern: number), 8) }

    mutating func count(_ number: Int) { self.append(UInt64(number), 4) }

    mutating func run(_ run: [UInt8]) {
        self.count(run.count)
        self.bytes += run
    }

    mutating func text(_ text: String) { self.run(Array(text.utf8)) }

    /// Writes a run or nil: the stored length is one more than the run's, and 0 stands for nil.
    mutating func optional(_ run: [UInt8]?) {
        self.count(run.map { $0.count + 1 } ?? 0)
        if let run { self.bytes += run }
    }

    private mutating func append(_ number: UInt64, _ size: Int) {
        for place in 0..<size { self.bytes.append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(place)))) }
    }
}

/// Reads what ``ByteWriter`` writes; throws `corrupt` where the bytes end too early.
struct ByteReader {
    private var rest: ArraySlice<UInt8>
    /// What is read, for errors.
    private let name: String

    init(_ bytes: [UInt8], name: String) {
        self.rest = bytes[...]
        self.name = name
    }

    var isAtEnd: Bool { self.rest.isEmpty }

    /// What is thrown when the bytes make no sense.
    var damage: StoreError { .corrupt("\(self.name) cannot be read.") }

    mutating func integer() throws(StoreError) -> Int64 { Int64(bitPattern: try self.number(8)) }

    mutating func count() throws(StoreError) -> Int { Int(try self.number(4)) }

    mutating func run() throws(StoreError) -> [UInt8] { try self.take(self.count()) }

    mutating func text() throws(StoreError) -> String {
        guard let text = String(validating: try self.run(), as: UTF8.self) else { throw self.damage }
        return text
    }

    mutating func optional() throws(StoreError) -> [UInt8]? {
        let count = try self.count()
        return count == 0 ? nil : try self.take(count - 1)
    }

    private mutating func take(_ count: Int) throws(StoreError) -> [UInt8] {
        guard count <= self.rest.count else { throw self.damage }
        defer { self.rest = self.rest.dropFirst(count) }
        return Array(self.rest.prefix(count))
    }

    private mutating func number(_ size: Int) throws(StoreError) -> UInt64 {
        guard size <= self.rest.count else { throw self.damage }
        defer { self.rest = self.rest.dropFirst(size) }
        return self.rest.prefix(size).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
