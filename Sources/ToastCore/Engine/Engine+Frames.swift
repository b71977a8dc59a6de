extension Engine {
    /// Writes the `snapshot` envelope: what a stream that starts afresh shows.
    ///
    /// - Parameters:
    ///   - writer: Where to.
    ///   - now: The age of later events is counted from here.
    ///   - isReset: Whether the stream asked for events that are gone.
    ///   - language: The language of its reader; `nil` for the one of events.
    public func writeSnapshotFrame(
        to writer: inout JSONWriter,
        at now: Instant,
        isReset: Bool,
        in language: LanguageTag? = nil
    ) {
        writer.envelope(.snapshot, channel: self.channel, epoch: self.epoch, offset: self.offset, at: now) { writer in
            writer.member("effective", self.effective)
            writer.name("presented")
            writer.array { writer in
                for slot in self.slots {
                    guard var toast = self.toast(slot.id) else { continue }
                    if let language { toast = self.lexicon.translated(toast, to: language) }
                    writer.object { writer in
                        writer.member("toast", toast)
                        writer.member("remaining", slot.countdown.remaining(at: now.wholeMilliseconds))
                        if !slot.holds.isEmpty { writer.member("held", true) }
                        writer.member("announcement", self.announcement(of: toast, in: language))
                    }
                }
            }
            writer.member("queuedCount", self.queueLength)
            writer.member("reset", isReset)
        }
    }

    /// Writes the `resumed` envelope: the events behind the offset follow it.
    ///
    /// - Parameters:
    ///   - writer: Where to.
    ///   - channel: The channel of the stream.
    ///   - epoch: The epoch of the offset.
    ///   - offset: The place from which the stream continues.
    ///   - now: The age of replayed events is counted from here.
    public static func writeResumedFrame(
        to writer: inout JSONWriter,
        channel: ChannelName,
        epoch: Epoch,
        offset: Offset,
        at now: Instant
    ) {
        writer.envelope(.resumed, channel: channel, epoch: epoch, offset: offset, at: now) { _ in }
    }
}
