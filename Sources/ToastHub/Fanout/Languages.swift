import ToastCore

/// The language of some streams; streams with the same `Accept-Language` share it.
///
/// Confined to the fan-out of its streams.
final class LanguageChoice {
    private let wanted: AcceptLanguage
    /// The language; nil for the server's default.
    private(set) var language: LanguageTag?
    /// The language's number in ``Languages``; 0 for the server's default.
    private(set) var number: UInt16 = 0

    fileprivate init(_ words: String) {
        self.wanted = AcceptLanguage(words)
    }

    /// Chooses among the languages of the current catalogs.
    fileprivate func choose(from languages: Languages) {
        self.language = languages.lexicon.foreignMatch(for: self.wanted)
        self.number = self.language.map { languages.number(of: $0) } ?? 0
        // All numbers are in use, which does not happen in practice.
        if self.number == 0 { self.language = nil }
    }
}

/// The languages of one loop's streams other than the server's default, each with a number for fast comparison.
///
/// Streams only get languages that have a catalog, so the number is bounded whatever clients ask for. When the catalogs
/// change, all streams choose anew.
///
/// Confined to its fan-out.
final class Languages {
    /// The maximum number of cached `Accept-Language` values.
    private static let cachedChoices = 64

    /// The maximum length of a cached value; those of browsers are much shorter.
    private static let cachedLength = 256

    private let catalogs: Catalogs
    private let epoch: Epoch
    private var generation: Int
    private(set) var lexicon: Lexicon
    /// The languages in use; the first one has the number 1.
    private var tags: [LanguageTag] = []
    private var choices: [String: LanguageChoice] = [:]

    init(_ catalogs: Catalogs, _ epoch: Epoch) {
        self.catalogs = catalogs
        self.epoch = epoch
        self.generation = catalogs.generation
        self.lexicon = catalogs.lexicon
    }

    /// Whether the catalogs have changed since ``renew(_:)``.
    var isStale: Bool { self.catalogs.generation != self.generation }

    /// The choice for an `Accept-Language` value.
    func choice(_ words: String) -> LanguageChoice {
        if let choice = self.choices[words] { return choice }
        let choice = LanguageChoice(words)
        choice.choose(from: self)
        if words.utf8.count <= Self.cachedLength {
            if self.choices.count >= Self.cachedChoices { self.choices = [:] }
            self.choices[words] = choice
        }
        return choice
    }

    /// Takes the current catalogs, and makes all choices choose anew.
    func renew(_ others: some Sequence<LanguageChoice>) {
        self.generation = self.catalogs.generation
        self.lexicon = self.catalogs.lexicon
        self.tags = []
        // Most streams share a choice, which chooses once.
        var renewed: Set<ObjectIdentifier> = []
        for choice in Array(self.choices.values) + others where renewed.insert(ObjectIdentifier(choice)).inserted {
            choice.choose(from: self)
        }
    }

    /// The number of a language, which is in use from now on; 0 when all numbers are in use.
    fileprivate func number(of language: LanguageTag) -> UInt16 {
        if let place = self.tags.firstIndex(of: language) { return UInt16(place + 1) }
        guard self.tags.count < UInt16.max else { return 0 }
        self.tags.append(language)
        return UInt16(self.tags.count)
    }

    /// An event in the language of a number; nil when it has no text that differs.
    func translated(_ event: BroadcastEvent, of channel: ChannelName, to number: UInt16) -> BroadcastEvent? {
        guard number > 0, number <= self.tags.count, event.type.hasTexts else { return nil }
        let language = self.tags[Int(number) - 1]
        guard let kind = event.kind else {
            return self.lexicon.translated(envelope: event.envelope, to: language).map(event.with)
        }
        return self.lexicon.translated(Event(offset: event.offset, at: event.at, kind: kind), to: language)
            .map { event.with($0.stored(channel: channel, epoch: self.epoch).envelope) }
    }
}

extension EventType {
    /// Whether events of the type contain texts for users.
    fileprivate var hasTexts: Bool {
        switch self {
        case .enqueued, .presented, .updated, .snapshot: true
        case .acted, .dismissed, .held, .released, .configured, .resumed, .shutdown: false
        }
    }
}
