/// Several messages in one, for a node that gets them at the same moment.
enum MessageBundle {
    static func encode(_ messages: [[UInt8]]) -> [UInt8] { MessageParts.bytes(.bundle, runs: messages) { _ in } }

    /// The messages as bytes, in bundles that are not longer than a limit; a message that is alone has no bundle.
    static func encode(_ messages: [[UInt8]], within limit: MessageLimit) -> [[UInt8]] {
        // Version, kind and head of the bundle, and the length of each message.
        let (headLength, lengthLength) = (16, 4)
        var bundles: [[UInt8]] = []
        var (next, length): ([[UInt8]], Int) = ([], headLength)
        func flush() {
            if !next.isEmpty { bundles += next.count == 1 ? next : [Self.encode(next)] }
            (next, length) = ([], headLength)
        }
        for message in messages {
            if length + lengthLength + message.count > limit.bytes { flush() }
            next.append(message)
            length += lengthLength + message.count
        }
        flush()
        return bundles
    }
}
