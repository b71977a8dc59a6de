import ToastCore
import ToastHub

/// The channels that a node follows, and their audience there: sent to the channels' owner each second.
///
/// The reply is an ``AudienceReply``. What is not renewed lapses. A message can be late, because a server of NATS was
/// stopped or cut off, so it counts from the time when it was sent.
struct AudienceMessage: Hashable, Sendable {
    /// A channel that the node follows.
    struct Entry: Hashable, Sendable {
        let channel: ChannelName

        /// The listeners at the node; none when it does not follow the channel any more.
        let counts: ListenerCounts

        /// The last event that the node has; nil when it does not know.
        let last: Offset?
    }

    /// The node that follows.
    let node: NodeID

    /// When the message was sent, by the clock that the nodes share; nil from a node whose clock is wrong, and from a
    /// node of an earlier version.
    let sent: Instant?

    let entries: [Entry]

    func encoded() -> [UInt8] {
        MessageParts.bytes(.audience) { writer in
            writer.member("node", self.node.rawValue)
            writer.member("sent", self.sent?.nanoseconds)
            writer.objects("channels", self.entries) { entry, writer in
                writer.member("channel", entry.channel)
                entry.counts.writeMembers(to: &writer)
                writer.member("last", entry.last?.rawValue)
            }
        }
    }

    /// The message, or as many shorter ones as a limit demands: each renews the channels that it names.
    ///
    /// An entry has less than 250 bytes, so a message of 1 MiB has room for 4000.
    func encoded(within limit: MessageLimit) throws(MessageError) -> [[UInt8]] {
        try limit.split(self.entries) { Self(node: self.node, sent: self.sent, entries: $0).encoded() }
    }
}

extension AudienceMessage {
    init(_ parts: MessageParts) throws(MessageError) {
        self.node = try parts.head.read("node", NodeID.init(rawValue:))
        self.sent = parts.head.object["sent"] == nil ? nil : try parts.head.instant("sent")
        self.entries = try parts.head.objects("channels") { reader throws(MessageError) in
            Entry(
                channel: try reader.read("channel", ChannelName.init(rawValue:)),
                counts: try ListenerCounts(reader),
                last: reader.object["last"] == nil ? nil : try reader.offset("last")
            )
        }
    }
}

/// The owner's reply to an ``AudienceMessage``: the last event of each channel, which shows what the node missed.
struct AudienceReply: Hashable, Sendable {
    /// A channel of the message that its owner has loaded.
    struct Entry: Hashable, Sendable {
        let channel: ChannelName
        let last: Offset
    }

    let entries: [Entry]

    /// The bytes of the message, which is shorter than the one that it replies to.
    func encoded() -> [UInt8] {
        MessageParts.bytes(.audienceReply) { writer in
            writer.objects("channels", self.entries) { entry, writer in
                writer.member("channel", entry.channel)
                writer.member("last", entry.last.rawValue)
            }
        }
    }
}

extension AudienceReply {
    init(_ parts: MessageParts) throws(MessageError) {
        self.entries = try parts.head.objects("channels") { reader throws(MessageError) in
            Entry(
                channel: try reader.read("channel", ChannelName.init(rawValue:)),
                last: try reader.offset("last")
            )
        }
    }
}
