import MicroHTTP
import ToastAccess
import ToastCore

/// Consecutive events of a channel's log, and their frames, each made for the first stream that needs it and shared by
/// the others.
///
/// Stored events never change, but the remaining times of toasts are those of the instant at which the page was made.
/// So a page is used only for a moment.
final class ReplayPage {
    /// The maximum number of bytes of a page's envelopes, unless it has a single event.
    static let maximumBytes = 256 * 1024

    /// The maximum number of events of a page.
    static let maximumEvents = 1000

    /// The approximate size of a frame without its envelope.
    private static let frameOverhead = 96

    /// How long the remaining times of toasts are exact enough.
    private static let freshness = Interval(seconds: 0.25)

    let channel: ChannelName
    /// The instant at which the page was made.
    private let instant: Instant
    /// The language of the events; nil for the server's default.
    let language: LanguageTag?
    /// The event before the first one here.
    let start: Offset
    /// The last event.
    let end: Offset
    /// The events, oldest first; at least one.
    let events: [BroadcastEvent]
    private let charge: MemoryCharge
    private var frames: [FrameVariant: Frame] = [:]
    private var head: (at: Instant, frame: Frame)?

    /// A page; nil when there are no events, or when one of them cannot be read.
    ///
    /// `lead` is how far the channel's clock, which dates its events, runs ahead of the hub's.
    init?(
        of channel: ChannelName,
        after start: Offset,
        in language: LanguageTag?,
        _ stored: [StoredEvent],
        _ charge: MemoryCharge,
        at now: Instant,
        lead: Interval
    ) {
        let events = stored.compactMap { BroadcastEvent($0, agedTo: now + lead) }
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

    /// Whether the page contains the event after an offset, in a language, and is fresh at an instant.
    func continues(_ name: ChannelName, after offset: Offset, in language: LanguageTag?, at now: Instant) -> Bool {
        self.channel == name && self.start <= offset && offset < self.end && self.language == language
            && now - self.instant <= Self.freshness
    }

    /// Events in another language, as many as make a page: the texts may be longer in it.
    ///
    /// Concurrent, because each event with texts is decoded and encoded again.
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
            guard translated.isEmpty || size <= Self.maximumBytes else { break }
            translated.append(StoredEvent(offset: event.offset, at: event.at, envelope: envelope))
        }
        return translated
    }

    /// The frame of all events that a variant includes; empty when there are none.
    ///
    /// The charge belongs to the first caller, however many streams share the frame.
    ///
    /// - Returns: Nil when the budget has no room for it now.
    func frame(_ variant: FrameVariant, for caller: Caller, of hub: Hub) -> Frame? {
        if let frame = self.frames[variant] { return frame }
        let wanted = self.events.filter { variant.filter.wants($0.type) }
        let size = wanted.reduce(0) { $0 + $1.envelope.count + Self.frameOverhead }
        let charge = size > MemoryBudget.freeBytes ? hub.chargeOutput(size, to: caller) : nil
        guard charge != nil || size <= MemoryBudget.freeBytes else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        for event in wanted { bytes += event.frame(isWebSocket: variant.isWebSocket, hub.epoch).bytes }
        let frame = Frame(bytes, charge: charge)
        self.frames[variant] = frame
        return frame
    }

    /// The `resumed` frame at the beginning of this page, for an event stream of one channel.
    ///
    /// Clients that resume from the same offset in the same millisecond share the frame.
    func resumedFrame(at now: Instant, _ make: () -> Frame) -> Frame {
        if let head = self.head, head.at == now { return head.frame }
        let frame = make()
        self.head = (now, frame)
        return frame
    }
}
