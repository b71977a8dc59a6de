import EventLoop
import MicroHTTP
import TestSupport
import Testing
import ToastAccess
import ToastStore

@testable import ToastCore
@testable import ToastHub

/// Streams in several languages: one encoding per language, and a shared one where no text differs.
@Suite struct LanguageTests {
    private let catalogs = Catalogs(
        store: MemoryStore(),
        files: [
            .english: Catalog(["hello": .format("Hello %@")]), .german: Catalog(["hello": .format("Hallo %@")]),
        ],
        sent: [:]
    )

    private let epoch = Epoch.random()

    /// The frames of consecutive events, as a channel broadcasts them.
    private func frames(_ kinds: [Event.Kind], isPast: Bool, _ languages: Languages) -> SharedFrames {
        let channel = TestHub.name("ops")
        let events = kinds.enumerated().compactMap { number, kind -> BroadcastEvent? in
            let event = Event(offset: Offset(rawValue: Int64(number + 1)), at: Instant(nanoseconds: 0), kind: kind)
            let stored = event.stored(channel: channel, epoch: self.epoch)
            return isPast ? BroadcastEvent(stored, agedTo: Instant(nanoseconds: 0)) : BroadcastEvent(event, stored)
        }
        return SharedFrames(of: channel, events, self.epoch, languages)
    }

    private func toast(_ json: JSON) throws -> Toast {
        var engine = Engine(channel: TestHub.name("ops"), epoch: self.epoch)
        engine.lexicon = self.catalogs.lexicon
        var random = RandomBlock()
        let new = NewToast(
            id: ToastID(at: Instant(nanoseconds: 0), using: &random),
            draft: try ToastDraft(json: json)
        )
        return try #require(try engine.enqueue([new], at: Instant(nanoseconds: 0)).toasts.first)
    }

    private func text(_ frame: Frame) -> String { String(decoding: frame.bytes, as: UTF8.self) }

    private func isSame(_ one: Frame, _ other: Frame) -> Bool {
        one.bytes.withUnsafeBufferPointer { one in
            other.bytes.withUnsafeBufferPointer { $0.baseAddress == one.baseAddress && $0.count == one.count }
        }
    }

    @Test(arguments: [false, true], [false, true])
    func framesWithoutDifferingTextsShareTheirBytes(isWebSocket: Bool, isPast: Bool) throws {
        let languages = Languages(self.catalogs, self.epoch)
        let german = languages.choice("de").number
        #expect(german > 0)
        let raw = try self.toast(["message": "Hello"])
        let localized = try self.toast(["message": ["key": "hello", "arguments": ["Ada"]]])
        let gone = Event.Kind.dismissed(raw.id, reason: .close, action: nil, exit: .zero, data: nil)
        let variant = { FrameVariant(isWebSocket: isWebSocket, filter: $0, language: $1) }

        let plain = self.frames([.enqueued(raw), gone], isPast: isPast, languages)
        #expect(self.isSame(plain.joined(variant(.all, german)), plain.joined(variant(.all, 0))))

        let presentation = Presentation(remaining: nil, announcement: "information, Hello Ada")
        let shown = Event.Kind.presented(localized, presentation)
        let both = self.frames([.enqueued(raw), shown], isPast: isPast, languages)
        let (own, other) = (both.joined(variant(.all, 0)), both.joined(variant(.all, german)))
        #expect(self.text(own).contains("information, Hello Ada"))
        #expect(self.text(other).contains("Information, Hallo Ada"))
        #expect(!self.text(other).contains("Hello Ada"))
        // Filtered events make no difference, and readings of the same language share frames.
        let filter = EventFilter([.enqueued])
        #expect(self.isSame(both.joined(variant(filter, german)), both.joined(variant(filter, 0))))
        #expect(self.isSame(both.joined(variant(.all, languages.choice("de-AT").number)), other))
    }

