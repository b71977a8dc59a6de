/// The name of a toast: a UUID (RFC 9562).
///
/// The service draws version 7, whose text sorts by the time it was drawn; any UUID is read.
public struct ToastID: Comparable, Hashable, Sendable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// Draws an id: 48 bits of time in milliseconds, 12 bits of the time within the millisecond, 62 random bits
    /// (RFC 9562 §5.7; §6.2, method 3).
    public init(at instant: Instant, using generator: inout some RandomNumberGenerator) {
        let (milliseconds, rest) = UInt64(max(0, instant.nanoseconds))
            .quotientAndRemainder(dividingBy: UInt64(Interval.millisecond))
        let variant: UInt64 = 0b10 << 62
        self.high = milliseconds << 16 | 0x7000 | (rest << 12) / UInt64(Interval.millisecond)
        self.low = variant | (generator.next() as UInt64) >> 2
    }

    /// Draws the ids of toasts that are enqueued together, in the order of the toasts.
    public static func draw(
        _ count: Int,
        at instant: Instant,
        using generator: inout some RandomNumberGenerator
    ) -> [Self] {
        if count == 1 { return [Self(at: instant, using: &generator)] }
        return (0..<count).map { _ in Self(at: instant, using: &generator) }.sorted()
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

    /// Whether an id was drawn before another: of two that were drawn within a quarter of a microsecond, chance
    /// decides.
    public static func < (left: Self, right: Self) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }

    /// Hashes only the random half, which distinguishes ids as well as the whole.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(self.low)
    }

    private static func isHyphen(at position: Int) -> Bool {
        position == 8 || position == 13 || position == 18 || position == 23
    }
}
