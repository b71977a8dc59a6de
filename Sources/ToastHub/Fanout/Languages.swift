import ToastCore

/// In which language some streams read: those that asked for it in the same words share it.
///
/// Confined to the fanout of its streams.
final class Reading {
    private let wanted: AcceptLanguage
    /// The language; nil for the server's own.
    private(set) var language: LanguageTag?
    /// The place of the language among those in use; 0 for the server's own.
    private(set) var number: UInt16 = 0

    fileprivate init(_ words: String) {
        self.wanted = AcceptLanguage(words)
    }

    /// Chooses among the languages that there are now.
    fileprivate func choose(from languages: Languages) {
        self.language = languages.lexicon.foreignMatch(for: self.wanted)
        self.number = self.language.map { languages.number(of: $0) } ?? 0
        // One more than can be counted; nobody has so many.
        if self.number == 0 { self.language = nil }
    }
}

/// The languages that the streams of one loop read in beside the server's own, each with a number by which it is found fast.
///
/// Streams read in languages that the catalogs have, so there are never more, whatever streams ask for. When the catalogs
/// change, all streams choose anew.
///
/// Confined to its fanout.
final class Languages {
    /// How many different wishes are remembered for the next one who has them.
    private static let wishLimit = 64

    /// The longest wish that is remembered: what browsers send is much shorter.
    private static let wishLength = 256

    private let catalogs: Catalogs
    private let epoch: Epoch
    private var generation: Int
    /// What the catalogs say.
    private(set) var lexicon: Lexicon
    /// Those in use; the first one has the number 1.
    private var tags: [LanguageTag] = []
    private var readings: [String: Reading] = [:]

    init(_ catalogs: Catalogs, _ epoch: Epoch) {
        self.catalogs = catalogs
        self.epoch = epoch
        self.generation = catalogs.generation
        self.lexicon = catalogs.lexicon
    }

    /// Whether the catalogs are others than these streams know.
    var isStale: Bool { self.catalogs.generation != self.generation }

    /// The language for a reader who wants some, in the words of `Accept-Language`.
    func reading(_ words: String) -> Reading {
        if let reading = self.readings[words] { return reading }
        let reading = Reading(words)
        reading.choose(from: self)
        if words.utf8.count <= Self.wishLength {
            if self.readings.count >= Self.wishLimit { self.readings = [:] }
            self.readings[words] = reading
        }
        return reading
    }

    /// Takes the catalogs as they are now, and lets all who read choose anew.
    func renew(_ others: some Sequence<Reading>) {
        self.generation = self.catalogs.generation
        self.lexicon = self.catalogs.lexicon
        self.tags = []
        // Most streams read as others do.
        var known: Set<ObjectIdentifier> = []
        for reading in self.readings.values { self.renew(reading, &known) }
        for reading in others { self.renew(reading, &known) }
    }

    private func renew(_ reading: Reading, _ known: inout Set<ObjectIdentifier>) {
        guard known.insert(ObjectIdentifier(reading)).inserted else { return }
        reading.choose(from: self)
    }

    /// The number of a language, which is in use from now on; 0 when there are too many.
    fileprivate func number(of language: LanguageTag) -> UInt16 {
        if let place = self.tags.firstIndex(of: language) { return UInt16(place + 1) }
        guard self.tags.count < UInt16.max else { return 0 }
        self.tags.append(language)
        return UInt16(self.tags.count)
    }

    /// An event in the language of a number; nil when it says the same in it.
    func translated(_ event: BroadcastEvent, to number: UInt16) -> BroadcastEvent? {
        guard number > 0, number <= self.tags.count else { return nil }
        return event.translated(to: self.tags[Int(number) - 1], by: self.lexicon, self.epoch)
    }
}

extension BroadcastEvent {
    /// The event as readers of a language get it; nil when it says the same in it.
    fileprivate func translated(to language: LanguageTag, by lexicon: Lexicon, _ epoch: Epoch) -> Self? {
        guard self.type.hasTexts else { return nil }
        guard let kind = self.kind else {
            return lexicon.translated(envelope: self.envelope, to: language).map { Self(self, $0) }
        }
        let event = Event(offset: self.offset, at: self.at, kind: kind)
        guard let translated = lexicon.translated(event, to: language),
            let channel = translated.kind.toast?.channel
        else { return nil }
        return Self(self, translated.stored(channel: channel, epoch: epoch).envelope)
    }
}

extension EventType {
    /// Whether events of the type have texts for people.
    var hasTexts: Bool {
        switch self {
        case .enqueued, .presented, .updated, .snapshot: true
        case .acted, .dismissed, .held, .released, .configured, .resumed, .shutdown: false
        }
    }
}

extension Event.Kind {
    /// The toast that the event has whole.
    fileprivate var toast: Toast? {
        switch self {
        case .enqueued(let toast), .presented(let toast, _), .updated(let toast, _): toast
        case .acted, .dismissed, .held, .released, .configured: nil
        }
    }
}
