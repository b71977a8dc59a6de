import MicroHTTP
import ToastCore

/// Selects the events and the encoding of a stream: streams of the same variant get the same bytes.
///
/// A single number, because each delivery compares it.
struct FrameVariant: Hashable {
    /// The filter, then a bit for WebSockets, then the language.
    private let bits: UInt32

    init(isWebSocket: Bool, filter: EventFilter, language: UInt16 = 0) {
        self.bits = UInt32(filter.bits) | (isWebSocket ? 1 << 15 : 0) | UInt32(language) << 16
    }

    var isWebSocket: Bool { self.bits & 1 << 15 != 0 }

    var filter: EventFilter { EventFilter(bits: UInt16(truncatingIfNeeded: self.bits) & .max >> 1) }

    /// The number of a language in ``Languages``; 0 for the server's default.
    var language: UInt16 { UInt16(truncatingIfNeeded: self.bits >> 16) }

    /// A copy with another filter or another language.
    func with(filter: EventFilter? = nil, language: UInt16? = nil) -> Self {
        Self(isWebSocket: self.isWebSocket, filter: filter ?? self.filter, language: language ?? self.language)
    }
}

extension Stream {
    /// The variant of shared frames that the stream gets; nil when its frames are its own.
    ///
    /// A stream of several channels gets cursors of all of them, an encoding makes frames of its own, and a single
    /// answer is made when it is due.
    var variant: FrameVariant? {
        guard !self.isComposite, self.encoding == nil, !self.kind.answersOnce else { return nil }
        let isWebSocket = if case .webSocket = self.kind { true } else { false }
        return FrameVariant(isWebSocket: isWebSocket, filter: self.filter, language: self.language)
    }
}

/// The frames of a turn's events, each made for the first stream that needs it.
///
/// Streams of the same language share a frame; an event without a differing text is shared by all languages.
final class SharedFrames {
    private let channel: ChannelName
    private let events: [BroadcastEvent]
    private let epoch: Epoch
    private let languages: Languages
    private var joined: [FrameVariant: Frame] = [:]
    private var translations: [UInt16: Translation] = [:]
    /// The frames of the translations, by variant.
    private var foreign: [FrameVariant: [Frame]] = [:]

    init(of channel: ChannelName, _ events: [BroadcastEvent], _ epoch: Epoch, _ languages: Languages) {
        self.channel = channel
        self.events = events
        self.epoch = epoch
        self.languages = languages
    }

    private lazy var eventStream: [Frame] = self.events.map { $0.frame(isWebSocket: false, self.epoch) }

    private lazy var webSocket: [Frame] = self.events.map { $0.frame(isWebSocket: true, self.epoch) }

    func events(in language: UInt16) -> [BroadcastEvent] {
        language > 0 ? self.translation(language).events : self.events
    }

    /// The frame of one event; nil for a stream with frames of its own.
    func frame(_ place: Int, for stream: Stream) -> Frame? {
        stream.variant.map { self.frames($0)[place] }
    }

    /// One frame with all events that a variant includes; empty when there are none.
    func joined(_ variant: FrameVariant) -> Frame {
        if let frame = self.joined[variant] { return frame }
        let frame = self.isOwn(variant) ? self.join(variant) : self.joined(variant.with(language: 0))
        self.joined[variant] = frame
        return frame
    }

    private func join(_ variant: FrameVariant) -> Frame {
        let wanted = zip(self.events, self.frames(variant)).filter { variant.filter.wants($0.0.type) }.map(\.1)
        return wanted.count == 1 ? wanted[0] : Frame(joining: wanted)
    }

    /// Whether a variant needs a frame of its own: it is in the server's language, or has a text that differs from it.
    private func isOwn(_ variant: FrameVariant) -> Bool {
        guard variant.language > 0 else { return true }
        let translation = self.translation(variant.language)
        return zip(translation.events, translation.isOther).contains { $1 && variant.filter.wants($0.type) }
    }

    private func translation(_ language: UInt16) -> Translation {
        if let known = self.translations[language] { return known }
        let translated = self.events.map { self.languages.translated($0, of: self.channel, to: language) }
        let translation = Translation(
            events: zip(self.events, translated).map { $1 ?? $0 },
            isOther: translated.map { $0 != nil }
        )
        self.translations[language] = translation
        return translation
    }

    /// A frame for each event, regardless of the filter.
    private func frames(_ variant: FrameVariant) -> [Frame] {
        let own = variant.isWebSocket ? self.webSocket : self.eventStream
        guard variant.language > 0 else { return own }
        let variant = variant.with(filter: .all)
        if let frames = self.foreign[variant] { return frames }
        let translation = self.translation(variant.language)
        let frames = own.indices.map { place in
            guard translation.isOther[place] else { return own[place] }
            return translation.events[place].frame(isWebSocket: variant.isWebSocket, self.epoch)
        }
        self.foreign[variant] = frames
        return frames
    }
}

/// Events in another language, and which of them have a text that differs.
private struct Translation {
    let events: [BroadcastEvent]
    let isOther: [Bool]
}

extension BroadcastEvent {
    /// The frame for streams of this channel alone.
    func frame(isWebSocket: Bool, _ epoch: Epoch) -> Frame {
        if isWebSocket { return .webSocketText(self.envelope) }
        let id = Cursor(epoch: epoch, offset: self.offset).description
        return .event(self.type.rawValue, id: id, data: self.envelope)
    }
}
