import Metrics
import MicroHTTP
import ToastCore

// The fast path of a delivery: most streams get a shared frame, by one system call.

extension Fanout {
    /// Serves a stream directly if it is live on its only channel and no frames wait for its socket.
    func addDirectSubscriber(_ stream: Stream) {
        guard let writer = stream.writer, !stream.isBlocked, !stream.isEnding, !stream.isEnded,
            let variant = stream.variant,
            stream.subscriptions.count == 1, let subscription = stream.subscriptions.first, subscription.log.isLive,
            let position = subscription.log.offset
        else { return }
        self.direct.add(
            DirectSubscriber(descriptor: writer.socket.descriptor, variant: variant, position: position),
            at: stream.id.slot
        )
    }

    /// Stops serving a stream directly; ``send(_:_:to:at:)`` serves it until it is added again.
    func removeDirectSubscriber(_ stream: Stream) {
        guard let subscriber = self.direct.remove(at: stream.id.slot) else { return }
        stream.count(subscriber.frames, bytes: subscriber.bytes)
        if !stream.subscriptions.isEmpty { stream[logAt: 0].advance(to: subscriber.position) }
    }

    /// Sends events to the streams at the slots that are served directly.
    ///
    /// - Returns: The slots of the others, and of those that do not have the event before these.
    func sendDirectly(_ events: [BroadcastEvent], _ frames: SharedFrames, to slots: [Int]) -> [Int] {
        let delivery = self.direct.send(events, frames, to: slots)
        self.meter.frames.add(delivery.sent)
        self.meter.bytes.add(delivery.bytes)
        for (slot, frame, outcome) in delivery.incomplete {
            guard let stream = self.streams[slot], let writer = stream.writer else { continue }
            self.removeDirectSubscriber(stream)
            self.handle(writer.note(outcome, of: frame), stream)
        }
        return delivery.others
    }
}
