import EventLoop
import ToastCore

/// The name of a node: 128 random bits that are drawn at each start and never used twice, in base 32.
///
/// A process that starts again is a new node, so nothing that was said to or about the old one applies to it.
package struct NodeID: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The length of a name in characters: 13 for each half of the bits.
    package static let length = 26

    /// The name; letters and digits only, so that it may be part of an address between nodes.
    package let rawValue: String

    /// Checks a name; `nil` when it has another length or another character than ``init(using:)`` gives.
    package init?(rawValue: String) {
        guard rawValue.utf8.count == Self.length, rawValue.utf8.allSatisfy(Self.characters.contains) else { return nil }
        self.rawValue = rawValue
    }

    /// Draws a name.
    package init(using generator: inout some RandomNumberGenerator) {
        let high = Self.text(of: generator.next())
        self.rawValue = high + Self.text(of: generator.next())
    }

    /// Draws a name.
    package static func random() -> Self {
        var generator = RandomBlock()
        return Self(using: &generator)
    }

    /// The name itself.
    package var description: String { self.rawValue }

    /// Orders names by their bytes.
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The base 32 of RFC 4648 §6, in lower case.
    private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")
    private static let characters = ASCIISet(String(Self.alphabet))

    private static func text(of bits: UInt64) -> String {
        String((0..<13).map { Self.alphabet[Int(bits >> UInt64($0 * 5) & 31)] })
    }
}
