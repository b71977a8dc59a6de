/// Bytes for one or many streams: made once, shared by all, never changed.
public struct Frame: Sendable {
    /// The bytes as they go over the wire.
    public let bytes: [UInt8]

    /// What the frame takes of a budget as long as a copy of it exists; nil when it takes nothing.
    public let charge: MemoryCharge?

    /// A frame of bytes.
    public init(_ bytes: [UInt8], charge: MemoryCharge? = nil) {
        self.bytes = bytes
        self.charge = charge
    }

    /// The bytes of several frames in order.
    public init(joining frames: [Frame]) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(frames.reduce(0) { $0 + $1.count })
        for frame in frames { bytes += frame.bytes }
        self.init(bytes, charge: MemoryCharge.joining(frames.compactMap(\.charge)))
    }

    /// How many bytes it has.
    public var count: Int { self.bytes.count }

    /// A comment of `text/event-stream`, which keeps an idle connection from being cut by proxies.
    public static let eventStreamComment = Self(Array(":\n\n".utf8))

    /// A new `Last-Event-ID` without an event (WHATWG HTML §9.2.6: a block without data dispatches nothing).
    public static func eventStreamID(_ id: String) -> Self {
        Self(Array("id: \(id)\n\n".utf8))
    }

    /// The delay before a consumer of `text/event-stream` reconnects after its stream has ended.
    public static func eventStreamRetry(milliseconds: Int) -> Self {
        Self(Array("retry: \(milliseconds)\n\n".utf8))
    }

    /// An event of `text/event-stream` (WHATWG HTML §9.2).
    ///
    /// - Parameters:
    ///   - event: The event's type, without line breaks.
    ///   - id: The client's `Last-Event-ID` when it reconnects; nil keeps the last one.
    ///   - data: The payload, such as JSON, without a line break: that would end the field.
    /// - Returns: The event with the blank line that ends it.
    public static func event(_ event: String, id: String?, data: [UInt8]) -> Self {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(data.count + event.utf8.count + (id?.utf8.count ?? 0) + 32)
        if let id {
            bytes.append(contentsOf: "id: ".utf8)
            bytes.append(contentsOf: id.utf8)
            bytes.append(UInt8(ascii: "\n"))
        }
        bytes.append(contentsOf: "event: ".utf8)
        bytes.append(contentsOf: event.utf8)
        bytes.append(contentsOf: "\ndata: ".utf8)
        bytes.append(contentsOf: data)
        bytes.append(contentsOf: "\n\n".utf8)
        return Self(bytes)
    }
}

// MARK: - WebSocket

extension Frame {
    /// A whole text message in one frame (RFC 6455 §5.6).
    public static func webSocketText(_ text: [UInt8]) -> Self {
        Self(self.webSocketHead(opcode: 0x1, length: text.count) + text)
    }

    /// A ping without payload (RFC 6455 §5.5.2).
    public static let webSocketPing = Self(webSocketHead(opcode: 0x9, length: 0))

    /// The closing frame (RFC 6455 §5.5.1).
    ///
    /// - Parameters:
    ///   - code: The status code, such as 1001 for a server that stops.
    ///   - reason: A sentence of at most 123 bytes; longer ones are cut.
    /// - Returns: The frame, after which nothing more may be sent.
    public static func webSocketClose(code: UInt16, reason: String) -> Self {
        let reason = reason.utf8.prefix(123)
        return Self(
            self.webSocketHead(opcode: 0x8, length: 2 + reason.count) + [UInt8(code >> 8), UInt8(code & 0xFF)] + reason
        )
    }

    /// FIN set, no mask: servers never mask (RFC 6455 §5.1), so their frames can be shared.
    private static func webSocketHead(opcode: UInt8, length: Int) -> [UInt8] {
        let head = [0x80 | opcode]
        switch length {
        case ..<126:
            return head + [UInt8(length)]
        case ..<0x1_0000:
            return head + [126, UInt8(length >> 8), UInt8(length & 0xFF)]
        default:
            return head + [127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) }
        }
    }
}
