public import Measures
public import ToastCore

/// What the channels of one loop have done, written by that loop alone.
public final class ChannelMeter: Sendable {
    /// Why toasts were not accepted.
    public enum Refusal: Int, CaseIterable, Sendable {
        /// The queue was full.
        case queueFull
        /// A toast was on screen, or waited for it, in a channel that takes no second one.
        case alreadyPresented

        /// The reason as a label.
        public var label: String {
            switch self {
            case .queueFull: "queue-full"
            case .alreadyPresented: "toast-already-presented"
            }
        }
    }

    /// Channels that are in memory.
    public let loaded = Counter()

    /// Toasts that wait in the queues of these channels.
    public let queued = Counter()

    /// The longest of these queues, when somebody last asked for it.
    public let longestQueue = Counter()

    /// How long toasts waited for the screen, in nanoseconds.
    public let waits = Histogram(.wait)

    private let events = CounterArray()
    private let dismissals = CounterArray()
    private let refusals = CounterArray()

    /// Nothing happened yet.
    init() {}

    /// Stored events of a type.
    public func events(_ type: EventType) -> Int { self.events.value(type.ordinal) }

    /// Dismissed toasts by the reason of their end.
    public func dismissals(_ reason: DismissReason) -> Int { self.dismissals.value(reason.ordinal) }

    /// Requests whose toasts were not accepted.
    public func refusals(_ reason: Refusal) -> Int { self.refusals.value(reason.rawValue) }

    func count(_ events: [Event]) {
        for event in events {
            self.events.add(event.type.ordinal)
            switch event.kind {
            case .presented(let toast, _):
                self.waits.observe(Int(max(0, (event.at - toast.createdAt).nanoseconds)))
            case .dismissed(_, let reason, _, _, _):
                self.dismissals.add(reason.ordinal)
            case .enqueued, .updated, .acted, .held, .released, .configured:
                break
            }
        }
    }

    func count(_ error: EngineError) {
        switch error {
        case .queueFull: self.refusals.add(Refusal.queueFull.rawValue)
        case .toastAlreadyPresented: self.refusals.add(Refusal.alreadyPresented.rawValue)
        case .toastNotFound, .actionNotFound, .toastDismissed, .toastNotPresented, .revisionMismatch, .invalid: break
        }
    }
}

extension EventType {
    /// The place of the type's counter.
    fileprivate var ordinal: Int {
        switch self {
        case .snapshot: 0
        case .resumed: 1
        case .enqueued: 2
        case .presented: 3
        case .updated: 4
        case .dismissed: 5
        case .acted: 6
        case .held: 7
        case .released: 8
        case .configured: 9
        case .shutdown: 10
        }
    }
}

extension DismissReason {
    /// The place of the reason's counter.
    fileprivate var ordinal: Int {
        switch self {
        case .timeout: 0
        case .completed: 1
        case .api: 2
        case .cleared: 3
        case .replaced: 4
        case .expired: 5
        case .action: 6
        case .swipe: 7
        case .close: 8
        case .tap: 9
        case .escape: 10
        case .key: 11
        }
    }
}
