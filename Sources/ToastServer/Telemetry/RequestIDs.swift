import Metrics
import ToastCore

/// Makes ids for requests that came without a valid one.
final class RequestIDs: Sendable {
    private let seed = UInt64.random(in: .min ... .max)
    private let count = Counter()

    /// The longest id that a client may choose.
    static let limit = 128

    /// A new id of 13 letters and digits; no two of one object are equal, because they encode different numbers.
    func next() -> String {
        self.count.add()
        // SplitMix64 (Steele, Lea and Flood 2014): a bijection, so different counts give different ids.
        var number = self.seed &+ UInt64(self.count.value) &* 0x9E37_79B9_7F4A_7C15
        number = (number ^ number >> 30) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ number >> 27) &* 0x94D0_49BB_1331_11EB
        number ^= number >> 31
        // Read once: each use of a static property checks that it is initialized.
        let alphabet = Self.alphabet
        return String(ascii: 13) { alphabet[Int(number >> UInt64(5 * $0) & 31)] }
    }

    /// Whether a text may be a request's id: 1 to 128 characters of a token (RFC 9110 §5.6.2), so that it fits into a
    /// header field, a log line and a URN.
    static func isID(_ text: String) -> Bool {
        (1...self.limit).contains(text.utf8.count) && text.utf8.allSatisfy(ASCIISet.token.contains)
    }

    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
}
