import MicroHTTP
import ToastAccess
import ToastCore

/// Some events of a channel's log that follow each other, and their frames, each made when the first stream needs it and
/// shared by all others.
///
/// Events of the past never change, so a page stays right whatever is stored behind it; but what a toast has left is told as it
/// was when the page was made, so a page is used for a moment only.
final class ReplayPage {
    /// The most bytes that the envelopes of a page have, unless it is a single event.
    static let bytes = 256 * 1024

    /// The most events of a page.
    static let events = 1000

    /// What a frame has beside an envelope: about as much as its fields take.
    private static let frameOverhead = 96

    /// For how long what a toast has left is right enough.
    private static let freshness = Interval(seconds: 0.25)

    let channel: ChannelName
    /// When the page was made.
    private let instant: Instant
    /// The language that the events are in; nil for the server's own.
    let language: LanguageTag?
    /// The event before the first one here.
    let start: Offset
    /// The last event.
    let end: Offset
    /// The events, oldest first; at least one.
    let events: [BroadcastEvent]
    /// What the events take of the budget.
    private let charge: MemoryCharge
    private var frames: [FrameVariant: Frame] = [:]
    private var head: (at: Instant, frame: Frame)?

    /// A page; nil when there are no events, or one of them cannot be read.
    init?(
        of channel: ChannelName,
        after start: Offset,
        in language: LanguageTag?,
        _ stored: [StoredEvent],
        _ charge: MemoryCharge,
        at now: Instant
    ) {
        let events = stored.compactMap { BroadcastEvent($0, toldAt: now) }
        guard let last = events.last, events.count == stored.count else { return nil }
        charge.shrink(to: events.reduce(0) { $0 + $1.envelope.count })
        self.channel = channel
        self.language = language
        self.instant = now
        self.start = start
        self.end = last.offset
        self.events = events
        self.charge = charge
    }

    /// Whether the page has the event behind an offset for readers of a language, and tells it as it is told at an instant.
    func continues(_ name: ChannelName, behind offset: Offset, in language: LanguageTag?, at now: Instant) -> Bool {
        self.channel == name && self.start <= offset && offset < self.end && self.language == language
            && now - self.instant <= Self.freshness
    }

    /// Events in another language, as many of them as make a page then: in other words they may be longer.
    ///
    /// Off the loop, because every one that has words is read and written again.
    @concurrent
    static func translated(
        _ events: [StoredEvent],
        to language: LanguageTag,
        by lexicon: Lexicon
    ) async -> [StoredEvent] {
        var (translated, size): ([StoredEvent], Int) = ([], 0)
        for event in events {
            let envelope = lexicon.translated(envelope: event.envelope, to: language) ?? event.envelope
            size += envelope.count
            guard translated.isEmpty || size <= Self.bytes else { break }
            translated.append(StoredEvent(offset: event.offset, at: event.at, envelope: envelope))
        }
        return translated
    }

    /// All events that a cut has, in one frame; it is empty when there are none.
    ///
    /// It counts for the first one who gets it, however many share it.
    ///
    /// - Returns: Nil when the budget has no room for it now.
    func frame(_ cut: FrameVariant, for visitor: Caller, of hub: Hub) -> Frame? {
        if let frame = self.frames[cut] { return frame }
        let wanted = self.events.filter { cut.filter.wants($0.type) }
        let size = wanted.reduce(0) { $0 + $1.envelope.count + Self.frameOverhead }
        let charge = size > MemoryBudget.freeBytes ? hub.chargeOutput(size, to: visitor) : nil
        guard charge != nil || size <= MemoryBudget.freeBytes else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        for event in wanted {
            bytes += (cut.isWebSocket ? event.webSocketFrame : event.eventStreamFrame(hub.epoch)).bytes
        }
        let frame = Frame(bytes, charge: charge)
        self.frames[cut] = frame
        return frame
    }

    /// The word that a cursor was honoured which points at the beginning of this page, as an event stream of one channel gets
    /// it.
    ///
    /// Clients that resume from the same offset in the same millisecond share the frame.
    func resumedFrame(at now: Instant, _ make: () -> Frame) -> Frame {
        if let head = self.head, head.at == now { return head.frame }
        let frame = make()
        self.head = (now, frame)
        return frame
    }
}
