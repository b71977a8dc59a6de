/// The name of a toast: a UUID (RFC 9562).
///
/// The service draws version 7, whose text sorts by the time it was drawn; any UUID is read.
public struct ToastID: Hashable, Sendable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// Draws an id: 48 bits of time in milliseconds, 74 random bits (RFC 9562 §5.7).
    public init(at instant: Instant, using generator: inout some RandomNumberGenerator) {
        let milliseconds = UInt64(max(0, instant.nanoseconds / Interval.millisecond))
        let random: UInt64 = generator.next()
        let variant: UInt64 = 0b10 << 62
        self.high = milliseconds << 16 | 0x7000 | random & 0x0FFF
        self.low = variant | (generator.next() as UInt64) >> 2
    }

    /// Reads a UUID in its usual form of 36 characters, in either case; `nil` when the text is none.
    public init?(_ text: String) {
        var halves: (high: UInt64, low: UInt64) = (0, 0)
        var position = 0
        for byte in text.utf8 {
            defer { position += 1 }
            guard !Self.isHyphen(at: position) else {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = byte.hexadecimalValue else { return nil }
            if position < 18 {
                halves.high = halves.high << 4 | UInt64(digit)
            } else {
                halves.low = halves.low << 4 | UInt64(digit)
            }
        }
        guard position == 36 else { return nil }
        (self.high, self.low) = halves
    }

    /// The usual form of 36 lower-case characters.
    public var description: String {
        var text = ByteBuffer(capacity: 36)
        self.spell(to: &text)
        return text.text
    }

    /// Writes the usual form.
    public func spell(to text: inout ByteBuffer) {
        text.uuid(self.high, self.low)
    }

    /// Hashes only the random half, which distinguishes ids as well as the whole.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(self.low)
    }

    private static func isHyphen(at position: Int) -> Bool {
        position == 8 || position == 13 || position == 18 || position == 23
    }
}
