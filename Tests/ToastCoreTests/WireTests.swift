import TestSupport
import Testing

@testable import ToastCore

@Suite struct WireTests {
    private let channel: ChannelName
    private let epoch: Epoch
    private let id: ToastID

    init() throws {
        self.channel = try #require(ChannelName(rawValue: "ops"))
        self.epoch = try #require(Epoch(rawValue: "k3f9a2zz"))
        self.id = try #require(ToastID("019AA4B2-7C00-7ABC-8DEF-0123456789AB"))
    }

    private func engine() -> Engine { Engine(channel: self.channel, epoch: self.epoch) }

    private func text(_ event: Event) -> String {
        String(decoding: event.stored(channel: self.channel, epoch: self.epoch).envelope, as: UTF8.self)
    }

    private let full = """
        {"role":"error","title":{"key":"t","arguments":["Al",2],"default":"%@ %d"},"message":"line\\n\\"two\\"",\
        "icon":"wifi.slash","style":"retro","placement":"bottom","align":"end","duration":4.25,"haptic":"heavy",\
        "actions":[{"id":"undo","title":"Undo","role":"destructive","url":"/undo"}],\
        "progress":{"value":0.4,"total":1},"image":{"url":"https://a.example/x.png","alt":"x"},"link":"/x?y#z",\
        "reuseIdentifier":"r1","requiresInteraction":true,"dimsBackground":true,"appearance":{"layout":{"labelSpacing":16}},\
        "expiresAfter":600,"data":{"n":[1,2.5,null]}}
        """

    @Test func anEnvelopeHasItsMembersInOrder() throws {
        var engine = self.engine()
        _ = try engine.apply(.audience(Audience(isAttached: true)), at: EngineScenario.start)
        let draft = try ToastDraft(json: JSON(parsing: Array(self.full.utf8)))
        let events = try engine.enqueue([NewToast(id: self.id, draft: draft)], at: EngineScenario.start).events
        let head = #""channel":"ops","cursor":"k3f9a2zz-"#
        let content = self.full.dropFirst().dropLast()
            .replacing(#""default":"%@ %d""#, with: #""default":"%@ %d","text":"Al 2""#)
        let toast = #"{"id":"019aa4b2-7c00-7abc-8def-0123456789ab","channel":"ops","revision":1,"state":""#
        let created = #""createdAt":"2027-01-15T08:00:00.000Z""#
        let presented = #""presentedAt":"2027-01-15T08:00:00.000Z""#
        #expect(
            events.map(self.text) == [
                #"{"type":"enqueued",\#(head)1","at":"2027-01-15T08:00:00.000Z","toast":\#(toast)queued",\#(content),\#(created)}}"#,
                #"{"type":"presented",\#(head)2","at":"2027-01-15T08:00:00.000Z","remaining":4.25,"#
                    + #""toast":\#(toast)presented",\#(content),\#(created),\#(presented)},"haptic":"heavy","#
                    + #""announcement":"error, Al 2. line\n\"two\""}"#,
            ]
        )
    }

    @Test func eventsOfOneCommitAreWrittenAsEachAlone() throws {
        let content = try #require(try JSON(parsing: Array(self.full.utf8)).object)
        var stage = try EngineScenario()
        // Instants that are equal, that go back, and that differ by less than the written precision.
        try stage.post(["a", "b"], at: 0, with: content)
        try stage.post(["c"], at: 1, with: content)
        try stage.apply(.dismiss(try stage.id("b"), .api), at: 1)
        let ends = [0, 1, 0, 999_999].map { nanoseconds in
            Event(
                offset: Offset(rawValue: 100),
                at: EngineScenario.start + Interval(nanoseconds: nanoseconds),
                kind: .dismissed(self.id, reason: .timeout, action: nil, exit: .zero, data: nil)
            )
        }
        let events = stage.events + ends
        let together = Event.stored(events, channel: self.channel, epoch: self.epoch)
        #expect(together.map(\.envelope) == events.map { $0.stored(channel: self.channel, epoch: self.epoch).envelope })
        #expect(together.map(\.offset) == events.map(\.offset))
    }

    @Test func theEventOfAnEnqueuedToastHoldsItsText() throws {
        for content in [self.full, #"{"message":"}{"}"#] {
            var engine = self.engine()
            let draft = try ToastDraft(json: JSON(parsing: Array(content.utf8)))
            let admission = try engine.enqueue([NewToast(id: self.id, draft: draft)], at: EngineScenario.start)
            let toast = try #require(admission.toasts.first)
            var writer = JSONWriter()
            toast.write(to: &writer)
            let stored = Event.stored(admission.events, channel: self.channel, epoch: self.epoch)
            #expect(admission.isOnlyEnqueued)
            #expect(stored.map { Array($0.enqueuedToast) } == [writer.bytes])
        }
    }

