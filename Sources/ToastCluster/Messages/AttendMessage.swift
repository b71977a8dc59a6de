package import ToastCore
package import ToastHub

/// A node's request to join a channel for one of its listeners.
///
/// The reply is a ``ChannelReply`` with an opening. From then on the owner sends the channel's events to the node.
package struct AttendMessage: Hashable, Sendable {
    /// The node that the events are sent to.
    package let node: NodeID

    package let channel: ChannelName

    /// The properties of the listener.
    package let listener: ChannelListener

    /// The last event that the listener has from an earlier connection; nil for a new listener.
    package let cursor: Cursor?

    /// The listener's language; nil for the server's default.
    package let language: LanguageTag?

    package init(
        node: NodeID,
        channel: ChannelName,
        listener: ChannelListener,
        cursor: Cursor?,
        language: LanguageTag?
    ) {
        self.node = node
        self.channel = channel
        self.listener = listener
        self.cursor = cursor
        self.language = language
    }

    /// The bytes of the message; a cursor of 128 channels takes 12 KiB, the rest less than 1 KiB.
    package func encoded() -> [UInt8] {
        Frame.bytes(.attend) { writer in
            writer.member("node", self.node.rawValue)
            writer.member("channel", self.channel)
            writer.member("transport", self.listener.transport?.rawValue)
            writer.flag("isAssistive", self.listener.isAssistive)
            if self.listener.scale != 1 { writer.member("scale", self.listener.scale) }
            writer.member("cursor", self.cursor?.description)
            writer.member("language", self.language)
        }
    }

    init(_ frame: Frame) throws(MessageError) {
        let head = frame.head
        self.node = try head.read("node", NodeID.init(rawValue:))
        self.channel = try head.read("channel", ChannelName.init(rawValue:))
        self.listener = ChannelListener(
            transport: try head.optional("transport", Transport.init(rawValue:)),
            isAssistive: try head.flag("isAssistive"),
            scale: try head.scale()
        )
        self.cursor = try head.optional("cursor") { Cursor($0) }
        self.language = try head.optional("language", LanguageTag.init(rawValue:))
    }
}

extension MessageReader {
    /// By which factor toasts stay longer, within ``Audience/scales``; 1 when the member is not there.
    func scale() throws(MessageError) -> Double {
        guard let value = self.object["scale"] else { return 1 }
        guard let scale = value.number, Audience.scales.contains(scale) else { throw .member("scale") }
        return scale
    }
}
