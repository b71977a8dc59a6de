import Crypto
import ToastCore

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
        self.id = Self.randomBytes(4).hexadecimal
        self.secret = Self.randomBytes(32)
    }

    /// Reads a key's text; `nil` when it is invalid, also with digits in upper case.
    package init?(_ text: String) {
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1].utf8.count == 8, let id = parts[1].hexadecimalBytes,
            let secret = parts[2].hexadecimalBytes, secret.count == 32
        else { return nil }
        self.id = id.hexadecimal
        self.secret = secret
        guard self.text == text else { return nil }
    }

    /// The text, which is shown once.
    package var text: String { "toastd_\(self.id)_\(self.secret.hexadecimal)" }

    /// The stored digest of the secret: SHA-256 in hexadecimal digits.
    package var digest: String { SHA256.hash(data: self.secret).hexadecimal }

    /// Whether a stored digest is of this key; takes the same time whatever the digest is.
    func matches(_ digest: String) -> Bool {
        digest.hexadecimalBytes.map { SHA256.hash(data: self.secret) == $0 } ?? false
    }

    static func randomBytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in .random(in: .min ... .max) }
    }
}
