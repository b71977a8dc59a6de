/// The name of a node: 128 random bits at each start, never used twice.
///
/// A node that was restarted is another node, so nothing that was meant for the one before can reach it.
package struct NodeID: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number of characters of every name.
    package static let length = 26

    /// The bits in base 32 (RFC 4648 §6) in lower case: a valid token of a NATS subject.
    package let rawValue: String

    /// Checks a name; `nil` unless it is 26 letters and digits of base 32.
    package init?(rawValue: String) {
        guard rawValue.utf8.count == Self.length, rawValue.utf8.allSatisfy(Self.alphabet.contains) else { return nil }
        self.rawValue = rawValue
    }

    /// Draws a name.
    package init(using generator: inout some RandomNumberGenerator) {
        let characters = (0..<Self.length).map { _ in Self.alphabet[Int.random(in: 0..<32, using: &generator)] }
        self.rawValue = String(decoding: characters, as: UTF8.self)
    }

    package var description: String { self.rawValue }

    /// The order of the bytes.
    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }

    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
}
