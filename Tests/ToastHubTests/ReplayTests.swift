import MicroHTTP
import TestSupport
import Testing
import ToastAccess
import ToastCore

@testable import ToastHub

/// Replays of histories of more than a page.
@Suite struct ReplayTests {
    /// Events stored at any moment of a replay follow its pages, once and in order.
    @Test(arguments: [0, 1], [false, true])
    func eventsStoredDuringAReplayFollowItsPages(loop: Int, isImmediate: Bool) async throws {
        let lab = try await TestHub(hasImmediateStore: isImmediate)
        for number in 0..<40 { try await lab.publishLarge(number) }
        let listener = try await lab.listen(on: loop, since: lab.cursor(1))
        let publisher = Task { for number in 40..<80 { try await lab.publishLarge(number) } }
        // 80 enqueued events and the first presentation.
        let events = await listener.next(81)
        #expect(events.first?.type == "resumed")
        #expect(StreamTests.offsets(events) == Array(2...81))
        try await publisher.value
        try await lab.publishLarge(80)
        #expect(StreamTests.offsets(await listener.next(1)) == [82])
    }

    @Test func eventsStoredDuringAReadAreNotBufferedForTheStream() async throws {
        let lab = try await TestHub()
        for number in 0..<4 { try await lab.publishLarge(number) }
        lab.store.shutHistory()
        let listener = try await lab.listen(since: lab.cursor(1))
        for number in 4..<300 { try await lab.publishLarge(number, size: 1000) }
        #expect(await lab.fanouts[0].waitingFrames == 0)
        lab.store.openHistory()
        #expect(StreamTests.offsets(await listener.next(301)) == Array(2...301))
    }

    @Test func aStreamThatDoesNotReadCostsAtMostAPage() async throws {
        let lab = try await TestHub()
        for number in 0..<200 { try await lab.publishLarge(number) }
        let reads = lab.store.historyReads
        let far = try await lab.listen(since: lab.cursor(0))
        try await lab.eventually { await lab.fanouts[0].isStuck }
        // The socket took the first pages.
        #expect(lab.store.historyReads - reads < 4)
        #expect(lab.hub.outputBudget.chargedBytes <= 3 * ReplayPage.maximumBytes)
        #expect(StreamTests.offsets(await far.next(202)) == Array(1...201))
    }

