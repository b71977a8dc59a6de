extension JSONWriter {
    /// Writes an envelope: the members of all envelopes, in this order, and those of its type.
    mutating func envelope(
        _ type: EventType,
        channel: ChannelName,
        epoch: Epoch,
        offset: Offset,
        at instant: Instant,
        _ members: (inout JSONWriter) -> Void
    ) {
        self.object { writer in
            writer.member("type", type)
            writer.member("channel", channel)
            writer.name("cursor")
            writer.quoted { writer in
                writer.buffer.append(epoch.rawValue)
                writer.buffer.append(UInt8(ascii: "-"))
                writer.buffer.digits(UInt64(clamping: offset.rawValue))
            }
            writer.member("at", instant)
            members(&writer)
        }
    }
}
