import Crypto

/// Encrypts and authenticates bytes with a key (AES-256-GCM), so that only processes with the same key can read or make
/// them.
///
/// The nonce is random. One key may seal 2³² times (NIST SP 800-38D §8.3): a million a day for eleven years.
package struct Sealer: Sendable {
    private let key: SymmetricKey

    init(key: SymmetricKey) {
        self.key = key
    }

    /// Seals bytes so that they open only with the same context.
    package func seal(_ bytes: [UInt8], for context: String) -> [UInt8] {
        let sealed = try? AES.GCM.seal(bytes, using: self.key, authenticating: Array(context.utf8)).combined
        guard let sealed else { preconditionFailure("AES-GCM fails only with a key or a nonce of another length.") }
        return Array(sealed)
    }

    /// Opens what was sealed; nil when it was sealed with another key, for another context, or changed.
    package func open(_ sealed: [UInt8], for context: String) -> [UInt8]? {
        guard let box = try? AES.GCM.SealedBox(combined: sealed),
            let bytes = try? AES.GCM.open(box, using: self.key, authenticating: Array(context.utf8))
        else { return nil }
        return Array(bytes)
    }
}
