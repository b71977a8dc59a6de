import MicroHTTP
import ToastCore

// Delivery of events that were just stored.

extension Fanout {
    /// Takes events of a channel, to send them at the end of the turn.
    func take(_ broadcast: Broadcast) {
        self.pending.add(broadcast)
    }

    /// Sends all events of this turn.
    func flush() {
        guard !self.pending.isEmpty else { return }
        if self.languages.isStale { self.renewLanguages() }
        while let (channel, events) = self.pending.popFirst() {
            let frames = SharedFrames(of: channel, events, self.hub.epoch, self.languages)
            for slot in self.sendDirectly(events, frames, to: self.channels[channel]) {
                guard let stream = self.streams[slot], let index = stream.index(of: channel) else { continue }
                self.removeDirectSubscriber(stream)
                self.send(events, frames, to: stream, at: index)
                self.addDirectSubscriber(stream)
            }
        }
    }

    /// Matches the languages of all streams to the current catalogs.
    func renewLanguages() {
        self.languages.renew(self.streams.all.lazy.compactMap(\.languageChoice))
        let streams = self.streams
        self.direct.renewVariants { streams[$0]?.variant }
        // The cached pages have the texts of the previous catalogs.
        self.pages = ReplayCache()
    }

    private func send(_ events: [BroadcastEvent], _ frames: SharedFrames, to stream: Stream, at index: Int) {
        guard let first = events.first, let last = events.last else { return }
        switch stream[logAt: index].receive(first.offset, through: last.offset) {
        case .known:
            break
        case .missed:
            guard case .outcome = stream.kind else { return self.catchUp(stream) }
            // A waiting publisher needs only the end of its toast. While it is opened, `openOutcome` looks that up.
            guard stream.subscriptions[index].isJoined else { return }
            self.deliver(events, to: stream, at: index)
            if !stream.isEnded { self.askForOutcome(stream, at: index) }
        case .next:
            guard let variant = stream.variant else { return self.deliver(frames, to: stream, at: index) }
            stream[logAt: index].advance(to: last.offset)
            self.write(frames.joined(variant), to: stream)
        case .partlyKnown:
            self.deliver(frames, to: stream, at: index)
        }
    }

    private func deliver(_ frames: SharedFrames, to stream: Stream, at index: Int) {
        self.deliver(frames.events(in: stream.language), frames, to: stream, at: index)
    }

    /// Sends live events to a stream: those that it wants and does not have.
    ///
    /// As one frame: waiting output is limited in frames and bytes, but a single frame may exceed the limit of bytes.
    /// So a peer that reads as fast as it can is never too slow for events that came at once.
    private func deliver(_ events: [BroadcastEvent], _ frames: SharedFrames? = nil, to stream: Stream, at index: Int) {
        var wanted: [Frame] = []
        for (place, event) in events.enumerated() where event.offset > stream[logAt: index].offset ?? .origin {
            if case .poll = stream.kind {
                guard self.collect(event, for: stream, at: index) else { return }
                continue
            }
            stream[logAt: index].advance(to: event.offset)
            guard stream.filter.wants(event.type) else { continue }
            switch stream.kind {
            case .eventStream, .webSocket:
                let shared = frames?.frame(place, for: stream)
                wanted.append(shared ?? stream.frame(event.type, event.envelope, self.hub.epoch))
            case .outcome(let id, let answer):
                // An event from the log is not decoded, and lacks the toast's final state.
                if event.type == .dismissed, event.kind == nil { return self.askForOutcome(stream, at: index) }
                guard event.dismissedToast == id else { continue }
                stream.ending = event.ending
                self.answerOutcome(of: id, stream, answer)
            case .poll:
                break
            }
        }
        guard let first = wanted.first else { return }
        self.write(wanted.count == 1 ? first : Frame(joining: wanted), to: stream)
    }
}
