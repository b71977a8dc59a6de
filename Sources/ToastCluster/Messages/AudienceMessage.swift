package import ToastCore
package import ToastHub

/// The channels that a node follows, and their audience there: sent to the channels' owner each second.
///
/// The reply is an ``AudienceReply``. What is not renewed lapses. A message can be late, because a server of NATS was
/// stopped or cut off, so it counts from the time when it was sent.
package struct AudienceMessage: Hashable, Sendable {
    /// A channel that the node follows.
    package struct Entry: Hashable, Sendable {
        package let channel: ChannelName

        /// The listeners at the node; none when it does not follow the channel any more.
        package let counts: ListenerCounts

        /// The last event that the node has; nil when it does not know.
        package let last: Offset?

        package init(channel: ChannelName, counts: ListenerCounts, last: Offset?) {
            self.channel = channel
            self.counts = counts
            self.last = last
        }
    }

    /// The node that follows.
    package let node: NodeID

    /// When the message was sent, by the clock that the nodes share; nil from a node of an earlier version.
    package let sent: Instant?

    package let entries: [Entry]

    package init(node: NodeID, sent: Instant?, entries: [Entry]) {
        self.node = node
        self.sent = sent
        self.entries = entries
    }

    /// The bytes of the message.
    package func encoded() -> [UInt8] {
        Frame.bytes(.audience) { writer in
            writer.member("node", self.node.rawValue)
            writer.nanoseconds("sent", self.sent)
            writer.list("channels", self.entries) { entry, writer in
                writer.object { writer in entry.writeMembers(to: &writer) }
            }
        }
    }

    /// The message, or as many shorter ones as a limit demands: each renews what it names.
    ///
    /// An entry has less than 250 bytes, so a message of 1 MiB has room for 4000.
    package func encoded(within limit: MessageLimit) throws(MessageError) -> [[UInt8]] {
        let bytes = self.encoded()
        guard bytes.count > limit.bytes else { return [bytes] }
        guard self.entries.count > 1 else { throw .tooLong(bytes.count) }
        let half = self.entries.count / 2
        let parts = [self.entries.prefix(half), self.entries.dropFirst(half)]
        var messages: [[UInt8]] = []
        for part in parts {
            let message = Self(node: self.node, sent: self.sent, entries: Array(part))
            messages += try message.encoded(within: limit)
        }
        return messages
    }

    init(_ frame: Frame) throws(MessageError) {
        self.node = try frame.head.read("node", NodeID.init(rawValue:))
        self.sent = frame.head.object["sent"] == nil ? nil : try frame.head.instant("sent")
        self.entries = try frame.head.list("channels") { json throws(MessageError) in
            try Entry(MessageReader(json, of: "channels"))
        }
    }
}

extension AudienceMessage.Entry {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("channel", self.channel)
        self.counts.writeMembers(to: &writer)
        writer.member("last", self.last?.rawValue)
    }

    fileprivate init(_ reader: MessageReader) throws(MessageError) {
        self.init(
            channel: try reader.read("channel", ChannelName.init(rawValue:)),
            counts: try ListenerCounts(reader),
            last: reader.object["last"] == nil ? nil : try reader.offset("last")
        )
    }
}

/// The owner's reply to an ``AudienceMessage``: where its channels are, so that a node sees what it has missed.
package struct AudienceReply: Hashable, Sendable {
    /// A channel of the message that the node owns and has loaded.
    package struct Entry: Hashable, Sendable {
        package let channel: ChannelName

        /// The channel's last event.
        package let last: Offset

        package init(channel: ChannelName, last: Offset) {
            self.channel = channel
            self.last = last
        }
    }

    package let entries: [Entry]

    package init(entries: [Entry]) {
        self.entries = entries
    }

    /// The bytes of the message, which is shorter than the one that it replies to.
    package func encoded() -> [UInt8] {
        Frame.bytes(.audienceReply) { writer in
            writer.list("channels", self.entries) { entry, writer in
                writer.object { writer in
                    writer.member("channel", entry.channel)
                    writer.member("last", entry.last.rawValue)
                }
            }
        }
    }

    init(_ frame: Frame) throws(MessageError) {
        self.entries = try frame.head.list("channels") { json throws(MessageError) in
            let reader = try MessageReader(json, of: "channels")
            return Entry(
                channel: try reader.read("channel", ChannelName.init(rawValue:)),
                last: try reader.offset("last")
            )
        }
    }
}
