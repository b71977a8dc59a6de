import ToastCore
import ToastHub

extension ListenerCounts {
    /// Writes the counts as members of an object; those that are zero are left out.
    func writeMembers(to writer: inout JSONWriter) {
        for (transport, count) in zip(Transport.allCases, self.transports) where count > 0 {
            writer.member(named: transport.rawValue, count)
        }
        if self.unseen > 0 { writer.member("unseen", self.unseen) }
        writer.flag("isAssistive", self.isAssistive)
        if self.scale != 1 { writer.member("scale", self.scale) }
        writer.member("sequence", self.sequence)
    }

    init(_ reader: MessageReader) throws(MessageError) {
        self.init()
        for transport in Transport.allCases where reader.object[transport.rawValue] != nil {
            self.transports[transport.ordinal] = try reader.listeners(transport.rawValue)
        }
        if reader.object["unseen"] != nil { self.unseen = try reader.listeners("unseen") }
        self.isAssistive = try reader.flag("isAssistive")
        if let value = reader.object["scale"] {
            guard let scale = value.number, Audience.scales.contains(scale) else { throw .member("scale") }
            self.scale = scale
        }
        self.sequence = try reader.integer("sequence")
    }
}

extension MessageReader {
    /// A number of listeners, at most 2^32, so that no sum of them overflows.
    fileprivate func listeners(_ name: String) throws(MessageError) -> Int {
        let count = try self.count(name)
        guard count <= 1 << 32 else { throw .member(name) }
        return count
    }
}
