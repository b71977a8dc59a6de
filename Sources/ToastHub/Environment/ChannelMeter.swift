package import Metrics
package import ToastCore

/// Counters of the channels of one loop, written only by that loop.
package final class ChannelMeter: Sendable {
    /// Why toasts were not accepted.
    package enum Refusal: Int, CaseIterable, Sendable {
        /// The queue was full.
        case queueFull
        /// A toast was presented or queued in a channel that takes only one.
        case alreadyPresented

        package var label: String {
            switch self {
            case .queueFull: "queue-full"
            case .alreadyPresented: "toast-already-presented"
            }
        }
    }

    /// The number of channels in memory.
    package let loaded = Counter()

    /// The number of queued toasts in these channels.
    package let queued = Counter()

    /// The length of the longest queue, as of the last measurement.
    package let longestQueue = Counter()

    /// The time from creation to presentation of toasts, in nanoseconds.
    package let waits = Histogram(.wait)

    private let events = CounterArray()
    private let dismissals = CounterArray()
    private let refusals = CounterArray()

    init() {}

    /// The number of stored events of a type.
    package func events(_ type: EventType) -> Int { self.events.value(type.ordinal) }

    package func dismissals(_ reason: DismissReason) -> Int { self.dismissals.value(reason.ordinal) }

    package func refusals(_ reason: Refusal) -> Int { self.refusals.value(reason.rawValue) }

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
        case .batchTooLong, .toastNotFound, .actionNotFound, .toastDismissed, .toastNotPresented, .revisionMismatch,
            .invalid:
            break
        }
    }
}

extension EventType {
    /// The index of the type's counter, and of its bit in an ``EventFilter``, which has 15 bits: at most 14.
    var ordinal: Int {
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
    fileprivate var ordinal: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
