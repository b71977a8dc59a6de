extension Engine {
    /// Writes the `snapshot` envelope: what a new stream begins with.
    ///
    /// `now` is its `at`, from which readers count the age of later events. `isReset` says that the stream asked for
    /// events that are no longer kept. Without a `language`, texts are in the language of events.
    public func writeSnapshotFrame(
        to writer: inout JSONWriter,
        at now: Instant,
        isReset: Bool,
        in language: LanguageTag? = nil
    ) {
        writer.envelope(.snapshot, channel: self.channel, epoch: self.epoch, offset: self.offset, at: now) { writer in
            writer.member("effective", self.effective)
            writer.array("presented") { writer in
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

    /// Writes the `resumed` envelope, which the events after the offset follow; readers count their age from `now`.
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
