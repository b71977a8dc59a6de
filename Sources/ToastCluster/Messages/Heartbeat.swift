import ToastCore

/// A node's sign of life, for all nodes.
struct Heartbeat: Equatable, Sendable {
    let node: NodeID

    /// The version of the program.
    ///
    /// Nothing reads it; it is written because earlier versions refuse a heartbeat without it.
    let version: String

    /// When the heartbeat was sent, by the clock that the nodes share.
    let instant: Instant

    /// What the node says about ownership.
    let claim: OwnershipClaim

    /// The bytes of the message: about 200, and 40 for each other node.
    func encoded() -> [UInt8] {
        MessageParts.bytes(.heartbeat) { writer in
            writer.member("node", self.node.rawValue)
            writer.member("version", self.version)
            writer.member("instant", self.instant.nanoseconds)
            self.claim.writeMembers(to: &writer)
        }
    }
}

extension Heartbeat {
    init(_ parts: MessageParts) throws(MessageError) {
        self.node = try parts.head.read("node", NodeID.init(rawValue:))
        self.version = try parts.head.optional("version") { $0 } ?? ""
        self.instant = try parts.head.instant("instant")
        self.claim = try OwnershipClaim(parts.head)
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
