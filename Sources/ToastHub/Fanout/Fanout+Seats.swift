import Measures
import MicroHTTP
import ToastCore

/// All that the next frame for a stream takes while nothing about the stream is special.
///
/// Seats stand side by side: a thousand deliveries read one stretch of memory from its beginning to its end, instead
/// of four objects each that lie anywhere.
struct DirectSubscriber {
    /// The stream's socket; −1 while the stream has no seat.
    var descriptor: CInt = -1
    var cut = FrameVariant(isWebSocket: false, filter: .all)
    /// The last event that the stream has: what counts while it has a seat.
    var position = Offset.origin
    /// What was sent since the stream took the seat.
    var frames = 0
    var bytes = 0
}

extension Fanout {
    /// So many cuts are found faster by looking at each than in a table.
    private static let recentCuts = 4

    /// Seats a stream that is live on its one channel and has nothing waiting.
    func takeSeat(_ stream: Stream) {
        guard let writer = stream.writer, !stream.isBlocked, !stream.isEnding, !stream.isEnded, let cut = stream.cut,
            stream.subscriptions.count == 1, let place = stream.subscriptions.first, place.log.isLive,
            let position = place.log.offset
        else { return }
        let slot = stream.id.slot
        if self.seats.count <= slot {
            self.seats += Array(repeating: DirectSubscriber(), count: self.streams.count - self.seats.count)
        }
        self.seats[slot] = DirectSubscriber(descriptor: writer.socket.descriptor, cut: cut, position: position)
    }

    /// Has a stream go the long way until it takes its seat again.
    func leaveSeat(_ stream: Stream) {
        let slot = stream.id.slot
        guard slot < self.seats.count, self.seats[slot].descriptor >= 0 else { return }
        self.seats[slot].descriptor = -1
        stream.count(self.seats[slot].frames, bytes: self.seats[slot].bytes)
        if !stream.subscriptions.isEmpty { stream.subscriptions[0].log.advance(to: self.seats[slot].position) }
    }

    /// Sends what happened to those of an audience who have seats.
    ///
    /// - Returns: The slots of the others, and of those for whom the events are not the next ones.
    func sendToSeats(_ events: [BroadcastEvent], _ frames: SharedFrames, _ audience: [Int]) -> [Int] {
        guard let first = events.first, let last = events.last else { return [] }
        let before = Offset(rawValue: first.offset.rawValue - 1)
        var (others, incomplete): ([Int], [(slot: Int, outcome: SendOutcome)]) = ([], [])
        // The last one's: most who follow each other are of a kind.
        var (cut, frame, length): (FrameVariant?, Frame, Int) = (nil, Frame([]), 0)
        // Those before it, where they are of several: streams that read in two languages may take turns.
        var recent: [(cut: FrameVariant, frame: Frame)] = []
        var (sent, bytes) = (0, 0)
        // Nothing in this loop calls back, so the seats may be away from their place.
        var seats: [DirectSubscriber] = []
        swap(&seats, &self.seats)
        var places = seats.mutableSpan
        for slot in audience {
            guard slot < places.count, places[slot].descriptor >= 0, places[slot].position == before else {
                others.append(slot)
                continue
            }
            if places[slot].cut != cut {
                let wanted = places[slot].cut
                if let cut, recent.count < Self.recentCuts, !recent.contains(where: { $0.cut == cut }) {
                    recent.append((cut, frame))
                }
                frame = recent.first { $0.cut == wanted }?.frame ?? frames.joined(wanted)
                length = frame.count
                cut = wanted
            }
            places[slot].position = last.offset
            guard length > 0 else { continue }
            places[slot].frames += 1
            places[slot].bytes += length
            sent += 1
            bytes += length
            let outcome = StreamWriter.send(frame, over: places[slot].descriptor)
            if outcome != .sent(length) { incomplete.append((slot, outcome)) }
        }
        swap(&seats, &self.seats)
        self.meter.frames.add(sent)
        self.meter.bytes.add(bytes)
        for (slot, outcome) in incomplete {
            guard let stream = self.streams[slot], let writer = stream.writer else { continue }
            let frame = frames.joined(self.seats[slot].cut)
            self.leaveSeat(stream)
            self.heed(writer.note(outcome, of: frame), stream)
        }
        return others
    }
}