    @Test func streamsThatResumeTogetherShareAPage() async throws {
        let lab = try await TestHub()
        for number in 0..<40 { try await lab.publishLarge(number) }
        let before = lab.store.historyReads
        lab.store.shutHistory()
        var listeners: [Listener] = []
        for _ in 0..<30 { listeners.append(try await lab.listen(since: lab.cursor(1))) }
        try await lab.eventually { lab.store.hasReaders }
        #expect(lab.store.historyReads - before == 1)
        lab.store.openHistory()
        let all = listeners.map { listener in Task { StreamTests.offsets(await listener.next(41)) } }
        for one in all { #expect(await one.value == Array(2...41)) }
    }

    @Test func aReplayIsResetWhenItsEventsArePruned() async throws {
        let age = Interval(seconds: 3600)
        let lab = try await TestHub(retention: Retention(events: 40, age: age, recordAge: age))
        for number in 0..<30 { try await lab.publishLarge(number) }
        let listener = try await lab.listen(since: lab.cursor(0))
        try await lab.eventually { await lab.fanouts[0].isStuck }
        try await lab.passThrough(600)
        let end = try #require(Int(try await lab.summary().cursor.description.split(separator: "-").last ?? ""))
        var (seen, last): ([Listener.Received], Int) = ([], 0)
        while last < end, let event = await listener.next(1).first {
            seen.append(event)
            let offset = StreamTests.offsets([event]).first ?? last
            // The next offset follows, or a frame that says that events are missing.
            #expect(offset == last + 1 || event.type == "resumed" || event.data["reset"] == true)
            last = offset
        }
        #expect(seen.first?.type == "resumed")
        #expect(seen.contains { $0.type == "snapshot" && $0.data["reset"] == true })
    }

    @Test func aCursorBeforeTheRetainedEventsIsResetAtOnce() async throws {
        let age = Interval(seconds: 3600)
        let lab = try await TestHub(retention: Retention(events: 10, age: age, recordAge: age))
        try await lab.passThrough(400)
        let listener = try await lab.listen(since: lab.cursor(2))
        let events = await listener.next(1)
        #expect(events.first?.data["reset"] == true)
        #expect(lab.fanouts[0].meter.begun(.reset) == 1)
        #expect(lab.fanouts[0].meter.begun(.resumed) == 0)
    }

    @Test func aFilterFindsEventsAfterManyPages() async throws {
        let lab = try await TestHub()
        for number in 0..<60 { try await lab.publishLarge(number) }
        _ = try await lab.clear()
        let listener = try await lab.listen(since: lab.cursor(0), filter: EventFilter([.dismissed]))
        #expect(await listener.next(61).map(\.type) == ["resumed"] + Array(repeating: "dismissed", count: 60))
    }

    @Test func severalChannelsAreReplayedWithCursorsForAll() async throws {
        let lab = try await TestHub()
        for name in ["ops", "dev"] { for number in 0..<30 { try await lab.publishLarge(number, to: name) } }
        let start = "\(lab.hub.epoch.rawValue)-dev.0~ops.0"
        let all = try await lab.listen(to: ["ops", "dev"], since: start, isComposite: true)
        let events = await all.next(64)
        for name in ["ops", "dev"] {
            let own = events.filter { $0.data["channel"]?.string == name }
            #expect(own.first?.type == "resumed")
            #expect(own.count == 32)
        }
        // A client that disconnects in the middle resumes from there.
        let middle = try #require(events.dropFirst(40).first { $0.id != nil }?.id)
        let place = try #require(events.firstIndex { $0.id == middle })
        let again = try await lab.listen(to: ["ops", "dev"], on: 1, since: middle, isComposite: true)
        let rest = events[(place + 1)...].filter { $0.id != nil }.count
        let resumed = await again.next(rest + 2).filter { $0.type != "resumed" }
        #expect(resumed.count == rest)
    }

    @Test func aPollIsAnsweredWithAtMostAPage() async throws {
        let lab = try await TestHub()
        for number in 0..<60 { try await lab.publishLarge(number) }
        var (cursor, messages): (Cursor?, [String]) = (Cursor(lab.cursor(0)), [])
        while true {
            let answer = try await lab.poll(since: cursor)
            let events = try #require(answer["events"]?.array)
            messages += events.filter { $0["type"] == "enqueued" }.compactMap { $0["toast"]?["message"]?.string }
            guard !events.isEmpty else { break }
            cursor = answer["cursor"]?.string.flatMap(Cursor.init)
        }
        #expect(messages == (0..<60).map(String.init))
    }

    @Test func aStreamIsClosedWhenItsLogCannotBeRead() async throws {
        let lab = try await TestHub()
        for number in 0..<4 { try await lab.publishLarge(number) }
        lab.store.shutHistory()
        let listener = try await lab.listen(since: lab.cursor(1))
        try await lab.eventually { lab.store.hasReaders }
        lab.store.openHistory(failing: .unavailable("gone"))
        #expect(await listener.next(1).isEmpty)
        #expect(lab.fanouts[0].meter.closed(.sse, .failed) == 1)
        lab.store.shutHistory()
        let poll = Task { try await lab.poll(since: Cursor(lab.cursor(1))) }
        try await lab.eventually { lab.store.hasReaders }
        lab.store.openHistory(failing: .unavailable("gone"))
        await #expect(throws: StreamError.channel(.store(.unavailable("gone")))) { try await poll.value }
    }

    @Test func readsAreChargedAndStreamsWaitForMemory() async throws {
        let lab = try await TestHub()
        for number in 0..<40 { try await lab.publishLarge(number) }
        lab.hub.outputBudget.change(to: ReplayPage.maximumBytes)
        let charge = try #require(lab.hub.outputBudget.charge(1000))
        let listener = try await lab.listen(since: lab.cursor(1))
        await #expect(throws: StreamError.outOfMemory) { try await lab.poll(since: Cursor(lab.cursor(1))) }
        let before = lab.store.historyReads
        try await lab.publishLarge(40)
        #expect(lab.store.historyReads == before)
        lab.hub.outputBudget.change(to: 16 * ReplayPage.maximumBytes)
        #expect(StreamTests.offsets(await listener.next(42)) == Array(2...42))
        listener.hangUp()
        try await lab.eventually { lab.hub.outputBudget.chargedBytes == 1000 }
        withExtendedLifetime(charge) {}
    }

    @Test func oneSourceLeavesMemoryForThePagesOfOthers() async throws {
        let lab = try await TestHub()
        for number in 0..<40 { try await lab.publishLarge(number) }
        lab.hub.outputBudget.change(to: 12 * ReplayPage.maximumBytes)
        let others = (1...2).map { Caller(.anonymous([]), from: Source(rawValue: $0 << 24), isProgram: false) }
        var silent: [Listener] = []
        for place in 0..<16 { silent.append(try await lab.listen(since: lab.cursor(place), caller: others[0])) }
        try await lab.eventually { await lab.fanouts[0].isStuck }
        let listener = try await lab.listen(on: 1, since: lab.cursor(0), caller: others[1])
        #expect(StreamTests.offsets(await listener.next(42)) == Array(1...41))
        try await lab.eventually { lab.hub.outputBudget.chargedBytes <= 6 * ReplayPage.maximumBytes }
        // Postponed streams are continued, each time by a page or two.
        let retries = lab.retryReadsOften()
        defer { retries.cancel() }
        let all = silent.enumerated().map { place, listener in
            Task { (place, StreamTests.offsets(await listener.next(42 - place))) }
        }
        for one in all {
            let (place, offsets) = await one.value
            #expect(offsets == Array(place + 1...41))
        }
    }

    @Test func nothingIsReadForStreamsThatHaveEnded() async throws {
        let lab = try await TestHub()
        for number in 0..<40 { try await lab.publishLarge(number, size: 100) }
        lab.store.shutHistory()
        let before = lab.store.historyReads
        for place in 0..<30 { try await lab.listen(since: lab.cursor(place)).hangUp() }
        try await lab.eventually { await lab.fanouts[0].count == 0 }
        lab.store.openHistory()
        try await lab.eventually { lab.hub.outputBudget.chargedBytes == 0 }
        #expect(StreamTests.offsets(await (try lab.listen(since: lab.cursor(30))).next(12)) == Array(31...41))
        #expect(lab.store.historyReads - before <= LogReads.limit + 1)
    }

    @Test func aSnapshotIsSentAlthoughItsReadUsedTheWholeBudget() async throws {
        let age = Interval(seconds: 3600)
        let lab = try await TestHub(retention: Retention(events: 10, age: age, recordAge: age))
        try await lab.passThrough(400)
        for number in 0..<30 { try await lab.publishLarge(number) }
        lab.hub.outputBudget.change(to: ReplayPage.maximumBytes)
        let listener = try await lab.listen(since: lab.cursor(2))
        #expect(await listener.next(1).first?.data["reset"] == true)
    }

    @Test func theEventsOfAPollAreChargedWhileItWaitsForMore() async throws {
        let lab = try await TestHub()
        for channel in ["ops", "dev"] { for number in 0..<30 { try await lab.publishLarge(number, to: channel) } }
        // Without a viewer no toast is presented, and the snapshot would not contain it.
        let viewer = try await lab.listen()
        lab.store.shutHistory()
        let poll = Task {
            try await lab.poll(of: ["dev", "ops"], since: Cursor("\(lab.hub.epoch.rawValue)-dev.1"))
        }
        try await lab.eventually { lab.hub.outputBudget.chargedBytes > 2 * ReplayPage.maximumBytes }
        lab.store.openHistory()
        var answer = try await poll.value
        var events = try #require(answer["events"]?.array)
        #expect(events.count > 1)
        // The pages of one channel and the snapshot of the other are read independently, so a later poll may get it.
        for _ in 0..<8 where !events.contains(where: { $0["type"] == "snapshot" }) {
            let cursor = try #require(answer["cursor"]?.string)
            answer = try await lab.poll(of: ["dev", "ops"], since: Cursor(cursor))
            events += try #require(answer["events"]?.array)
        }
        #expect(events.count { $0["type"] == "snapshot" } == 1)
        viewer.hangUp()
        try await lab.eventually { lab.hub.outputBudget.chargedBytes == 0 }
    }

    @Test func aStreamThatEndsDuringItsReadLeavesNoCharge() async throws {
        let lab = try await TestHub()
        for number in 0..<40 { try await lab.publishLarge(number) }
        lab.store.shutHistory()
        for _ in 0..<5 { try await lab.listen(since: lab.cursor(1)).hangUp() }
        try await lab.eventually { await lab.fanouts[0].count == 0 }
        lab.store.openHistory()
        try await lab.eventually { lab.hub.outputBudget.chargedBytes == 0 }
        #expect(StreamTests.offsets(await (try lab.listen(since: lab.cursor(1))).next(41)) == Array(2...41))
    }
}

extension TestHub {
    func publishLarge(_ number: Int, size: Int = 20_000, to channel: String = "ops") async throws {
        let long = JSON.string(String(repeating: "x", count: size))
        let draft = try ToastDraft(json: ["message": .string("\(number)"), "duration": 600, "data": ["x": long]])
        _ = try await self.hub.perform(on: Self.name(channel)) { channel throws(ChannelError) in
            try await channel.publish([draft])
        }
    }

