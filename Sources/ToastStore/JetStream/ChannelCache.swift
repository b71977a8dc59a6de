import Synchronization
import ToastCore

/// What the store remembers of channels between appends, so that most need no read.
///
/// Only ever a hint: an append that it misleads fails its compare-and-set. Bounded by ``limit`` and ``recordLimit``;
/// past either, everything is forgotten and read again when it is needed.
final class ChannelCache: Sendable {
    struct Entry: Sendable {
        var place: ChannelPlace
        /// Some messages of the log, oldest first, each with its last event.
        var marks: [Mark] = []
        /// The event up to which messages were removed, as far as this process knows.
        var purged = Offset.origin
        /// `nil` when they were not read.
        var records: RecordIndex?
        /// `nil` when they were not read.
        var webhooks: [Webhook]?

        fileprivate var recordCount: Int { self.records?.entries.count ?? 0 }
    }

    struct Mark: Hashable, Sendable {
        let last: Offset
        let sequence: UInt64
    }

    private struct State {
        var entries: [ChannelName: Entry] = [:]
        /// How many records the entries know.
        var records = 0

        /// Adds an entry; forgets all others when there are too many.
        mutating func insert(_ entry: Entry, of channel: ChannelName) {
            let isFull = self.entries.count >= ChannelCache.limit || self.records > ChannelCache.recordLimit
            if isFull { self = State() }
            self.entries[channel] = entry
            self.records += entry.recordCount
        }
    }

    /// The most channels: about 10 MiB.
    private static let limit = 16_384

    /// The most idempotency records of all channels: about 30 MiB.
    private static let recordLimit = 131_072

    /// The least distance of two marks, in events.
    private static let markDistance: Int64 = 32

    /// The most marks of a channel.
    private static let markLimit = 64

    private let state = Mutex(State())
    private let changes = Atomic(0)

    /// How often this process has stored webhooks of any channel; to be taken before webhooks are read.
    var webhookChanges: Int { self.changes.load(ordering: .relaxed) }

    subscript(channel: ChannelName) -> Entry? { self.state.withLock { $0.entries[channel] } }

    /// Notes where a channel's log ends.
    func set(_ place: ChannelPlace, of channel: ChannelName) {
        self.change(channel) { entry in
            let isOther = entry.place.life != place.life || (place.last < entry.place.last && !entry.place.isFresh)
            if isOther { entry = Entry(place: place) }
            entry.place = place
            guard !place.isFresh,
                place.last.rawValue - (entry.marks.last?.last.rawValue ?? .min / 2) >= Self.markDistance
            else { return }
            entry.marks.append(Mark(last: place.last, sequence: place.sequence))
            if entry.marks.count > Self.markLimit { entry.marks.removeFirst() }
        } or: {
            Entry(place: place)
        }
    }

    /// Notes all that was read of a channel, except what this process has stored meanwhile.
    ///
    /// `changes` are the ``webhookChanges`` before the reading began.
    func set(
        _ place: ChannelPlace,
        _ records: RecordIndex,
        _ webhooks: [Webhook],
        of channel: ChannelName,
        readAt changes: Int
    ) {
        if let entry = self[channel], entry.place.life == place.life, entry.place.sequence > place.sequence { return }
        self.set(place, of: channel)
        self.update(channel) { $0.records = records }
        self.set(webhooks, of: channel, readAt: changes)
    }

    /// Notes webhooks that were read, unless this process has stored some since; then they are read again when needed.
    func set(_ webhooks: [Webhook], of channel: ChannelName, readAt changes: Int) {
        self.update(channel) { $0.webhooks = self.webhookChanges == changes ? webhooks : nil }
    }

    /// Notes webhooks that this process has stored.
    func note(stored webhooks: [Webhook], of channel: ChannelName) {
        // Counted first: a reading that ends in between would otherwise put former webhooks in their place.
        self.changes.add(1, ordering: .relaxed)
        self.update(channel) { $0.webhooks = webhooks }
    }

    /// Changes what is known of a channel; does nothing when it is not known.
    func update(_ channel: ChannelName, _ body: (inout Entry) -> Void) { self.change(channel, body) { nil } }

    func forget(_ channel: ChannelName) {
        self.state.withLock { state in
            state.records -= state.entries.removeValue(forKey: channel)?.recordCount ?? 0
        }
    }

    /// The channels that may still have messages of events past a count.
    func surplus(over limit: Int) -> [ChannelName] {
        self.state.withLock { state in
            state.entries.filter { $0.value.place.surplus(over: limit) > $0.value.purged }.map(\.key)
        }
    }

    private func change(_ channel: ChannelName, _ body: (inout Entry) -> Void, or make: () -> Entry?) {
        self.state.withLock { state in
            guard let place = state.entries.index(forKey: channel) else {
                guard var entry = make() else { return }
                body(&entry)
                return state.insert(entry, of: channel)
            }
            state.records -= state.entries.values[place].recordCount
            body(&state.entries.values[place])
            state.records += state.entries.values[place].recordCount
            if state.records > Self.recordLimit { state.insert(state.entries.remove(at: place).value, of: channel) }
        }
    }
}
