import Crypto

/// The secret that all nodes of a cluster share.
///
/// It is never used itself: each purpose has a key of its own that is derived from it (HKDF, RFC 5869), so that what
/// was sealed for one purpose does not open for another.
package struct ClusterKey: Sendable {
    private let secret: SymmetricKey

    /// The shortest secret, in bytes.
    package static let minimumBytes = 32

    /// The longest secret, in bytes; a longer file is hardly a key.
    package static let maximumBytes = 4096

    /// A key from the bytes of the file that holds it.
    ///
    /// The secret of a text file has no white space at its ends: editors and `echo` add a line end, and two nodes whose
    /// files differ only by that shall have the same key. The bytes of any other file are the secret as they are.
    package init(fileContent: [UInt8]) throws(ClusterKeyError) {
        let secret = Self.isText(fileContent) ? Self.trimmed(fileContent) : fileContent
        guard secret.count >= Self.minimumBytes else { throw .tooShort(secret.count) }
        guard secret.count <= Self.maximumBytes else { throw .tooLong(secret.count) }
        guard Set(secret).count >= Self.minimumVariety else { throw .notRandom }
        self.secret = SymmetricKey(data: secret)
    }

    package func sealer(for purpose: SealingPurpose) -> Sealer {
        Sealer(key: self.derive(purpose.rawValue))
    }

    /// Identifies the key without revealing it: for the operator's log, and for nodes that compare their keys.
    package var fingerprint: String {
        let key = self.derive("toastd fingerprint of the key")
        let bytes = HMAC<SHA256>.authenticationCode(for: [UInt8](), using: key).prefix(8)
        return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The fewest different bytes of a key: 32 random bytes always have more, a placeholder fewer.
    private static let minimumVariety = 8

    private func derive(_ purpose: String) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(inputKeyMaterial: self.secret, info: Array(purpose.utf8), outputByteCount: 32)
    }

    private static func isText(_ bytes: [UInt8]) -> Bool {
        bytes.allSatisfy { (0x20...0x7E).contains($0) || Self.isWhiteSpace($0) }
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }

    private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        guard let first = bytes.firstIndex(where: { !Self.isWhiteSpace($0) }),
            let last = bytes.lastIndex(where: { !Self.isWhiteSpace($0) })
        else { return [] }
        return Array(bytes[first...last])
    }
}

/// What a key is derived for; changing a text changes the key, and makes all that was sealed with it unreadable.
package enum SealingPurpose: String, CaseIterable, Sendable {
    /// The secrets of webhooks, and the document of hooks.
    case webhooks = "toastd webhook secrets"
    /// Session cookies.
    case sessions = "toastd sessions"
    /// Tickets for streams.
    case tickets = "toastd tickets"
    /// Secrets in messages between nodes.
    case messages = "toastd secrets in messages"
}

/// Why the content of a file is no cluster key.
package enum ClusterKeyError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The secret has this number of bytes, which is too small.
    case tooShort(Int)

    /// The secret has this number of bytes, which is too large.
    case tooLong(Int)

    /// The secret consists of a few bytes that repeat.
    case notRandom

    package var description: String {
        let fault =
            switch self {
            case .tooShort(let count): "has \(count) bytes, at least \(ClusterKey.minimumBytes) are needed"
            case .tooLong(let count): "has \(count) bytes, at most \(ClusterKey.maximumBytes) are allowed"
            case .notRandom: "repeats a few bytes, so it is not random"
            }
        return "the cluster key \(fault); make one with: openssl rand -base64 48"
    }
}