    @Test func aFrameVariantIsOneNumber() {
        for (isWebSocket, filter, language) in [
            (false, EventFilter.all, UInt16(0)), (true, .all, .max), (true, EventFilter([.acted]), 7),
        ] {
            let variant = FrameVariant(isWebSocket: isWebSocket, filter: filter, language: language)
            #expect((variant.isWebSocket, variant.language) == (isWebSocket, language))
            for type in EventType.allCases { #expect(variant.filter.wants(type) == filter.wants(type)) }
        }
        #expect(MemoryLayout<DirectSubscriber>.stride == 32)
    }

    /// Whatever clients ask for, streams get only languages of the catalogs.
    @Test func streamsGetOnlyLanguagesOfTheCatalogs() {
        let languages = Languages(self.catalogs, self.epoch)
        let numbers = (0..<1000).map { languages.choice("de-x\($0), x\($0)").number }
        #expect(Set(numbers).count == 1)
        let others = ["en", "en-GB", "fr", "*", "", "fr, en;q=0.1, de;q=0.01"].map { languages.choice($0).number }
        #expect(Set(others) == [0])
    }

    @Test(arguments: [0, 1], [false, true])
    func eachStreamGetsItsLanguageLiveAndInReplays(loop: Int, isComposite: Bool) async throws {
        let lab = try await TestHub(catalogs: self.catalogs)
        func listen(_ languages: String?, since offset: Int? = nil) async throws -> Listener {
            let place = isComposite ? "dev.0~ops.\(offset ?? 0)" : "\(offset ?? 0)"
            return try await lab.listen(
                to: isComposite ? ["ops", "dev"] : ["ops"],
                on: loop,
                since: offset.map { _ in "\(lab.hub.epoch.rawValue)-\(place)" },
                isComposite: isComposite,
                languages: languages
            )
        }
        let count = isComposite ? 2 : 1
        let (german, english) = (try await listen("fr, de;q=0.1"), try await listen("en"))
        _ = await (german.next(count), english.next(count))
        try await lab.greet("Ada")
        for (listener, word, spoken) in [(german, "Hallo", "Information,"), (english, "Hello", "information,")] {
            let events = await listener.next(2)
            #expect(events.map(\.type) == ["enqueued", "presented"])
            #expect(events.allSatisfy { $0.data["toast"]?["message"]?["text"]?.string == "\(word) Ada" })
            #expect(events.last?.data["announcement"]?.string == "\(spoken) \(word) Ada")
            #expect(events.allSatisfy { $0.id == nil || $0.data["cursor"]?.string == $0.id })
        }
        // From the log, and in a snapshot.
        let back = await (try listen("de", since: 0)).next(count + 2)
        #expect(back.last?.data["announcement"]?.string == "Information, Hallo Ada")
        let states = await (try listen("de")).next(count)
        let state = try #require(states.first { $0.data["channel"]?.string == "ops" })
        #expect(state.data["presented"]?.array?.first?["announcement"]?.string == "Information, Hallo Ada")
    }

    /// A change of the catalogs affects all streams, whether they are served directly or not.
    @Test func streamsFollowAChangeOfTheCatalogs() async throws {
        let lab = try await TestHub(catalogs: self.catalogs)
        let french = try await lab.listen(languages: "fr,de;q=0.5")
        let both = try await lab.listen(to: ["ops", "dev"], isComposite: true, languages: "fr,de;q=0.5")
        _ = await (french.next(1), both.next(2))
        for word in ["Hallo", "Salut", "Hallo"] {
            if word == "Salut" {
                let tag = try #require(LanguageTag(rawValue: "fr"))
                try await self.catalogs.change([tag: Catalog(["hello": .format("Salut %@")])])
            } else {
                try await self.catalogs.change([LanguageTag(rawValue: "fr") ?? .english: nil])
            }
            try await lab.greet("Ada")
            for listener in [french, both] {
                var event = await listener.next(1).first
                while event != nil, event?.type != "enqueued" { event = await listener.next(1).first }
                #expect(event?.data["toast"]?["message"]?["text"]?.string == "\(word) Ada")
            }
        }
    }

    /// A translated page may be many times as long: it is sent as several pages, and no event is left out.
    @Test(arguments: [false, true]) func aPageThatGrowsInTranslationIsSplit(isPoll: Bool) async throws {
        let long = String(repeating: "ß", count: 4000)
        let catalogs = Catalogs(
            store: MemoryStore(),
            files: [.german: Catalog(["hello": .format("\(long) %@")])],
            sent: [:]
        )
        let lab = try await TestHub(catalogs: catalogs)
        for number in 0..<200 { try await lab.greet("\(number)") }
        let start = "\(lab.hub.epoch.rawValue)-0"
        guard isPoll else {
            let listener = try await lab.listen(since: start, languages: "de")
            let events = await listener.next(202)
            #expect(StreamTests.offsets(events) == Array(1...201))
            #expect(events[200].data["toast"]?["message"]?["text"]?.string == "\(long) 199")
            return
        }
        var (cursor, offsets): (String, [Int]) = (start, [])
        while true {
            let answer = try await lab.poll(since: cursor, languages: "de")
            let events = answer["events"]?.array ?? []
            guard !events.isEmpty else { break }
            offsets += events.compactMap { $0["cursor"]?.string?.split(separator: "-").last }.compactMap { Int($0) }
            cursor = try #require(answer["cursor"]?.string)
        }
        #expect(offsets == Array(1...201))
    }

    @Test func streamsThatResumeInOneLanguageShareAPage() async throws {
        let lab = try await TestHub(catalogs: self.catalogs)
        for number in 0..<40 { try await lab.greet("\(number)") }
        let before = lab.store.historyReads
        lab.store.shutHistory()
        var listeners: [(String, Listener)] = []
        for number in 0..<30 {
            let (language, word) = [("de", "Hallo"), ("de-AT", "Hallo"), ("en", "Hello")][number % 3]
            let start = "\(lab.hub.epoch.rawValue)-1"
            listeners.append((word, try await lab.listen(since: start, languages: language)))
        }
        // All of them wait by now. A slow machine may read again later, because a page is used only while it is fresh.
        try await lab.eventually { lab.store.historyReads - before == 2 }
        lab.store.openHistory()
        for (word, listener) in listeners {
            let events = await listener.next(41)
            #expect(StreamTests.offsets(events) == Array(2...41))
            #expect(events[1].data["toast"]?["message"]?["text"]?.string == "\(word) 1")
        }
    }
}

extension TestHub {
    /// Publishes a greeting that lasts longer than a test does.
    fileprivate func greet(_ name: String) async throws {
        let text: JSON = ["key": "hello", "arguments": [.string(name)]]
        let draft = try ToastDraft(json: ["message": text, "duration": 600])
        _ = try await self.hub.perform(on: Self.name("ops")) { channel throws(ChannelError) in
            try await channel.publish([draft])
        }
    }

    fileprivate func poll(since cursor: String, languages: String) async throws -> JSON {
        let request = StreamRequest(
            channels: [Self.name("ops")],
            isComposite: false,
            cursor: Cursor(cursor),
            languages: languages
        )
        let outcome = try await self.fanouts[0].openPoll(request, wait: .zero) { body, _ in Frame(body) }
        guard case .ready(let body) = outcome else { throw UnexpectedOutcome() }
        return try JSON(parsing: body, depthLimit: 32)
    }
}
