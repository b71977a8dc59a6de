import ToastCore
import ToastHub

extension ListenerCounts {
    /// The transports in the order of their ordinals, which is that of the counts.
    private static let orderedTransports = Transport.allCases.sorted { $0.ordinal < $1.ordinal }

    /// Writes the counts as members of an object; those that are zero are left out.
    func writeMembers(to writer: inout JSONWriter) {
        for (transport, count) in zip(Self.orderedTransports, self.transports) where count > 0 {
            writer.member(named: transport.rawValue, count)
        }
        if self.unseen > 0 { writer.member("unseen", self.unseen) }
        writer.flag("isAssistive", self.isAssistive)
        if self.scale != 1 { writer.member("scale", self.scale) }
        writer.member("sequence", self.sequence)
    }

    init(_ reader: MessageReader) throws(MessageError) {
        self.init()
        for transport in Self.orderedTransports where reader.object[transport.rawValue] != nil {
            self.transports[transport.ordinal] = try reader.listeners(transport.rawValue)
        }
        if reader.object["unseen"] != nil { self.unseen = try reader.listeners("unseen") }
        self.isAssistive = try reader.flag("isAssistive")
        self.scale = try reader.scale()
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

    /// By which factor toasts stay longer, within ``Audience/scales``; 1 when the member is not there.
    fileprivate func scale() throws(MessageError) -> Double {
        guard let value = self.object["scale"] else { return 1 }
        guard let scale = value.number, Audience.scales.contains(scale) else { throw .member("scale") }
        return scale
    }
}