    @Test func whatElseHappensToToastsIsInTheirTexts() throws {
        var engine = self.engine()
        _ = try engine.apply(.audience(Audience(isAttached: true)), at: EngineScenario.start)
        let draft = try ToastDraft(message: "x")
        let admission = try engine.enqueue([NewToast(id: self.id, draft: draft)], at: EngineScenario.start)
        #expect(!admission.isOnlyEnqueued)
        #expect(admission.toasts.map(\.state) == [.presented])
    }

    @Test func everyKindOfEventSurvivesTheWire() throws {
        let settings = try Settings(json: ["capacity": 3])
        let kinds: [Event.Kind] = [
            .acted(self.id, action: "undo", data: nil), .acted(self.id, action: "undo", data: [1, .null]),
            .dismissed(self.id, reason: .action, action: "undo", exit: Interval(seconds: 0.35), data: "d"),
            .dismissed(self.id, reason: .expired, action: nil, exit: .zero, data: nil),
            .held(self.id, holder: "v 1\n", remaining: nil, lease: Interval(seconds: 30)),
            .held(self.id, holder: "é", remaining: Interval(seconds: 0.001), lease: Interval(seconds: 1)),
            .released(self.id, holder: "v", remaining: Interval(seconds: 86_400.5), isHeld: true),
            .released(self.id, holder: "v", remaining: nil, isHeld: false), .configured(settings),
        ]
        for (index, kind) in kinds.enumerated() {
            let event = Event(offset: Offset(rawValue: Int64(index + 1)), at: EngineScenario.start, kind: kind)
            #expect(try Event(envelope: event.stored(channel: self.channel, epoch: self.epoch).envelope) == event)
        }
    }

