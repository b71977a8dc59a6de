package import ToastCore

/// A part of all channels, which belongs to one node at a time.
///
/// The partition of a channel is fixed for the life of a cluster: it is also in the subjects of the log.
package struct Partition: Hashable, Comparable, Sendable {
    /// The number of partitions.
    package static let count = 256

    /// All partitions.
    package static let all = (0..<Self.count).map { Self(unchecked: $0) }

    /// Its number, from 0 to 255.
    package let index: Int

    /// The partition of a channel: FNV-1a of the name, modulo 256.
    package init(of channel: ChannelName) {
        self.index = Int(channel.rawValue.utf8.digest % UInt64(Self.count))
    }

    /// A partition by its number; `nil` when there is none.
    package init?(index: Int) {
        guard (0..<Self.count).contains(index) else { return nil }
        self.index = index
    }

    private init(unchecked index: Int) {
        self.index = index
    }

    package static func < (one: Self, other: Self) -> Bool { one.index < other.index }
}
