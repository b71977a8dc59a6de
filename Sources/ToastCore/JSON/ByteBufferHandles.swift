// The memory in which texts are made: the one place of this module that sees pointers.

/// Bytes in the making, in memory of their own that grows by doubling.
///
/// Most of what a toast costs is its text, which is written several times. An array asks at every byte who else owns its
/// memory, and takes a text's bytes one by one; this memory has one owner, by its type, and takes a text in one move.
@safe package struct ByteBuffer: ~Copyable {
    private var start: UnsafeMutablePointer<UInt8>
    private var capacity: Int

    /// How many bytes there are.
    package private(set) var count = 0

    /// No bytes, and memory for so many.
    package init(capacity: Int) {
        self.capacity = max(capacity, 1)
        unsafe self.start = .allocate(capacity: self.capacity)
    }

    deinit { unsafe self.start.deallocate() }

    /// The bytes so far.
    package var bytes: [UInt8] { unsafe Array(UnsafeBufferPointer(start: self.start, count: self.count)) }

    /// The bytes so far as a text.
    package var text: String {
        unsafe String(decoding: UnsafeBufferPointer(start: self.start, count: self.count), as: UTF8.self)
    }

    /// Adds a byte.
    @inline(__always)
    package mutating func append(_ byte: UInt8) {
        if self.count == self.capacity { self.grow(for: 1) }
        unsafe self.start[self.count] = byte
        self.count += 1
    }

    /// Adds bytes.
    mutating func append(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBufferPointer { unsafe self.append($0) }
    }

    /// Adds a text.
    package mutating func append(_ text: String) {
        // Only texts of Foundation's are not in one piece, and there are none here.
        guard unsafe text.utf8.withContiguousStorageIfAvailable({ unsafe self.append($0) }) == nil else { return }
        for byte in text.utf8 { self.append(byte) }
    }

    /// Adds a number below 100 in two digits.
    mutating func twoDigits(_ number: UInt64) {
        if self.capacity - self.count < 2 { self.grow(for: 2) }
        let tens = number / 10
        unsafe self.start[self.count] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: tens)
        unsafe self.start[self.count + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number - 10 * tens)
        self.count += 2
    }

    /// Adds a number in so many lower-case hexadecimal digits, those in front left out.
    package mutating func hexadecimalDigits(_ number: UInt64, width: Int) {
        if self.capacity - self.count < width { self.grow(for: width) }
        var (place, rest) = (self.count + width, number)
        while place > self.count {
            place -= 1
            let digit = UInt8(truncatingIfNeeded: rest) & 0x0F
            unsafe self.start[place] = digit &+ (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
            rest >>= 4
        }
        self.count += width
    }

    /// Takes away what stands behind the first so many bytes.
    package mutating func truncate(to count: Int) {
        self.count = min(count, self.count)
    }

    /// Whether any byte from a place on is one that JSON wants escaped.
    func needsEscapes(from place: Int) -> Bool {
        var found: UInt8 = 0
        // Without a way out in the middle, the compiler looks at many bytes at once.
        let (start, count) = unsafe (self.start + place, self.count - place)
        for index in 0..<max(0, count) { found |= unsafe start[index].needsEscape ? 1 : 0 }
        return found != 0
    }

    /// Whether all bytes from a place on are of a set.
    ///
    /// - Parameters:
    ///   - set: The set.
    ///   - place: Where the first of them is.
    ///   - end: Where the last of them ends; `nil` at the end of all.
    /// - Returns: Whether they are.
    package func isMade(of set: ASCIISet, from place: Int, to end: Int? = nil) -> Bool {
        let end = min(end ?? self.count, self.count)
        for index in max(0, place)..<max(0, place, end) where unsafe !set.contains(self.start[index]) { return false }
        return true
    }

    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        if self.capacity - self.count < bytes.count { self.grow(for: bytes.count) }
        if let source = bytes.baseAddress { unsafe (self.start + self.count).update(from: source, count: bytes.count) }
        self.count += bytes.count
    }

    @inline(never)
    private mutating func grow(for more: Int) {
        let capacity = max(2 * self.capacity, self.count + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        unsafe larger.update(from: self.start, count: self.count)
        unsafe self.start.deallocate()
        unsafe self.start = larger
        self.capacity = capacity
    }
}

extension UInt8 {
    /// RFC 8259 §7: quotation mark, reverse solidus, and the control characters must be escaped.
    fileprivate var needsEscape: Bool {
        self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\")
    }
}