    @Test func shortEventsAreWrittenAsAgreed() throws {
        let settings = try Settings(json: ["pause": 1])
        var effective = JSONWriter()
        effective.value(settings.effective)
        let events = [
            Event(offset: .origin.next, at: EngineScenario.start, kind: .configured(settings)),
            Event(
                offset: .origin.next,
                at: EngineScenario.start,
                kind: .dismissed(self.id, reason: .timeout, action: nil, exit: Interval(seconds: 0.35), data: nil)
            ),
        ]
        let head = #""channel":"ops","cursor":"k3f9a2zz-1","at":"2027-01-15T08:00:00.000Z""#
        #expect(
            events.map(self.text) == [
                #"{"type":"configured",\#(head),"effective":\#(String(decoding: effective.bytes, as: UTF8.self)),"#
                    + #""own":{"pause":1}}"#,
                #"{"type":"dismissed",\#(head),"id":"019aa4b2-7c00-7abc-8def-0123456789ab","dismissReason":"timeout","#
                    + #""exit":0.35}"#,
            ]
        )
    }

    @Test func aSnapshotFrameShowsTheScreen() throws {
        var stage = try EngineScenario()
        try stage.post(["a", "b"], duration: 3, at: 0)
        try stage.apply(.hold(try stage.id("a"), holder: "v", lease: Interval(seconds: 9)), at: 1)
        var writer = JSONWriter()
        stage.engine.writeSnapshotFrame(to: &writer, at: EngineScenario.start + Interval(seconds: 4), isReset: true)
        let frame = try JSON(parsing: writer.bytes)
        #expect(frame["type"] == "snapshot")
        #expect(frame["cursor"] == "k3f9a2zz-5")
        #expect(frame["at"] == "2027-01-15T08:00:04.000Z")
        #expect(frame["effective"]?["mode"] == "fifo")
        #expect(frame["presented"]?.array?.count == 1)
        #expect(frame["presented"]?.array?.first?["toast"]?["message"] == "a")
        #expect(frame["presented"]?.array?.first?["remaining"] == 2)
        #expect(frame["presented"]?.array?.first?["held"] == true)
        #expect(frame["queuedCount"] == 1)
        #expect(frame["reset"] == true)
    }

    @Test func whatIsLeftCountsDownWhenItIsToldAgain() throws {
        var stage = try EngineScenario()
        try stage.post(["a"], duration: 5, at: 0, with: ["data": ["remaining": 9]])
        let stored = stage.events.map { $0.stored(channel: self.channel, epoch: self.epoch) }
        let presented = try #require(zip(stage.events, stored).first { $0.0.type == .presented }?.1)
        let layout = try #require(presented.layout)
        func left(_ seconds: Double) throws -> JSON? {
            try JSON(parsing: presented.aged(to: EngineScenario.start + Interval(seconds: seconds), layout))[
                "remaining"
            ]
        }
        #expect(try [0, 1.25, 5, 9].map { try left($0) } == [5, 3.75, 0, 0])
        // Only a number changes.
        let aged = try JSON(parsing: presented.aged(to: EngineScenario.start + Interval(seconds: 1), layout))
        #expect(aged["toast"] == (try JSON(parsing: presented.envelope))["toast"])
    }

    @Test func whatAnOlderVersionWroteIsReadAndToldAsItIs() throws {
        let head = #""channel":"ops","cursor":"k3f9a2zz-7","at":"2027-01-15T08:00:00.000Z""#
        let id = #""id":"019aa4b2-7c00-7abc-8def-0123456789ab""#
        let dismissed = Array(#"{"type":"dismissed",\#(head),\#(id),"reason":"swipe","exit":0.35}"#.utf8)
        let exit = Interval(seconds: 0.35)
        #expect(
            try Event(envelope: dismissed).kind
                == .dismissed(self.id, reason: .swipe, action: nil, exit: exit, data: nil)
        )
        let offset = try Event(envelope: dismissed).offset
        let held = Array(#"{"type":"released",\#(head),\#(id),"holder":"v","remaining":4}"#.utf8)
        let stored = StoredEvent(offset: offset, at: EngineScenario.start, envelope: held)
        let layout = try #require(stored.layout)
        #expect(layout.remaining(in: held) == nil)
        #expect(stored.aged(to: EngineScenario.start + Interval(seconds: 2), layout) == held)
    }

    @Test func aResumedFrameIsOnlyAHead() {
        var writer = JSONWriter()
        Engine.writeResumedFrame(
            to: &writer,
            channel: self.channel,
            epoch: self.epoch,
            offset: .origin,
            at: EngineScenario.start
        )
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == #"{"type":"resumed","channel":"ops","cursor":"k3f9a2zz-0","at":"2027-01-15T08:00:00.000Z"}"#
        )
    }

    /// The previous version wrote one lane, and events without haptics and announcements.
    @Test func whatAnOlderVersionWroteIsRead() throws {
        let at = #""2027-01-15T08:00:00.000Z""#
        let toast =
            #"{"id":"019aa4b2-7c00-7abc-8def-0123456789ab","channel":"ops","revision":1,"state":"presented","#
            + #""role":"info","message":"m","style":"glass","placement":"bottom","duration":4,"haptic":"automatic","#
            + #""createdAt":\#(at),"presentedAt":\#(at)}"#
        let head = #""channel":"ops","cursor":"k3f9a2zz-7","at":\#(at),"toast":\#(toast),"remaining":4"#
        let presented = try Event(envelope: Array(#"{"type":"presented",\#(head)}"#.utf8))
        let read = try Toast(json: JSON(parsing: Array(toast.utf8)))
        #expect(presented.kind == .presented(read, Presentation(remaining: Interval(seconds: 4))))
        let updated = try Event(envelope: Array(#"{"type":"updated",\#(head),"changed":["role"]}"#.utf8))
        #expect(updated.kind == .updated(read, Update(changed: ["role"], remaining: Interval(seconds: 4))))

        for settings in [#"{"mode":"priority"}"#, #"{"lanes":"placement"}"#] {
            let state =
                #"{"offset":7,"at":\#(at),"freeAt":"2027-01-15T08:00:05.000Z","settings":\#(settings),"#
                + #""presented":[{"sequence":6,"toast":\#(toast),"until":"2027-01-15T08:00:04.000Z"}],"#
                + #""queued":[],"dismissed":[]}"#
            var engine = try Engine(channel: self.channel, epoch: self.epoch, restoring: Array(state.utf8))
            #expect(engine.presented.map(\.id) == [self.id])
            #expect(engine.nextDeadline == EngineScenario.start + Interval(seconds: 4))
            _ = engine.tick(at: EngineScenario.start + Interval(seconds: 4))
            #expect(engine.presented.isEmpty)
        }
    }

    @Test(arguments: [Int64.max, -1, 9_007_199_254_740_993] as [Int64])
    func anOffsetThatNoChannelReachesIsRefused(offset: Int64) throws {
        var stage = try EngineScenario()
        try stage.post(["a"], at: 0)
        func damaged(_ bytes: [UInt8], at place: String, _ value: String) throws -> [UInt8] {
            let number = try Regex("\(place)[0-9]+")
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains(number))
            return Array(text.replacing(number, with: place + value).utf8)
        }
        for name in ["offset", "sequence"] {
            let state = try damaged(stage.engine.snapshotState(), at: "\"\(name)\":", "\(offset)")
            #expect(throws: ValidationError.self) {
                try Engine(channel: self.channel, epoch: self.epoch, restoring: state)
            }
        }
        let event = try #require(stage.events.last).stored(channel: self.channel, epoch: self.epoch)
        let envelope = try damaged(event.envelope, at: "\(self.epoch.rawValue)-", "\(offset)")
        #expect(throws: ValidationError.self) { try Event(envelope: envelope) }
    }

    /// Such a toast was once presented again and again, without an end.
    @Test func anUpdateThatSpeaksOfTheScreenMovesNothingThatWaits() throws {
        var stage = try EngineScenario(isAttached: false)
        try stage.post(["a"], at: 0)
        let event = try #require(stage.events.last)
        guard case .enqueued(var toast) = event.kind else {
            Issue.record("Nobody is there to see the toast.")
            return
        }
        toast.state = .presented
        let update = Update(changed: ["message"], remaining: nil, moved: false, announcement: nil)
        var engine = stage.engine
        engine.fold(Event(offset: event.offset.next, at: event.at, kind: .updated(toast, update)))
        #expect(engine.queued.map(\.state) == [.queued])
        _ = try engine.apply(.audience(Audience(isAttached: true)), at: event.at)
        #expect(engine.presentedCount == 1)
        #expect(engine.queueLength == 0)
    }

    @Test func whatAStoreMutilatedIsRefusedNotTrapped() throws {
        var stage = try EngineScenario()
        let content = try JSON(parsing: Array(self.full.utf8))
        try stage.post(["a", "b", "c"], at: 0, with: content.object ?? [:])
        try stage.apply(.hold(try stage.id("a"), holder: "v", lease: Interval(seconds: 9)), at: 1)
        try stage.apply(.dismiss(try stage.id("b"), .api), at: 1)
        let state = stage.engine.snapshotState()
        let envelopes = stage.events.map { $0.stored(channel: self.channel, epoch: self.epoch).envelope }
        var generator = SplitMix64(seed: 5)
        for _ in 0..<400 {
            for original in envelopes + [state] {
                var bytes = original
                let index = Int.random(in: bytes.indices, using: &generator)
                bytes[index] = .random(in: 0x20...0x7E, using: &generator)
                if let event = try? Event(envelope: bytes) {
                    var engine = self.engine()
                    engine.fold(event)
                }
                guard var engine = try? Engine(channel: self.channel, epoch: self.epoch, restoring: bytes) else {
                    continue
                }
                _ = engine.tick(at: EngineScenario.start + Interval(seconds: 99))
            }
        }
    }
}

@Suite struct NamesTests {
    @Test func aToastIDIsAUUIDOfItsTime() throws {
        var generator = SplitMix64(seed: 3)
        let early = ToastID(at: EngineScenario.start, using: &generator)
        let late = ToastID(at: EngineScenario.start + Interval(seconds: 0.001), using: &generator)
        #expect(early.description < late.description)
        #expect(early.description.utf8.count == 36)
        #expect(early.description.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
        #expect(early.description.split(separator: "-")[2].first == "7")
        #expect("89ab".contains(try #require(early.description.split(separator: "-")[3].first)))
        #expect(ToastID(early.description) == early)
        #expect(ToastID(early.description.uppercased()) == early)
    }

    @Test func idsSortInTheOrderInWhichTheyWereDrawn() {
        var generator = SplitMix64(seed: 3)
        let instants = (0..<4000).map { EngineScenario.start + Interval(nanoseconds: $0 * 250) }
        let ids = instants.flatMap { ToastID.draw(3, at: $0, using: &generator) }
        #expect(ids == ids.sorted())
        #expect(ids.map(\.description) == ids.map(\.description).sorted())
        #expect(Set(ids).count == ids.count)
    }

    @Test(arguments: [
        "", "019aa4b2", "019aa4b2-7c00-7abc-8def-0123456789a", "019aa4b2-7c00-7abc-8def-0123456789abc",
        "019aa4b27c007abc8def0123456789ab", "019aa4b2-7c00-7abc-8def-0123456789ag",
        "{19aa4b2-7c00-7abc-8def-0123456789a}",
    ])
    func refusesWhatIsNoUUID(text: String) {
        #expect(ToastID(text) == nil)
    }

    @Test(arguments: [
        "1970-01-01T00:00:00.000Z", "2000-02-29T23:59:59.999Z", "2026-11-21T03:28:22.123Z", "2100-03-01T00:00:00.000Z",
        "1969-12-31T23:59:59.999Z", "1900-02-28T12:00:00.000Z", "2262-04-11T23:47:16.854Z",
    ])
    func anInstantReadsWhatItWrites(text: String) throws {
        var writer = JSONWriter()
        writer.value(try #require(Instant(text)))
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "\"\(text)\"")
    }

    @Test(arguments: [
        "", "2026-11-21T03:28:22Z", "2026-02-29T00:00:00.000Z", "2026-13-01T00:00:00.000Z", "2026-11-21T24:00:00.000Z",
        "2026-11-21 03:28:22.123Z", "2026-11-21T03:28:22.123+", "9999-12-31T23:59:59.999Z", "20x6-11-21T03:28:22.123Z",
    ])
    func refusesWhatIsNoInstant(text: String) {
        #expect(Instant(text) == nil)
    }
}
