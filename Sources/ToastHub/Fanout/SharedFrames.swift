import MicroHTTP
import ToastCore

/// What of a turn's events a stream gets, and how: streams of the same cut get the same bytes.
struct FrameCut: Hashable {
    let isWebSocket: Bool
    let filter: EventFilter
}

extension Stream {
    /// What the stream gets of what is made for all; nil when its frames are its own.
    ///
    /// A stream of several channels has cursors for all of them, and an answer is made when it is due.
    var cut: FrameCut? {
        guard !self.isComposite else { return nil }
        switch self.kind {
        case .eventStream: return FrameCut(isWebSocket: false, filter: self.filter)
        case .webSocket: return FrameCut(isWebSocket: true, filter: self.filter)
        case .poll, .outcome: return nil
        }
    }
}

/// The frames of a turn's events, each made when the first stream needs it, and shared by all others.
final class SharedFrames {
    private let events: [BroadcastEvent]
    private let epoch: Epoch
    private var joined: [FrameCut: Frame] = [:]

    init(_ events: [BroadcastEvent], _ epoch: Epoch) {
        self.events = events
        self.epoch = epoch
    }

    private lazy var eventStream: [Frame] = self.events.map { event in
        let id = Cursor(epoch: self.epoch, offset: event.offset).description
        return .event(event.type.rawValue, id: id, data: event.envelope)
    }

    private lazy var webSocket: [Frame] = self.events.map { .webSocketText($0.envelope) }

    /// The frame of one event; nil for a stream that needs one of its own.
    func frame(_ place: Int, for stream: Stream) -> Frame? {
        stream.cut.map { self.frames($0.isWebSocket)[place] }
    }

    /// The frames of all events that a cut has, in one; it is empty when there are none.
    func joined(_ cut: FrameCut) -> Frame {
        if let frame = self.joined[cut] { return frame }
        let wanted = zip(self.events, self.frames(cut.isWebSocket)).filter { cut.filter.wants($0.0.type) }.map(\.1)
        let frame = wanted.count == 1 ? wanted[0] : Frame(joining: wanted)
        self.joined[cut] = frame
        return frame
    }

    private func frames(_ isWebSocket: Bool) -> [Frame] { isWebSocket ? self.webSocket : self.eventStream }
}
