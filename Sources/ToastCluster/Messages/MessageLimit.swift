/// The longest message that the bus carries: NATS' `max_payload`, which an operator can raise.
///
/// What each kind of message needs when the limits of docs/limits.md have their highest values:
///
/// - a request: less than 1 MiB for a body of 256 KiB (``RequestMessage/encoded()``); where `max_payload` was lowered,
///   a longer one fails before anything was done;
/// - events: any number; they are sent in several messages, or read from the log if one is too long alone;
/// - the renewal of an audience: any number of channels; sent in several messages;
/// - a reply: up to 10,000 toasts in a listing or a snapshot; fetched in pieces (``PieceStore``), up to 64 MiB;
/// - a reply with names of channels: less than 72 KB;
/// - the rest: less than 16 KiB.
package struct MessageLimit: Hashable, Sendable {
    /// The longest reply in pieces, in bytes: the highest value of `--max-backlog-bytes`.
    static let longestReply = 67_108_864

    /// The most bytes of a message.
    package let bytes: Int

    /// A limit, of 4 KiB at least, so that heads of pieces leave room for their bytes.
    package init(bytes: Int) {
        self.bytes = max(4096, bytes)
    }

    /// A message about some items, or as many shorter ones as the limit demands, in their order.
    ///
    /// - Throws: `tooLong` when the message about a single item exceeds the limit.
    func split<Item>(_ items: [Item], _ encode: ([Item]) -> [UInt8]) throws(MessageError) -> [[UInt8]] {
        let bytes = encode(items)
        guard bytes.count > self.bytes else { return [bytes] }
        guard items.count > 1 else { throw .tooLong(bytes.count) }
        let half = items.count / 2
        var messages = try self.split(Array(items.prefix(half)), encode)
        messages += try self.split(Array(items.dropFirst(half)), encode)
        return messages
    }
}
