/// The key that signs what is sent to a webhook: `whsec_` and the Base64 of 24 to 64 bytes, as Standard Webhooks has it.
///
/// It never prints itself: its text has to be asked for by name.
public struct WebhookSecret: Hashable, Sendable, CustomStringConvertible {
    /// The lengths that Standard Webhooks allows, in bytes.
    public static let lengths = 24...64

    /// What every secret begins with.
    public static let prefix = "whsec_"

    /// The key itself.
    public let bytes: [UInt8]

    /// A key that was kept; `nil` when it is too short or too long.
    public init?(bytes: [UInt8]) {
        guard Self.lengths.contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// Reads the text of a secret; `nil` when it is none.
    public init?(_ text: String) {
        guard text.hasPrefix(Self.prefix), let bytes = Base64.decode(text.dropFirst(Self.prefix.count)) else {
            return nil
        }
        self.init(bytes: bytes)
    }

    /// Draws a secret of 32 bytes.
    public init(using generator: inout some RandomNumberGenerator) {
        self.bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// The text that its owner needs to verify signatures; for an answer to them, and for nothing else.
    public var revealed: String { Self.prefix + Base64.encode(self.bytes) }

    /// Nothing of the key, so that a log cannot give it away.
    public var description: String { Self.prefix + "…" }
}
