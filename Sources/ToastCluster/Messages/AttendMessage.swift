import ToastCore
import ToastHub

/// A node's request to join a channel for one of its listeners.
///
/// The reply is a ``ChannelReply`` with an opening. From then on the owner sends the channel's events to the node.
struct AttendMessage: Hashable, Sendable {
    /// The node that the events are sent to.
    let node: NodeID

    let channel: ChannelName

    /// All listeners of the node in the channel, the new one included.
    let counts: ListenerCounts

    /// The last event that the listener has from an earlier connection; nil for a new listener.
    let cursor: Cursor?

    /// The listener's language; nil for the server's default.
    let language: LanguageTag?

    /// When the message was sent, by the clock that the nodes share; nil when it stays at its node, from a node whose
    /// clock is wrong, and from a node of an earlier version.
    var sent: Instant?

    /// The bytes of the message; a cursor of 128 channels takes 12 KiB, the rest less than 1 KiB.
    func encoded() -> [UInt8] {
        MessageParts.bytes(.attend) { writer in
            writer.member("node", self.node.rawValue)
            writer.member("channel", self.channel)
            self.counts.writeMembers(to: &writer)
            writer.member("cursor", self.cursor?.description)
            writer.member("language", self.language)
            writer.member("sent", self.sent?.nanoseconds)
        }
    }
}

extension AttendMessage {
    init(_ parts: MessageParts) throws(MessageError) {
        let head = parts.head
        self.node = try head.read("node", NodeID.init(rawValue:))
        self.channel = try head.read("channel", ChannelName.init(rawValue:))
        self.counts = try ListenerCounts(head)
        self.cursor = try head.optional("cursor") { Cursor($0) }
        self.language = try head.optional("language", LanguageTag.init(rawValue:))
        self.sent = head.object["sent"] == nil ? nil : try head.instant("sent")
    }
}
