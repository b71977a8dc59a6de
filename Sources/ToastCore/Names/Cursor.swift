/// The last event that a client has in one or each of several channels; the same for SSE, WebSocket and long-poll.
///
/// Clients treat it as opaque. Its text is `epoch-offset` for one channel, and `epoch-name.offset~name.offset…`
/// for several; every character of it is safe in a URL, a header field and an SSE `id`.
public struct Cursor: Hashable, Sendable, CustomStringConvertible {
    /// What a cursor points at.
    public enum Position: Hashable, Sendable {
        /// A place in the one channel that the request names.
        case single(Offset)

        /// A place in each of several channels: ``Offset/greatest`` where the client's place was of another epoch, and
        /// the channel has not begun again.
        case composite([ChannelName: Offset])
    }

    /// The epoch that the offsets belong to.
    public let epoch: Epoch

    /// The place or places.
    public let position: Position

    /// The longest text that is read as a cursor, in bytes: 128 channels of 64 characters and their offsets.
    public static let maximumLength = 12 * 1024

    /// A cursor for one channel.
    public init(epoch: Epoch, offset: Offset) {
        self.epoch = epoch
        self.position = .single(offset)
    }

    /// A cursor for several channels.
    public init(epoch: Epoch, offsets: [ChannelName: Offset]) {
        self.epoch = epoch
        self.position = .composite(offsets)
    }

    /// Reads a cursor; `nil` unless the whole text is one.
    public init?(_ text: String) {
        let bytes = text.utf8
        guard let dash = bytes.firstIndex(of: UInt8(ascii: "-")), let epoch = Epoch(rawValue: String(text[..<dash]))
        else { return nil }
        let rest = text[bytes.index(after: dash)...]
        if let offset = Self.offset(rest) {
            self.init(epoch: epoch, offset: offset)
            return
        }
        guard bytes.count <= Self.maximumLength else { return nil }
        var offsets: [ChannelName: Offset] = [:]
        for part in rest.split(separator: "~", omittingEmptySubsequences: false) {
            let halves = part.split(separator: ".", omittingEmptySubsequences: false)
            guard halves.count == 2, let name = ChannelName(rawValue: String(halves[0])),
                let offset = Self.offset(halves[1]), offsets.updateValue(offset, forKey: name) == nil
            else { return nil }
        }
        self.init(epoch: epoch, offsets: offsets)
    }

    /// The text that goes over the wire.
    public var description: String {
        switch self.position {
        case .single(let offset):
            "\(self.epoch.rawValue)-\(offset.rawValue)"
        case .composite(let offsets):
            "\(self.epoch.rawValue)-"
                + offsets.sorted { $0.key < $1.key }.map { "\($0.key).\($0.value.rawValue)" }.joined(separator: "~")
        }
    }

    /// The offset that the cursor has for a channel; `nil` when it says nothing about it.
    public func offset(in channel: ChannelName) -> Offset? {
        switch self.position {
        case .single(let offset): offset
        case .composite(let offsets): offsets[channel]
        }
    }

    private static func offset(_ text: Substring) -> Offset? { Int64(digits: text).map(Offset.init(rawValue:)) }
}
