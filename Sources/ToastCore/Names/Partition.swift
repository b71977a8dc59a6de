/// One of the 256 parts that the channels fall into; a part has one owner.
///
/// Which part a channel is in follows from its name alone and is stored with the log, so it never changes during the
/// life of a cluster.
package struct Partition: Hashable, Comparable, Sendable {
    package static let count = 256

    package static let all = (0..<Self.count).map { Self(UInt8($0)) }

    /// The number of the partition, from 0.
    package let index: Int

    /// The partition of a channel: FNV-1a of its name, modulo 256.
    package init(of channel: ChannelName) {
        self.init(UInt8(truncatingIfNeeded: channel.rawValue.utf8.digest))
    }

    package init(_ index: UInt8) {
        self.index = Int(index)
    }

    package static func < (left: Self, right: Self) -> Bool { left.index < right.index }
}
