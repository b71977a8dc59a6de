// The only file of this module that uses pointers.

/// A growable buffer of bytes with one owner.
///
/// Most of what a toast costs is its text, which is written several times. An array checks at every byte whether its
/// memory is shared, and appends a text byte by byte. This buffer is noncopyable, so it needs no check, and it copies a
/// text at once.
@safe public struct ByteBuffer: ~Copyable {
    private var start: UnsafeMutablePointer<UInt8>
    private var capacity: Int

    /// How many bytes there are.
    public private(set) var count = 0

    /// An empty buffer with a capacity.
    public init(capacity: Int) {
        self.capacity = max(capacity, 1)
        unsafe self.start = .allocate(capacity: self.capacity)
    }

    deinit { unsafe self.start.deallocate() }

    /// The bytes so far.
    public var bytes: [UInt8] { unsafe Array(UnsafeBufferPointer(start: self.start, count: self.count)) }

    func bytes(from place: Int) -> [UInt8] {
        unsafe Array(UnsafeBufferPointer(start: self.start, count: self.count)[place...])
    }

    /// The bytes so far as a text.
    public var text: String {
        unsafe String(decoding: UnsafeBufferPointer(start: self.start, count: self.count), as: UTF8.self)
    }

    /// Adds a byte.
    @inline(__always)
    public mutating func append(_ byte: UInt8) {
        unsafe self.extend(by: 1).pointee = byte
    }

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe self.append($0) }
    }

    /// Adds a copy of bytes that the buffer contains.
    mutating func appendCopy(of range: Range<Int>) {
        let place = unsafe self.extend(by: range.count)
        unsafe place.initialize(from: self.start + range.lowerBound, count: range.count)
    }

    /// Adds a text.
    public mutating func append(_ text: String) {
        // Only strings bridged from Foundation are not contiguous, and there are none here.
        guard unsafe text.utf8.withContiguousStorageIfAvailable({ unsafe self.append($0) }) == nil else { return }
        for byte in text.utf8 { self.append(byte) }
    }

    /// Adds a text between quotes, without escapes.
    mutating func append(quoted text: String) {
        let isDone: Void? = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
            let place = unsafe self.extend(by: bytes.count + 2)
            unsafe place.pointee = UInt8(ascii: "\"")
            if let source = bytes.baseAddress { unsafe (place + 1).initialize(from: source, count: bytes.count) }
            unsafe place[bytes.count + 1] = UInt8(ascii: "\"")
        }
        guard isDone == nil else { return }
        self.append(UInt8(ascii: "\""))
        self.append(text)
        self.append(UInt8(ascii: "\""))
    }

    /// Adds a string literal.
    public mutating func append(_ text: StaticString) {
        let length = text.utf8CodeUnitCount
        unsafe self.extend(by: length).initialize(from: text.utf8Start, count: length)
    }

    /// Adds the name of a JSON member and a colon, after a comma if it follows a value.
    public mutating func member(_ name: StaticString, followsValue: Bool) {
        let length = name.utf8CodeUnitCount
        var place = unsafe self.extend(by: length + (followsValue ? 4 : 3))
        if followsValue {
            unsafe place.pointee = UInt8(ascii: ",")
            unsafe place += 1
        }
        unsafe place.pointee = UInt8(ascii: "\"")
        unsafe (place + 1).initialize(from: name.utf8Start, count: length)
        unsafe place[length + 1] = UInt8(ascii: "\"")
        unsafe place[length + 2] = UInt8(ascii: ":")
    }

    /// Adds a number, padded with zeros to a width.
    public mutating func digits(_ number: UInt64, width: Int = 1) {
        var (length, limit) = (1, UInt64(10))
        while length < 20, number >= limit { (length, limit) = (length + 1, limit &* 10) }
        length = max(length, width)
        let place = unsafe self.extend(by: length)
        var rest = number
        for index in stride(from: length - 1, through: 0, by: -1) {
            unsafe place[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }

    /// Adds a date of the years 0 to 9999 and a time of day: `2026-11-21T03:28:22.123Z`.
    mutating func timestamp(year: UInt32, month: UInt32, day: UInt32, milliseconds: UInt32) {
        self.append("0000-00-00T00:00:00.000Z" as StaticString)
        let text = unsafe self.start + (self.count - 24)
        @inline(__always)
        func put(_ number: UInt32, _ place: Int) {
            unsafe text[place] += UInt8(truncatingIfNeeded: number / 10 % 10)
            unsafe text[place + 1] += UInt8(truncatingIfNeeded: number % 10)
        }
        let seconds = milliseconds / 1000
        put(year / 100, 0)
        put(year % 100, 2)
        put(month, 5)
        put(day, 8)
        put(seconds / 3600, 11)
        put(seconds / 60 % 60, 14)
        put(seconds % 60, 17)
        put(milliseconds % 1000 / 10, 20)
        unsafe text[22] += UInt8(truncatingIfNeeded: milliseconds % 10)
    }

    /// Adds 128 bits as a UUID of 36 lower-case characters.
    public mutating func uuid(_ high: UInt64, _ low: UInt64) {
        self.append("00000000-0000-0000-0000-000000000000" as StaticString)
        let text = unsafe UnsafeMutableRawPointer(self.start + (self.count - 36))
        let (middle, end) = (high.hexadecimalDigits, (low >> 32).hexadecimalDigits)
        unsafe text.storeBytes(of: (high >> 32).hexadecimalDigits, as: UInt64.self)
        unsafe text.storeBytes(of: UInt32(truncatingIfNeeded: middle), toByteOffset: 9, as: UInt32.self)
        unsafe text.storeBytes(of: UInt32(truncatingIfNeeded: middle >> 32), toByteOffset: 14, as: UInt32.self)
        unsafe text.storeBytes(of: UInt32(truncatingIfNeeded: end), toByteOffset: 19, as: UInt32.self)
        unsafe text.storeBytes(of: UInt32(truncatingIfNeeded: end >> 32), toByteOffset: 24, as: UInt32.self)
        unsafe text.storeBytes(of: low.hexadecimalDigits, toByteOffset: 28, as: UInt64.self)
    }

    /// Adds the last `width` hexadecimal digits of a number, eight at most, in lower case.
    public mutating func hexadecimalDigits(_ number: UInt64, width: Int) {
        let digits = number.hexadecimalDigits >> UInt64(64 - 8 * width)
        let place = unsafe self.extend(by: width)
        for index in 0..<width { unsafe place[index] = UInt8(truncatingIfNeeded: digits >> UInt64(8 * index)) }
    }

    /// Removes all but the first `count` bytes.
    public mutating func truncate(to count: Int) {
        self.count = min(count, self.count)
    }

    /// Whether all bytes from a place on are in a set.
    public func isMade(of set: ASCIISet, from place: Int) -> Bool {
        for index in max(0, place)..<max(0, place, self.count) where unsafe !set.contains(self.start[index]) {
            return false
        }
        return true
    }

    private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        let place = unsafe self.extend(by: bytes.count)
        if let source = bytes.baseAddress { unsafe place.initialize(from: source, count: bytes.count) }
    }

    /// Grows by a number of bytes, which the caller has to write.
    @inline(__always)
    private mutating func extend(by length: Int) -> UnsafeMutablePointer<UInt8> {
        if self.capacity - self.count < length { self.grow(for: length) }
        defer { self.count += length }
        return unsafe self.start + self.count
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

extension UnsafeBufferPointer<UInt8> {
    /// The place of the first byte from a place on that JSON requires to be escaped; the end when there is none.
    fileprivate func firstEscape(from place: Int) -> Int {
        guard let start = self.baseAddress, place >= 0 else { return self.count }
        var index = place
        while index + 8 <= self.count,
            unsafe !UnsafeRawPointer(start).loadUnaligned(fromByteOffset: index, as: UInt64.self).needsEscape
        {
            index += 8
        }
        while index < self.count, unsafe !start[index].needsEscape { index += 1 }
        return index
    }
}

extension [UInt8] {
    /// The place of the first byte from a place on that JSON requires to be escaped, such as a quotation mark; the end
    /// when there is none.
    func firstEscape(from place: Int) -> Int {
        unsafe self.withUnsafeBufferPointer { unsafe $0.firstEscape(from: place) }
    }
}

extension String {
    /// Whether JSON requires any of the text to be escaped.
    var needsEscapes: Bool {
        let needsEscapes = unsafe self.utf8.withContiguousStorageIfAvailable { bytes in
            unsafe bytes.firstEscape(from: 0) < bytes.count
        }
        return needsEscapes ?? self.utf8.contains(where: \.needsEscape)
    }

    /// Whether all bytes of the text are in a set.
    func isMade(of set: ASCIISet) -> Bool {
        let isMade: Bool? = unsafe self.utf8.withContiguousStorageIfAvailable { bytes in
            for index in bytes.indices where unsafe !set.contains(bytes[index]) { return false }
            return true
        }
        return isMade ?? self.utf8.allSatisfy(set.contains)
    }

    /// A text of `count` ASCII characters; up to 15 of them are stored inline, without an allocation.
    public init(ascii count: Int, _ character: (Int) -> UInt8) {
        unsafe self.init(unsafeUninitializedCapacity: count) { text in
            for index in 0..<count { unsafe text[index] = character(index) }
            return count
        }
    }
}

extension UInt8 {
    /// RFC 8259 §7: quotation mark, reverse solidus, and the control characters must be escaped.
    fileprivate var needsEscape: Bool {
        self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\")
    }
}

extension UInt64 {
    /// Whether JSON requires any of the eight bytes to be escaped: Sean Eron Anderson's "Bit Twiddling Hacks" on bytes
    /// that are zero, and bytes that are less than a number.
    fileprivate var needsEscape: Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let (quote, solidus) = (self ^ ones &* 0x22, self ^ ones &* 0x5C)
        let hits = (self &- ones &* 0x20) & ~self | (quote &- ones) & ~quote | (solidus &- ones) & ~solidus
        return hits & (ones &* 0x80) != 0
    }

    /// The last eight hexadecimal digits in lower case, as bytes: the first digit is the lowest byte.
    fileprivate var hexadecimalDigits: Self {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // Two bytes for each byte, then a digit in each.
        var digits = UInt64(UInt32(truncatingIfNeeded: self).byteSwapped)
        digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
        digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
        digits = (digits >> 4 | digits << 8) & (ones &* 0x0F)
        let letters = (digits &+ ones &* 6) >> 4 & ones
        return digits &+ ones &* 0x30 &+ letters &* 39
    }
}
