package import ToastCore

/// A node's sign of life, for all nodes.
package struct Heartbeat: Equatable, Sendable {
    package let node: NodeID

    /// The version of the program.
    package let version: String

    /// Where the node's API is, if its operator has said so.
    package let url: String?

    /// The node's time.
    package let instant: Instant

    /// Whether the node is stopping, and its channels belong to others from now on.
    package let isDraining: Bool

    /// What the node says about ownership.
    package let claim: OwnershipClaim

    package init(
        node: NodeID,
        version: String,
        url: String?,
        instant: Instant,
        isDraining: Bool,
        claim: OwnershipClaim
    ) {
        self.node = node
        self.version = version
        self.url = url
        self.instant = instant
        self.isDraining = isDraining
        self.claim = claim
    }

    /// The bytes of the message: about 200, as many as the URL has, and 40 for each other node.
    package func encoded() -> [UInt8] {
        Frame.bytes(.heartbeat) { writer in
            writer.member("node", self.node.rawValue)
            writer.member("version", self.version)
            writer.member("url", self.url)
            writer.nanoseconds("instant", self.instant)
            writer.flag("isDraining", self.isDraining)
            self.claim.writeMembers(to: &writer)
        }
    }

    init(_ frame: Frame) throws(MessageError) {
        self.node = try frame.head.read("node", NodeID.init(rawValue:))
        self.version = try frame.head.text("version")
        self.url = try frame.head.optional("url") { $0 }
        self.instant = try frame.head.instant("instant")
        self.isDraining = try frame.head.flag("isDraining")
        self.claim = try OwnershipClaim(frame.head)
    }
}

extension OwnershipClaim {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("beat", Int64(clamping: self.beat))
        writer.member("candidacy", self.candidacy.map { Int64(clamping: $0) })
        guard !self.concessions.isEmpty else { return }
        writer.object("concessions") { writer in
            for (node, candidacy) in self.concessions {
                writer.member(named: node.rawValue, Int64(clamping: candidacy))
            }
        }
    }

    fileprivate init(_ head: MessageReader) throws(MessageError) {
        var concessions: [NodeID: UInt64] = [:]
        if head.object["concessions"] != nil {
            let reader = try head.reader("concessions")
            for (name, _) in reader.object {
                guard let node = NodeID(rawValue: name) else { throw .member("concessions") }
                concessions[node] = try reader.number(name)
            }
        }
        self.init(
            beat: try head.number("beat"),
            candidacy: head.object["candidacy"] == nil ? nil : try head.number("candidacy"),
            concessions: concessions
        )
    }
}

extension MessageReader {
    fileprivate func number(_ name: String) throws(MessageError) -> UInt64 {
        guard let number = UInt64(exactly: try self.integer(name)) else { throw .member(name) }
        return number
    }
}
