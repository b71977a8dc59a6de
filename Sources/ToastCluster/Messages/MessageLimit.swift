/// The longest message that the bus carries: NATS' `max_payload`, which an operator can raise.
///
/// What each kind needs, by the limits of docs/limits.md at their highest:
///
/// - a request: 256 KiB of body, as JSON of ours less than 1 MiB (``RequestMessage/encoded()``); longer only where
///   `max_payload` was lowered, and then it is `tooLong` before anything was done;
/// - events: any number; they are sent in several messages, and one that is too long alone is read from the log;
/// - the renewal of an audience: any number of channels; sent in several messages;
/// - a reply: up to 10,000 toasts in a listing or a snapshot; fetched in pieces (``PieceStore``), up to 64 MiB;
/// - the rest: less than 16 KiB.
package struct MessageLimit: Hashable, Sendable {
    /// The longest reply in pieces: the most that `--max-backlog-bytes` allows a stream to wait for.
    static let longestReply = 67_108_864

    /// The most bytes of a message.
    package let bytes: Int

    /// A limit, of 4 KiB at least, so that heads of pieces leave room for their bytes.
    package init(bytes: Int) {
        self.bytes = max(4096, bytes)
    }
}

extension MessageLimit {
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