    /// Publishes toasts that are cleared at once, so that only events are left of them.
    fileprivate func passThrough(_ count: Int) async throws {
        for _ in 0..<count / 50 {
            for number in 0..<50 { _ = try await self.publish("passes \(number)") }
            _ = try await self.clear()
        }
    }

    /// Does what each beat does for postponed streams, until it is cancelled, so that a test does not wait for beats.
    fileprivate func retryReadsOften() -> Task<Void, any Error> {
        Task { [fanouts] in
            while true {
                for fanout in fanouts { await fanout.retryReads() }
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    fileprivate func cursor(_ offset: Int) -> String { "\(self.hub.epoch.rawValue)-\(offset)" }

    /// Polls without waiting.
    fileprivate func poll(of channels: [String] = ["ops"], since cursor: Cursor?) async throws -> JSON {
        let request = StreamRequest(
            channels: channels.map(Self.name),
            isComposite: channels.count > 1,
            cursor: cursor
        )
        let outcome = try await self.fanouts[0].openPoll(request, wait: .zero) { body, _ in Frame(body) }
        guard case .ready(let body) = outcome else { throw UnexpectedOutcome() }
        return try JSON(parsing: body, depthLimit: 32)
    }
}

extension Fanout {
    /// Whether a stream waits for its peer to read.
    fileprivate var isStuck: Bool { self.streams.all.contains(where: \.isBlocked) }

    /// The number of frames that wait for sockets or to be written.
    fileprivate var waitingFrames: Int {
        self.streams.all.reduce(0) { $0 + $1.collected.frames.count + ($1.writer?.unsent.count ?? 0) }
    }
}
