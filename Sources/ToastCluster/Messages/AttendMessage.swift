package import ToastCore
package import ToastHub

/// A node's request to join a channel for one of its listeners.
///
/// The reply is a ``ChannelReply`` with an opening. From then on the owner sends the channel's events to the node.
package struct AttendMessage: Hashable, Sendable {
    /// The node that the events are sent to.
    package let node: NodeID

    package let channel: ChannelName

    /// All listeners of the node in the channel, the new one included.
    package let counts: ListenerCounts

    /// The last event that the listener has from an earlier connection; nil for a new listener.
    package let cursor: Cursor?

    /// The listener's language; nil for the server's default.
    package let language: LanguageTag?

    /// When the message was sent, by the clock that the nodes share; nil when it stays at its node, and from a node of
    /// an earlier version.
    package var sent: Instant?

    package init(
        node: NodeID,
        channel: ChannelName,
        counts: ListenerCounts,
        cursor: Cursor?,
        language: LanguageTag?
    ) {
        self.node = node
        self.channel = channel
        self.counts = counts
        self.cursor = cursor
        self.language = language
    }

    /// The bytes of the message; a cursor of 128 channels takes 12 KiB, the rest less than 1 KiB.
    package func encoded() -> [UInt8] {
        Frame.bytes(.attend) { writer in
            writer.member("node", self.node.rawValue)
            writer.member("channel", self.channel)
            self.counts.writeMembers(to: &writer)
            writer.member("cursor", self.cursor?.description)
            writer.member("language", self.language)
            writer.nanoseconds("sent", self.sent)
        }
    }

    init(_ frame: Frame) throws(MessageError) {
        let head = frame.head
        self.node = try head.read("node", NodeID.init(rawValue:))
        self.channel = try head.read("channel", ChannelName.init(rawValue:))
        self.counts = try ListenerCounts(head)
        self.cursor = try head.optional("cursor") { Cursor($0) }
        self.language = try head.optional("language", LanguageTag.init(rawValue:))
        self.sent = head.object["sent"] == nil ? nil : try head.instant("sent")
    }
}
