/// The queue of one channel: what is on screen, for how long, and what comes next.
///
/// It is a value without a clock, I/O or chance: the same commands at the same instants give the same events on every
/// machine. ``apply(_:at:)`` decides, ``fold(_:)`` evolves: state changes nowhere but in `fold`, so folding a
/// channel's events rebuilds it. Only the audience is left out, which is nobody until someone comes again.
public struct Engine: Sendable {
    /// A toast, and where it stands.
    struct Entry: Sendable {
        var toast: Toast

        /// Where it stands among the others: the offset of the event that enqueued it or made it the newest again.
        var sequence: Offset

        /// Since when it waits, or waited last.
        var since: Instant

        /// Its lane, as long as it lives.
        var lane: Int
    }

    // What each deadline asks for stands in front, because memory comes in lines of 64 bytes, and of thousands of channels
    // none is in a cache when its time has come.

    /// The place of its last event.
    public internal(set) var offset = Offset.origin

    /// When its last event happened; the clock never runs back behind it.
    public internal(set) var lastInstant = Instant(nanoseconds: 0)

    /// All toasts that the channel knows, by name.
    var toasts: [ToastID: Entry] = [:]

    /// Where they wait and are shown: as many lanes as the settings say.
    var lanes = [Lane()]

    /// What time brings about for the toasts that will not wait forever.
    var expiries = Ordered<QueueKey<Deadline>>()

    /// The dismissed ones, oldest first; past ``maximumHistory`` the oldest is forgotten.
    var history: [ToastID] = []

    /// Who watches now.
    public internal(set) var audience = Audience.none

    /// When whoever left who uses assistive technology is taken to have left; no part of the durable state either.
    var attendanceEnd: Instant?

    /// What puts texts into the server's language.
    ///
    /// It is no part of the durable state either: events carry what it made.
    public var lexicon = Lexicon.builtIn

    /// How many toasts may wait, whatever the settings say; no part of the durable state.
    public var queueLimit = Int.max

    /// Toasts whose ends somebody wants to know, and those of them that have ended since they were last asked for; no part of the
    /// durable state.
    var endings = Endings()

    /// The server's defaults that the last event told of, where others hold by now: see ``assume(_:)``.
    var toldDefaults: JSONObject?

    /// What holds for the channel.
    ///
    /// Kept beside ``settings``, because everything asks it.
    public private(set) var effective = Settings().effective

    /// What the channel sets for itself.
    public private(set) var settings = Settings()

    /// The channel.
    public let channel: ChannelName

    /// The epoch of its offsets.
    public let epoch: Epoch

    /// How many dismissed toasts a channel remembers.
    public static let maximumHistory = 100

    /// How many toasts can be on screen at once in one lane.
    public static let maximumVisible = 256

    /// The longest time for which a toast can be held without asking again.
    public static let maximumLease = Interval(seconds: 30)

    /// How many can hold a toast; past it the one whose hold would end first lets go.
    public static let maximumHolders = 64

    /// The longest name of a holder, in bytes.
    public static let maximumHolderLength = 64

    /// A channel in which nothing happened yet.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - epoch: The epoch of its offsets.
    ///   - offset: The place behind which its events begin.
    public init(channel: ChannelName, epoch: Epoch, behind offset: Offset = .origin) {
        self.channel = channel
        self.epoch = epoch
        self.offset = offset
    }
}

extension Engine {
    /// The toasts on screen, the newest last.
    public var presented: [Toast] { self.slots.compactMap { self.toast($0.id) } }

    /// The toasts that wait, in the order in which they will come.
    public var queued: [Toast] { self.tickets.compactMap { self.toast($0.id) } }

    /// The toasts that went, the most recent first; at most ``maximumHistory``.
    public var dismissed: [Toast] { self.history.reversed().compactMap { self.toast($0) } }

    /// How many toasts are on screen.
    public var presentedCount: Int { self.lanes.reduce(0) { $0 + $1.presented.count } }

    /// How many toasts wait.
    @inline(__always)
    public var queueLength: Int { self.lanes.reduce(0) { $0 + $1.queue.count } }

    /// Whether all that is left of the channel is what went.
    public var isVacant: Bool { self.presentedCount == 0 && self.queueLength == 0 && self.settings.members.isEmpty }

    /// A toast that waits, is on screen, or went not long ago.
    public func toast(_ id: ToastID) -> Toast? {
        self.toasts[id]?.toast
    }

    /// The time that a toast on screen has left at an instant; `nil` when it is indefinite or not on screen.
    public func remaining(of id: ToastID, at instant: Instant) -> Interval? {
        self.slot(id)?.countdown.remaining(at: instant.wholeMilliseconds)
    }

    /// Whether anyone holds a toast.
    public func isHeld(_ id: ToastID) -> Bool {
        self.slot(id)?.holds.isEmpty == false
    }

    /// Makes these the channel's own settings.
    mutating func adopt(_ settings: Settings) {
        self.settings = settings
        self.effective = settings.effective
    }

    /// The place of a toast on screen.
    func slot(_ id: ToastID) -> Slot? {
        guard let entry = self.toasts[id], entry.toast.state == .presented else { return nil }
        let lane = self.lanes[entry.lane]
        return lane.position(of: id).map { lane.presented[$0] }
    }

    /// The places on screen, the newest last.
    var slots: [Slot] {
        guard self.lanes.count > 1 else { return self.lanes[0].presented }
        return self.lanes.flatMap(\.presented).sorted { $0.place < $1.place }
    }

    /// The places in the queue, in the order in which they will come.
    var tickets: [QueueKey<Int>] {
        guard self.lanes.count > 1 else { return Array(self.lanes[0].queue.elements) }
        return self.lanes.flatMap(\.queue.elements).sorted()
    }

    /// The lane of a toast that is not on screen yet.
    func lane(of content: ToastContent) -> Int {
        self.effective.lanes.index(of: content.placement)
    }
}
