import ToastCore

/// Asks a node for the names of channels that it owns; the reply is a ``NamesReply``.
struct NamesMessage: Hashable, Sendable {
    /// The most names of a reply.
    static let maximumLimit = 1000

    /// The name after which to look; nil for the beginning.
    let after: ChannelName?

    let limit: Int

    /// A request for `limit` names, at most ``maximumLimit``, after a name.
    init(after name: ChannelName?, limit: Int) {
        self.after = name
        self.limit = min(limit, Self.maximumLimit)
    }

    func encoded() -> [UInt8] {
        MessageParts.bytes(.names) { writer in
            writer.member("after", self.after)
            writer.member("limit", self.limit)
        }
    }

    init(_ parts: MessageParts) throws(MessageError) {
        self.init(
            after: try parts.head.optional("after", ChannelName.init(rawValue:)),
            limit: try parts.head.count("limit")
        )
    }
}

/// The names of channels that a node owns.
struct NamesReply: Hashable, Sendable {
    /// The partitions that the reply is about; none if the node lost one while it read the names.
    let partitions: PartitionSet

    /// The first names of these partitions, in order; fewer than were wanted if there are no more.
    let names: [ChannelName]

    /// The bytes of the message: less than 70 for each name, and 1000.
    func encoded() -> [UInt8] {
        MessageParts.bytes(.namesReply) { writer in
            writer.list("partitions", self.partitions.partitions.map(\.index))
            writer.list("names", self.names)
        }
    }
}

extension NamesReply {
    init(_ parts: MessageParts) throws(MessageError) {
        let partitions = try parts.head.list("partitions") { json throws(MessageError) in
            guard let number = json.integer, let index = Int(exactly: number), Partition.all.indices.contains(index)
            else { throw .member("partitions") }
            return Partition.all[index]
        }
        self.init(
            partitions: PartitionSet(partitions),
            names: try parts.head.texts("names", ChannelName.init(rawValue:))
        )
    }
}
