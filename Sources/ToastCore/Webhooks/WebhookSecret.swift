/// The key that signs what is sent to a webhook: `whsec_` and the Base64 of 24 to 64 bytes, as Standard Webhooks has
/// it.
///
/// It never prints itself; ``revealed`` has its text.
public struct WebhookSecret: Hashable, Sendable, CustomStringConvertible {
    /// The lengths that Standard Webhooks allows, in bytes.
    public static let lengths = 24...64

    /// What every secret begins with.
    public static let prefix = "whsec_"

    /// The key itself.
    public let bytes: [UInt8]

    /// A stored key; `nil` when it is too short or too long.
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
    public init() {
        self.bytes = (0..<32).map { _ in .random(in: .min ... .max) }
    }

    /// The text that its owner needs to verify signatures; only for answers to the owner.
    public var revealed: String { Self.prefix + Base64.encode(self.bytes) }

    /// Nothing of the key, so that it cannot get into a log.
    public var description: String { Self.prefix + "…" }
}
