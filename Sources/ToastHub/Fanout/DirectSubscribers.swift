import MicroHTTP
import ToastCore

/// The data that a delivery reads while a stream is served directly.
///
/// Subscribers are adjacent: a thousand deliveries read contiguous memory, instead of four separate objects for each
/// stream.
struct DirectSubscriber {
    /// The stream's socket; −1 while the stream is not served directly.
    var descriptor: CInt = -1
    var variant = FrameVariant(isWebSocket: false, filter: .all)
    /// The last event that the stream has; authoritative while it is served directly.
    var position = Offset.origin
    /// Frames and bytes sent since the stream was added.
    var frames = 0
    var bytes = 0
}

/// The streams that are served directly, by one `send` of a shared frame: each is live on its only channel, and no
/// frames wait for its socket.
struct DirectSubscribers {
    /// Up to this number of variants, a linear search is faster than a dictionary.
    private static let recentVariants = 4

    /// Indexed by the slots of the streams.
    private var rows: [DirectSubscriber] = []

    mutating func add(_ subscriber: DirectSubscriber, at slot: Int) {
        if self.rows.count <= slot {
            self.rows += Array(repeating: DirectSubscriber(), count: slot + 1 - self.rows.count)
        }
        self.rows[slot] = subscriber
    }

    /// Removes the stream at a slot; nil when it is not served directly.
    mutating func remove(at slot: Int) -> DirectSubscriber? {
        guard slot < self.rows.count, self.rows[slot].descriptor >= 0 else { return nil }
        defer { self.rows[slot].descriptor = -1 }
        return self.rows[slot]
    }

    mutating func renewVariants(_ variant: (_ slot: Int) -> FrameVariant?) {
        for slot in self.rows.indices where self.rows[slot].descriptor >= 0 {
            if let variant = variant(slot) { self.rows[slot].variant = variant }
        }
    }

    /// The result of a delivery to many streams.
    struct Delivery {
        var sent = 0
        var bytes = 0
        /// The slots of streams that are not served directly, or that do not have the event before these.
        var others: [Int] = []
        /// Streams whose socket did not take the whole frame.
        var incomplete: [(slot: Int, frame: Frame, outcome: SendOutcome)] = []
    }

    /// Sends events to the streams at the slots that are served directly.
    mutating func send(_ events: [BroadcastEvent], _ frames: SharedFrames, to slots: [Int]) -> Delivery {
        var delivery = Delivery()
        guard let first = events.first, let last = events.last else { return delivery }
        let before = first.offset.previous
        // The frame of the previous stream: most consecutive streams want the same variant.
        var (variant, frame, length): (FrameVariant?, Frame, Int) = (nil, Frame([]), 0)
        // Earlier frames: streams of two languages may alternate.
        var recent: [(variant: FrameVariant, frame: Frame)] = []
        var (sent, bytes) = (0, 0)
        var rows = self.rows.mutableSpan
        for slot in slots {
            guard slot < rows.count, rows[slot].descriptor >= 0, rows[slot].position == before else {
                delivery.others.append(slot)
                continue
            }
            if rows[slot].variant != variant {
                let wanted = rows[slot].variant
                if let variant, recent.count < Self.recentVariants, !recent.contains(where: { $0.variant == variant }) {
                    recent.append((variant, frame))
                }
                frame = recent.first { $0.variant == wanted }?.frame ?? frames.joined(wanted)
                length = frame.count
                variant = wanted
            }
            rows[slot].position = last.offset
            guard length > 0 else { continue }
            rows[slot].frames += 1
            rows[slot].bytes += length
            sent += 1
            bytes += length
            let outcome = StreamWriter.send(frame, over: rows[slot].descriptor)
            if outcome != .sent(length) { delivery.incomplete.append((slot, frame, outcome)) }
        }
        (delivery.sent, delivery.bytes) = (sent, bytes)
        return delivery
    }
}
