/// The queue of one channel: what is on screen, for how long, and what comes next.
///
/// It is a value without a clock, I/O or chance: the same commands at the same instants give the same events on every
/// machine. ``apply(_:at:)`` decides, ``fold(_:)`` evolves: state changes nowhere but in `fold`, so folding a
/// channel's events rebuilds it. Only the audience is left out, which is nobody until someone comes again.
public struct Engine: Sendable {
    /// A toast, and where it was enqueued.
    struct Entry: Sendable {
        var toast: Toast
        let sequence: Offset
    }

    /// The channel.
    public let channel: ChannelName

    /// The epoch of its offsets.
    public let epoch: Epoch

    /// The place of its last event.
    public internal(set) var offset = Offset.origin

    /// When its last event happened; the clock never runs back behind it.
    var lastInstant = Instant(nanoseconds: 0)

    /// What the channel sets for itself.
    public private(set) var settings = Settings()

    /// What holds for the channel.
    ///
    /// Kept beside ``settings``, because everything asks it.
    public private(set) var effective = Settings().effective

    /// All toasts that the channel knows, by name.
    var toasts: [ToastID: Entry] = [:]

    /// Where they are shown.
    var lane = Lane()

    /// The dismissed ones, oldest first; past ``maximumHistory`` the oldest is forgotten.
    var history: [ToastID] = []

    /// Who watches now.
    public internal(set) var audience = Audience.none

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
    public init(channel: ChannelName, epoch: Epoch) {
        self.channel = channel
        self.epoch = epoch
    }
}

extension Engine {
    /// The toasts on screen, oldest first.
    public var presented: [Toast] { self.lane.presented.compactMap { self.toast($0.id) } }

    /// The toasts that wait, in the order in which they will come.
    public var queued: [Toast] { self.lane.queue.elements.compactMap { self.toast($0.id) } }

    /// The toasts that went, the most recent first; at most ``maximumHistory``.
    public var dismissed: [Toast] { self.history.reversed().compactMap { self.toast($0) } }

    /// How many toasts wait.
    public var queueLength: Int { self.lane.queue.count }

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
        self.lane.position(of: id).map { self.lane.presented[$0] }
    }
}
