import MicroHTTP
import ToastCore

/// What of a turn's events a stream gets, and how: streams of the same cut get the same bytes.
///
/// One number, because each delivery compares it.
struct FrameVariant: Hashable {
    /// The filter, then whether it is for a WebSocket, then the language.
    private let bits: UInt32

    init(isWebSocket: Bool, filter: EventFilter, language: UInt16 = 0) {
        self.bits = UInt32(filter.bits) | (isWebSocket ? 1 << 15 : 0) | UInt32(language) << 16
    }

    var isWebSocket: Bool { self.bits & 1 << 15 != 0 }

    var filter: EventFilter { EventFilter(bits: UInt16(truncatingIfNeeded: self.bits) & .max >> 1) }

    /// The number of a language; 0 for the server's own.
    var language: UInt16 { UInt16(truncatingIfNeeded: self.bits >> 16) }

    /// The same with other types of events, or in another language.
    func with(filter: EventFilter? = nil, language: UInt16? = nil) -> Self {
        Self(
            isWebSocket: self.isWebSocket,
            filter: filter ?? self.filter,
            language: language ?? self.language
        )
    }
}

extension Stream {
    /// What the stream gets of what is made for all; nil when its frames are its own.
    ///
    /// A stream of several channels has cursors for all of them, and an answer is made when it is due.
    var cut: FrameVariant? {
        guard !self.isComposite else { return nil }
        switch self.kind {
        case .eventStream: return FrameVariant(isWebSocket: false, filter: self.filter, language: self.language)
        case .webSocket: return FrameVariant(isWebSocket: true, filter: self.filter, language: self.language)
        case .poll, .outcome: return nil
        }
    }
}

/// The frames of a turn's events, each made when the first stream needs it, and shared by all others that read in the same
/// language; what says the same in all languages is shared by all.
final class SharedFrames {
    private let events: [BroadcastEvent]
    private let epoch: Epoch
    private let languages: Languages
    private var joined: [FrameVariant: Frame] = [:]
    private var translations: [UInt16: Translation] = [:]
    /// The frames of these, by what they are for.
    private var foreign: [FrameVariant: [Frame]] = [:]

    init(_ events: [BroadcastEvent], _ epoch: Epoch, _ languages: Languages) {
        self.events = events
        self.epoch = epoch
        self.languages = languages
    }

    private lazy var eventStream: [Frame] = self.events.map { $0.eventStreamFrame(self.epoch) }

    private lazy var webSocket: [Frame] = self.events.map(\.webSocketFrame)

    /// The events as readers of a language get them.
    func events(in language: UInt16) -> [BroadcastEvent] {
        language > 0 ? self.translation(language).events : self.events
    }

    /// The frame of one event; nil for a stream that needs one of its own.
    func frame(_ place: Int, for stream: Stream) -> Frame? {
        stream.cut.map { self.frames($0)[place] }
    }

    /// The frames of all events that a cut has, in one; it is empty when there are none.
    func joined(_ cut: FrameVariant) -> Frame {
        if let frame = self.joined[cut] { return frame }
        let frame = self.isOwn(cut) ? self.join(cut) : self.joined(cut.with(language: 0))
        self.joined[cut] = frame
        return frame
    }

    private func join(_ cut: FrameVariant) -> Frame {
        let wanted = zip(self.events, self.frames(cut)).filter { cut.filter.wants($0.0.type) }.map(\.1)
        return wanted.count == 1 ? wanted[0] : Frame(joining: wanted)
    }

    /// Whether a cut is to be made for itself: it is in the server's language, or says something otherwise than that.
    private func isOwn(_ cut: FrameVariant) -> Bool {
        guard cut.language > 0 else { return true }
        let translation = self.translation(cut.language)
        return zip(translation.events, translation.isOther).contains { $1 && cut.filter.wants($0.type) }
    }

    private func translation(_ language: UInt16) -> Translation {
        if let known = self.translations[language] { return known }
        let translated = self.events.map { self.languages.translated($0, to: language) }
        let translation = Translation(
            events: zip(self.events, translated).map { $1 ?? $0 },
            isOther: translated.map { $0 != nil }
        )
        self.translations[language] = translation
        return translation
    }

    /// A frame for each event, whatever the filter.
    private func frames(_ cut: FrameVariant) -> [Frame] {
        let own = cut.isWebSocket ? self.webSocket : self.eventStream
        guard cut.language > 0 else { return own }
        let cut = cut.with(filter: .all)
        if let frames = self.foreign[cut] { return frames }
        let translation = self.translation(cut.language)
        let frames = own.indices.map { place in
            guard translation.isOther[place] else { return own[place] }
            let event = translation.events[place]
            return cut.isWebSocket ? event.webSocketFrame : event.eventStreamFrame(self.epoch)
        }
        self.foreign[cut] = frames
        return frames
    }
}

/// Events in another language than the server's, and which of them say something otherwise in it.
private struct Translation {
    let events: [BroadcastEvent]
    let isOther: [Bool]
}

extension BroadcastEvent {
    /// The event as event streams of its channel alone get it.
    func eventStreamFrame(_ epoch: Epoch) -> Frame {
        .event(self.type.rawValue, id: Cursor(epoch: epoch, offset: self.offset).description, data: self.envelope)
    }

    /// The event as WebSockets of its channel alone get it.
    var webSocketFrame: Frame { .webSocketText(self.envelope) }
}
