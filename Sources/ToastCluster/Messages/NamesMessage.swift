package import ToastCore

/// Asks a node for the names of channels that it owns; the reply is a ``NamesReply``.
package struct NamesMessage: Hashable, Sendable {
    /// The most names of a reply.
    package static let maximumLimit = 1000

    /// The name after which to look; nil for the beginning.
    package let after: ChannelName?

    /// How many names are wanted.
    package let limit: Int

    /// A request for so many names, at most ``maximumLimit``, after another one.
    package init(after name: ChannelName?, limit: Int) {
        self.after = name
        self.limit = min(limit, Self.maximumLimit)
    }

    /// The bytes of the message.
    package func encoded() -> [UInt8] {
        Frame.bytes(.names) { writer in
            writer.member("after", self.after)
            writer.member("limit", self.limit)
        }
    }

    init(_ frame: Frame) throws(MessageError) {
        self.init(
            after: try frame.head.optional("after", ChannelName.init(rawValue:)),
            limit: try frame.head.count("limit")
        )
    }
}

/// The names of channels that a node owns.
package struct NamesReply: Hashable, Sendable {
    /// The partitions that the reply is about: those that the node has served all the while.
    package let partitions: PartitionSet

    /// The first names of these partitions, in order; fewer than were wanted if there are no more.
    package let names: [ChannelName]

    /// A reply with names of some partitions.
    package init(partitions: PartitionSet, names: [ChannelName]) {
        self.partitions = partitions
        self.names = names
    }

    /// The bytes of the message: less than 70 for each name, and 1000.
    package func encoded() -> [UInt8] {
        Frame.bytes(.namesReply) { writer in
            writer.list("partitions", self.partitions.partitions) { partition, writer in
                writer.value(partition.index)
            }
            writer.list("names", self.names) { name, writer in writer.value(name.rawValue) }
        }
    }

    init(_ frame: Frame) throws(MessageError) {
        let partitions = try frame.head.list("partitions") { json throws(MessageError) in
            guard let number = json.integer, let index = Int(exactly: number), Partition.all.indices.contains(index)
            else { throw .member("partitions") }
            return Partition.all[index]
        }
        self.init(
            partitions: PartitionSet(partitions),
            names: try frame.head.texts("names", ChannelName.init(rawValue:))
        )
    }
}
