/// The queue of one channel: what is on screen, for how long, and what comes next.
///
/// It is a value without a clock, I/O or randomness: the same commands at the same instants give the same events on
/// every machine. ``apply(_:at:)`` and ``enqueue(_:at:)`` decide, ``fold(_:)`` changes the state, and nothing else
/// does: so folding a channel's events rebuilds it, except for the audience, which is empty then, and for the server's
/// defaults, which ``applyDefaults(_:)`` sets.
public struct Engine: Sendable {
    /// A toast, and its place in the channel.
    struct Entry: Sendable {
        var toast: Toast

        /// Its order among the others: the offset of the event that enqueued it or made it the newest again.
        var sequence: Offset

        /// When it was enqueued, or last made the newest again; ``ToastDetails/expiresAfter`` counts from here.
        var since: Instant

        /// Its lane, as long as it lives.
        var lane: Int
    }

    // Fields that a tick reads come first, to touch few cache lines: of thousands of channels, none is in the cache
    // when its deadline comes.

    /// The offset of its last event.
    public internal(set) var offset = Offset.origin

    /// When its last event happened; later events are never dated before it.
    public internal(set) var lastInstant = Instant(nanoseconds: 0)

    /// All toasts that the channel knows, by id.
    var toasts: [ToastID: Entry] = [:]

    /// The lanes in which they are queued and shown: as many as the settings say.
    var lanes = [Lane()]

    /// When queued toasts expire.
    var expiries = Ordered<QueueKey<Deadline>>()

    /// The queued toasts with a `notBefore`, which are in the queue of no lane until then.
    var delayed = Ordered<QueueKey<Deadline>>()

    /// The dismissed ones, oldest first; past ``maximumHistory`` the oldest is forgotten.
    var history: [ToastID] = []

    /// The clients that show toasts now.
    public internal(set) var audience = Audience.none

    /// When assistive viewers that have disconnected count as gone; not durable.
    var assistiveEnd: Instant?

    /// Renders texts in the server's language; not durable, because events contain what it rendered.
    public var lexicon = Lexicon.builtIn

    /// How many toasts may be queued, whatever the settings allow; not durable.
    public var queueLimit = Int.max

    /// The watched toasts, and those of them that have ended; not durable.
    var endings = Endings()

    /// The server's defaults in the log, if others apply by now: see ``applyDefaults(_:)``.
    var loggedDefaults: JSONObject?

    /// What the channel sets for itself.
    public internal(set) var settings = Settings()

    /// The settings that apply.
    @inline(__always)
    public var effective: EffectiveSettings { self.settings.effective }

    /// The channel.
    public let channel: ChannelName

    /// The epoch of its offsets.
    public let epoch: Epoch

    /// How many dismissed toasts a channel remembers.
    public static let maximumHistory = 100

    /// How many toasts can be on screen at once in one lane.
    public static let maximumVisible = 256

    /// The longest lease of a hold.
    public static let maximumLease = Interval(seconds: 30)

    /// How long one holder can hold one toast, all its holds together.
    ///
    /// An unattended viewer must not stop a queue for everybody.
    public static let maximumHoldTime = Interval(seconds: 300)

    /// How many holders a toast can have; one more ends the hold that would expire first.
    public static let maximumHolders = 64

    /// The longest name of a holder, in bytes.
    public static let maximumHolderLength = 64

    /// A channel without events; its first one follows `offset`.
    public init(channel: ChannelName, epoch: Epoch, after offset: Offset = .origin) {
        self.channel = channel
        self.epoch = epoch
        self.offset = offset
    }
}

extension Engine {
    /// The toasts on screen, the newest last.
    public var presented: [Toast] { self.slots.compactMap { self.toast($0.id) } }

    /// The queued toasts, in the order in which they will be presented; those that wait for their `notBefore` are last.
    public var queued: [Toast] {
        self.queueOrder.compactMap { self.toast($0.id) } + self.delayed.elements.compactMap { self.toast($0.id) }
    }

    /// The dismissed toasts, the most recent first; at most ``maximumHistory``.
    public var dismissed: [Toast] { self.history.reversed().compactMap { self.toast($0) } }

    /// Whether the channel has ever had an event; a channel without events is not stored.
    public var hasEvents: Bool { self.lastInstant > Instant(nanoseconds: 0) }

    /// All known toasts in the order in which they were last published, and when.
    ///
    /// A toast that was made the newest again counts as published again. Toasts that wait for their `notBefore` are
    /// left out.
    public var published: [(toast: Toast, at: Instant)] {
        self.toasts.values.filter { $0.toast.content.box.notBefore == nil }.sorted { $0.sequence < $1.sequence }
            .map { ($0.toast, $0.since) }
    }

    /// How many toasts are on screen.
    public var presentedCount: Int { self.lanes.reduce(0) { $0 + $1.presented.count } }

    /// How many toasts are queued.
    @inline(__always)
    public var queueLength: Int { self.lanes.reduce(self.delayed.count) { $0 + $1.queue.count } }

    /// Whether the channel has neither living toasts nor settings of its own.
    public var isVacant: Bool { self.presentedCount == 0 && self.queueLength == 0 && self.settings.members.isEmpty }

    /// A toast that is queued, on screen, or was dismissed recently.
    public func toast(_ id: ToastID) -> Toast? {
        self.toasts[id]?.toast
    }

    /// The time that a toast on screen has left at an instant; `nil` when it is indefinite or not on screen.
    public func remaining(of id: ToastID, at instant: Instant) -> Interval? {
        self.slot(id)?.countdown.remaining(at: instant.wholeMilliseconds)
    }

    /// How much longer a holder may hold a toast; zero when it is not on screen.
    public func holdTimeLeft(of holder: String, on id: ToastID, at instant: Instant) -> Interval {
        self.slot(id)?.holdTimeLeft(of: holder, at: instant.wholeMilliseconds) ?? .zero
    }

    /// The place of a toast on screen.
    func slot(_ id: ToastID) -> Slot? {
        guard let entry = self.toasts[id], entry.toast.state == .presented else { return nil }
        let lane = self.lanes[entry.lane]
        return lane.position(of: id).map { lane.presented[$0] }
    }

    /// Whether a toast is on screen and held, so that its time does not run.
    func isHeld(_ id: ToastID) -> Bool { self.slot(id).map { !$0.holds.isEmpty } ?? false }

    /// The places on screen, the newest last.
    var slots: [Slot] {
        guard self.lanes.count > 1 else { return self.lanes[0].presented }
        return self.lanes.flatMap(\.presented).sorted { $0.place < $1.place }
    }

    /// The places of the toasts in queues, in the order in which they will be presented.
    var queueOrder: [QueueKey<Int>] {
        guard self.lanes.count > 1 else { return Array(self.lanes[0].queue.elements) }
        return self.lanes.flatMap(\.queue.elements).sorted()
    }

    /// The lane of a toast that is not on screen yet.
    func lane(of content: ToastContent) -> Int {
        self.effective.lanes.index(of: content.placement)
    }
}
