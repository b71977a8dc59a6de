package import ToastCore

/// A node's sign of life, for all nodes.
package struct Heartbeat: Hashable, Sendable {
    package let node: NodeID

    /// The version of the program.
    package let version: String

    /// Where the node's API is, if its operator has said so.
    package let url: String?

    /// The node's time.
    package let instant: Instant

    /// Whether the node is stopping, and its channels belong to others from now on.
    package let isDraining: Bool

    package init(node: NodeID, version: String, url: String?, instant: Instant, isDraining: Bool) {
        self.node = node
        self.version = version
        self.url = url
        self.instant = instant
        self.isDraining = isDraining
    }

    /// The bytes of the message: about 200, and as many as the URL has.
    package func encoded() -> [UInt8] {
        Frame.bytes(.heartbeat) { writer in
            writer.member("node", self.node.rawValue)
            writer.member("version", self.version)
            writer.member("url", self.url)
            writer.nanoseconds("instant", self.instant)
            writer.flag("isDraining", self.isDraining)
        }
    }

    init(_ frame: Frame) throws(MessageError) {
        self.node = try frame.head.read("node", NodeID.init(rawValue:))
        self.version = try frame.head.text("version")
        self.url = try frame.head.optional("url") { $0 }
        self.instant = try frame.head.instant("instant")
        self.isDraining = try frame.head.flag("isDraining")
    }
}
