import ToastCore

/// The header of a message of a channel's log.
///
/// It tells all that loading and appending need without the body: the last message alone says where the channel is, and
/// from which message on it is rebuilt.
struct LogHeader: Hashable, Sendable {
    static let name = "Toastd-Log"

    /// The first event of the message; `last.next` when it has none.
    var first: Offset

    /// The channel's last event after the message; of a tombstone, where a channel of that name may begin again.
    var last: Offset

    /// When the last event happened.
    var at: Instant

    /// Which commit wrote the message: the name of the writing store, a hyphen, and a number.
    var commit: String

    /// The offset after which the channel's tail begins: the snapshot's, or the one before the first event.
    var base: Offset

    /// The sequence of the message that ended with ``base``; 0 when the channel has no snapshot, or this message is it.
    var baseSequence: UInt64 = 0

    /// Whether the channel has a snapshot, which then is of ``base``.
    var hasSnapshot = false

    /// The sequence of the tombstone after which the channel began; 0 without one.
    ///
    /// Messages before it are of another life of the channel.
    var life: UInt64 = 0

    /// The engine's next deadline, see ``Append/due``; `nil` when there is none.
    var due: Instant?

    /// Whether the channel was forgotten or removed by this message.
    var isTombstone = false
}

extension LogHeader {
    /// The value of the header.
    var text: String {
        var fields = FieldWriter()
        if self.isTombstone { fields.add("kind", "tombstone") }
        fields.add("first", self.first.rawValue)
        fields.add("last", self.last.rawValue)
        fields.add("at", self.at.nanoseconds)
        fields.add("commit", self.commit)
        fields.add("base", self.base.rawValue)
        if self.baseSequence > 0 { fields.add("from", self.baseSequence) }
        if self.hasSnapshot { fields.add("snapshot", 1) }
        if self.life > 0 { fields.add("life", self.life) }
        if let due { fields.add("due", due.nanoseconds) }
        return fields.text
    }

    init?(_ text: String) {
        let fields = Fields(reading: text)
        guard let first = fields.offset("first"), let last = fields.offset("last"), let at = fields.instant("at"),
            let commit = fields.string("commit"), let base = fields.offset("base"), first <= last.next
        else { return nil }
        self.init(first: first, last: last, at: at, commit: commit, base: base)
        self.baseSequence = fields.sequence("from") ?? 0
        self.hasSnapshot = fields.string("snapshot") == "1"
        self.life = fields.sequence("life") ?? 0
        self.due = fields.instant("due")
        self.isTombstone = fields.string("kind") == "tombstone"
    }

    /// The header of a tombstone, after which a channel may begin again at an offset.
    static func tombstone(at last: Offset, commit: String) -> Self {
        Self(first: last.next, last: last, at: Instant(nanoseconds: 0), commit: commit, base: last, isTombstone: true)
    }
}
