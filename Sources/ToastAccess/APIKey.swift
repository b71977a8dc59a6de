import Crypto

/// A key for a program: random, shown once, stored as a digest.
///
/// Its text is `toastd_ID_SECRET`: a prefix that secret scanners can look for, eight hexadecimal digits that name the
/// key in files and logs, and 256 random bits. So many bits need no slow hash, because they cannot be guessed.
package struct APIKey: Sendable {
    /// The prefix of every key's text.
    static let prefix = "toastd_"

    /// The name of the key; not secret.
    package let id: String

    private let secret: [UInt8]

    /// Creates a random key.
    package init() {
        self.id = Self.hexadecimal(Self.randomBytes(4))
        self.secret = Self.randomBytes(32)
    }

    /// Reads a key's text; `nil` when it is invalid.
    package init?(_ text: String) {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "toastd", parts[1].utf8.count == 8,
            let id = Self.bytes(parts[1]), let secret = Self.bytes(parts[2]), secret.count == 32
        else { return nil }
        self.id = Self.hexadecimal(id)
        self.secret = secret
    }

    /// The text, which is shown once.
    package var text: String { "toastd_\(self.id)_\(Self.hexadecimal(self.secret))" }

    /// The stored digest of the secret: SHA-256 in hexadecimal digits.
    package var digest: String { Self.hexadecimal(Array(SHA256.hash(data: self.secret))) }

    /// Whether a stored digest is of this key; takes the same time whatever the digest is.
    func matches(_ digest: String) -> Bool {
        let (own, other) = (Array(self.digest.utf8), Array(digest.utf8))
        var difference = UInt8(own.count == other.count ? 0 : 1)
        for index in own.indices { difference |= own[index] ^ (index < other.count ? other[index] : 0) }
        return difference == 0
    }

    static func randomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static func bytes(_ text: Substring) -> [UInt8]? {
        let digits = text.utf8.mapAll { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
            default: nil
            }
        }
        guard let digits, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
