import Crypto
import ToastCore

/// Checks that the sender of a request knows a secret.
enum Signature {
    /// Whether a request is signed with a secret, as its format does it.
    static func isValid(on input: FormatInput, as format: HookFormat, by secret: String) -> Bool {
        switch format {
        case .github:
            guard let field = input.field("x-hub-signature-256"), field.hasPrefix("sha256=") else { return false }
            return Self.isCode(String(field.dropFirst("sha256=".count)), of: input.body, by: secret)
        case .grafana:
            guard let field = input.field("x-grafana-alerting-signature") else { return false }
            return Self.isCode(field, of: input.body, by: secret)
        case .gitlab:
            guard let token = input.field("x-gitlab-token") else { return false }
            // Compared as digests, so that the time tells nothing about the secret.
            return SHA256.hash(data: Array(token.utf8)) == SHA256.hash(data: Array(secret.utf8))
        default:
            return true
        }
    }

    /// Whether hexadecimal digits are the HMAC-SHA256 of a body; takes the same time whatever they are.
    private static func isCode(_ digits: String, of body: [UInt8], by secret: String) -> Bool {
        guard let code = digits.hexadecimalBytes else { return false }
        let key = SymmetricKey(data: Array(secret.utf8))
        return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: body, using: key)
    }
}

extension String {
    /// SHA-256 of the text in hexadecimal digits.
    package var sha256: String { SHA256.hash(data: Array(self.utf8)).hexadecimal }
}
