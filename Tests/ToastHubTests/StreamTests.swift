import TestSupport
import Testing
import ToastAccess
import ToastCore

@testable import ToastHub

@Suite struct StreamTests {
    @Test(arguments: [0, 1]) func aStreamOnAnyLoopHearsEveryEventOnce(loop: Int) async throws {
        let lab = try await TestHub()
        let listener = try await lab.listen(on: loop)
        for number in 0..<50 { _ = try await lab.publish("\(number)") }
        // 50 enqueued events and the first presentation.
        let events = await listener.next(52)
        #expect(events.first?.type == "snapshot")
        #expect(Self.offsets(events) == Array(0...51))
    }

    @Test(arguments: [0, 1]) func aStreamResumesFromItsCursor(loop: Int) async throws {
        let lab = try await TestHub()
        for number in 0..<5 { _ = try await lab.publish("\(number)") }
        let listener = try await lab.listen(on: loop, since: "\(lab.hub.epoch.rawValue)-2")
        _ = try await lab.publish("live")
        // Three missed events, the first presentation because a viewer is there now, and the live event.
        let events = await listener.next(6)
        #expect(events.map(\.type) == ["resumed", "enqueued", "enqueued", "enqueued", "presented", "enqueued"])
        #expect(Self.offsets(events) == [3, 4, 5, 6, 7])
    }

    /// Concurrent publishers and listeners on both loops: every listener gets offsets without gap or repetition.
    ///
    /// There are fewer events than the limit of waiting frames, so that no listener is closed as slow.
    @Test(arguments: [false, true])
    func aListenerThatJoinsDuringPublishesMissesNothing(isImmediate: Bool) async throws {
        let lab = try await TestHub(hasImmediateStore: isImmediate)
        let publishers = (0..<4).map { writer in
            Task { for number in 0..<50 { _ = try await lab.publish("\(writer) \(number)") } }
        }
        let readers = (0..<20).map { reader in
            Task {
                let listener = try await lab.listen(on: reader % 2)
                let first = try #require(await listener.next(1).first)
                let start = try #require(Self.offsets([first]).first)
                let rest = await listener.next(201 - start)
                return [start] + Self.offsets(rest) == Array(start...201)
            }
        }
        for publisher in publishers { try await publisher.value }
        for reader in readers { #expect(try await reader.value) }
    }

    @Test func oneCursorResumesSeveralChannels() async throws {
        let lab = try await TestHub()
        let both = try await lab.listen(to: ["ops", "dev"], isComposite: true)
        _ = try await lab.publish("1", to: "ops")
        _ = try await lab.publish("2", to: "dev")
        let events = await both.next(6)
        let cursor = try #require(events.last?.id)
        #expect(events.allSatisfy { $0.id == nil || $0.data["cursor"]?.string == $0.id })
        _ = try await lab.publish("3", to: "ops")
        _ = try await lab.publish("4", to: "dev")
        let again = await (try lab.listen(to: ["ops", "dev"], on: 1, since: cursor, isComposite: true)).next(4)
        #expect(again.filter { $0.type == "resumed" }.count == 2)
        #expect(Set(again.compactMap { $0.data["toast"]?["message"]?.string }) == ["3", "4"])
    }

    @Test func aFilterPassesOnlyTheGivenTypes() async throws {
        let lab = try await TestHub()
        let listener = try await lab.listen(filter: EventFilter([.enqueued]))
        for number in 0..<3 { _ = try await lab.publish("\(number)") }
        #expect(await listener.next(4).map(\.type) == ["snapshot", "enqueued", "enqueued", "enqueued"])
    }

    @Test func eachStreamGetsOnlyTheTypesOfItsFilter() async throws {
        let lab = try await TestHub()
        let filters: [EventFilter] = [.all, EventFilter([.dismissed]), EventFilter([.enqueued, .presented]), .all]
        var listeners: [Listener] = []
        for filter in filters { listeners.append(try await lab.listen(filter: filter)) }
        for listener in listeners { #expect(await listener.next(1).map(\.type) == ["snapshot"]) }
        _ = try await lab.publish("1")
        _ = try await lab.publish("2")
        _ = try await lab.clear()
        let all = ["enqueued", "presented", "enqueued", "dismissed", "dismissed"]
        let expected = [all, all.filter { $0 == "dismissed" }, all.filter { $0 != "dismissed" }, all]
        for (listener, types) in zip(listeners, expected) {
            #expect(await listener.next(types.count).map(\.type) == types)
        }
        // Filtered events advance the position as well: each stream gets the next events once.
        _ = try await lab.publish("3")
        _ = try await lab.clear()
        #expect(Self.offsets(await listeners[1].next(1)).count == 1)
        #expect(await listeners[2].next(1).map(\.type) == ["enqueued"])
        #expect(Self.offsets(await listeners[3].next(2)) == [6, 7])
    }

    @Test func aFilteredClientThatReadsLateMissesNothing() async throws {
        let lab = try await TestHub()
        let late = try await lab.listen(filter: EventFilter([.enqueued]))
        let long = String(repeating: "x", count: 4000)
        for number in 0..<100 { _ = try await lab.publish("\(number) \(long)") }
        #expect(await lab.fanouts[0].blockedStreams == 1)
        let events = await late.next(101)
        #expect(events.dropFirst().allSatisfy { $0.type == "enqueued" })
        #expect(Set(Self.offsets(events)).count == 101)
    }

    @Test func aCachedPageIsUsedOnlyForAMatchingPosition() async throws {
        let lab = try await TestHub()
        for number in 0..<4 { _ = try await lab.publish("\(number)") }
        let epoch = lab.hub.epoch.rawValue
        // The first stream causes the first presentation, which is the fifth event.
        for (start, last) in [(1, 5), (1, 6), (2, 7), (1, 8)] {
            let listener = try await lab.listen(since: "\(epoch)-\(start)")
            #expect(Self.offsets(await listener.next(last - start + 1)) == Array(start + 1...last))
            _ = try await lab.publish("more")
        }
    }

    /// Streams that resume in the same millisecond share the `resumed` frame, except a composite stream, which has
    /// cursors of its own.
    @Test(arguments: [0, 1]) func streamsThatResumeTogetherGetTheirOwnCursors(loop: Int) async throws {
        let lab = try await TestHub()
        for number in 0..<4 { _ = try await lab.publish("\(number)") }
        let epoch = lab.hub.epoch.rawValue
        for _ in 0..<10 {
            let one = try await lab.listen(on: loop, since: "\(epoch)-1")
            let places = "\(epoch)-dev.0~ops.1"
            let several = try await lab.listen(to: ["ops", "dev"], on: loop, since: places, isComposite: true)
            let other = try await lab.listen(on: loop, since: "\(epoch)-2")
            #expect(await one.next(1).first?.data["cursor"]?.string == "\(epoch)-1")
            #expect(await several.next(1).first?.data["cursor"]?.string == places)
            #expect(await other.next(1).first?.data["cursor"]?.string == "\(epoch)-2")
        }
    }

    @Test func aStreamThatEndsLeavesTheOthersInPlace() async throws {
        let lab = try await TestHub()
        var listeners: [Listener] = []
        for _ in 0..<6 { listeners.append(try await lab.listen()) }
        // The last slot moves to the index of the first, and is then removed from there.
        for left in [5, 4] {
            let gone = left == 5 ? listeners.removeFirst() : listeners.removeLast()
            gone.hangUp()
            try await lab.eventually { await lab.fanouts[0].count == left }
        }
        listeners.append(try await lab.listen())
        _ = try await lab.publish("1")
        for listener in listeners { #expect(Self.offsets(await listener.next(3)) == [0, 1, 2]) }
        #expect(try await lab.summary().audience == [.sse: 5])
    }

    @Test func theAudienceEndsWithItsStreams() async throws {
        let lab = try await TestHub()
        var listeners = [try await lab.listen(on: 0), try await lab.listen(on: 1)]
        #expect(try await lab.summary().audience[.sse] == 2)
        listeners.removeAll()
        try await lab.eventually { try await lab.summary().audience[.sse, default: 0] == 0 }
        for fanout in lab.fanouts { #expect(await fanout.count == 0) }
    }

    @Test func releasingAPendingStreamEndsTheStream() async throws {
        let lab = try await TestHub()
        let request = StreamRequest(channels: [TestHub.name("ops")], isComposite: false)
        _ = try await lab.fanouts[0].openEventStream(request)
        try await lab.eventually { await lab.fanouts[0].count == 0 }
        #expect(try await lab.summary().audience[.sse, default: 0] == 0)
    }

    @Test func aStreamIsRefusedWhenThePermissionHasEndedMeanwhile() async throws {
        let lab = try await TestHub()
        func request(_ name: String) -> StreamRequest {
            let caller = Caller(Principal(name: name, grants: []), from: .unknown, isProgram: true)
            return StreamRequest(channels: [TestHub.name("ops")], isComposite: false, caller: caller)
        }
        // The permission was checked before the access file was reloaded; the request arrives here after streams
        // without permission were ended.
        await lab.fanouts[0].endStreams { $0.name != "key:gone" }
        await #expect(throws: StreamError.permissionsEnded) {
            try await lab.fanouts[0].openEventStream(request("key:gone"))
        }
        await #expect(throws: StreamError.permissionsEnded) {
            try await lab.fanouts[0].openWebSocket(request("key:gone"))
        }
        _ = try await lab.fanouts[0].openEventStream(request("key:kept"))
    }

    @Test func aClientThatDoesNotReadIsClosedAndDelaysNoOther() async throws {
        let lab = try await TestHub()
        let stalled = try await lab.listen()
        let live = try await lab.listen()
        let long = String(repeating: "x", count: 4000)
        var published = 0
        while published < 900, lab.fanouts[0].meter.closed(.sse, .slow) == 0 {
            _ = try await lab.publish("\(published) \(long)")
            published += 1
            // A client that reads along is never closed as slow, however slow the machine is.
            #expect(await live.next(1).count == 1)
        }
        #expect(published > 100)
        #expect(lab.fanouts[0].meter.closed(.sse, .slow) == 1)
        #expect(await lab.fanouts[0].count == 1)
        withExtendedLifetime(stalled) {}
    }

    @Test func aClientThatReadsLateMissesNothing() async throws {
        let lab = try await TestHub()
        let late = try await lab.listen()
        let long = String(repeating: "x", count: 4000)
        for number in 0..<100 { _ = try await lab.publish("\(number) \(long)") }
        // It was a direct subscriber until its socket was full; from then on its frames went through its send queue.
        #expect(await lab.fanouts[0].blockedStreams == 1)
        #expect(Self.offsets(await late.next(102)) == Array(0...101))
        _ = try await lab.publish("live again")
        #expect(Self.offsets(await late.next(1)) == [102])
    }

    @Test func manyEventsAtOnceDoNotCloseACompositeStream() async throws {
        let lab = try await TestHub()
        let late = try await lab.listen(to: ["ops", "dev"], isComposite: true)
        try await lab.publishAtOnce(400)
        // More frames than the limit, and more bytes than a socket takes: two snapshots, 400 enqueued events and one
        // presentation.
        #expect(await late.next(403).count == 403)
        #expect(lab.fanouts[0].meter.closed(.sse, .slow) == 0)
    }

    @Test func aSubscriptionWithALongHistoryDoesNotCloseTheSocket() async throws {
        let lab = try await TestHub()
        try await lab.publishAtOnce(400)
        let (pendingStream, far) = try await lab.openSocket()
        let cursor = Cursor(epoch: lab.hub.epoch, offsets: [TestHub.name("ops"): .origin])
        try await lab.fanouts[0].subscribe(pendingStream.id, to: TestHub.name("ops"), since: cursor)
        #expect(await lab.fanouts[0].count == 1)
        #expect(lab.fanouts[0].meter.closed(.websocket, .slow) == 0)
        withExtendedLifetime(far) {}
    }

    /// The maximum of `--history-events`, plus the events beyond it that are not pruned yet.
    @Test func theLongestHistoryIsReplayedWhole() async throws {
        let age = Interval(seconds: 3600)
        let lab = try await TestHub(retention: Retention(events: 100_000, age: age, recordAge: age))
        let (name, last) = (TestHub.name("ops"), Offset(rawValue: 100_050))
        let fresh = StoredChannel(snapshot: nil, tail: [], last: last)
        let engine = try Engine(channel: name, epoch: lab.hub.epoch, fresh)
        let (now, epoch) = (lab.hub.clock.now, lab.hub.epoch)
        let events = (1...last.rawValue).map { offset in
            let head = #""channel":"ops","cursor":"\#(epoch.rawValue)-\#(offset)","at":"2027-01-15T08:00:00.000Z""#
            let envelope = Array(#"{"type":"released",\#(head)}"#.utf8)
            return StoredEvent(offset: Offset(rawValue: offset), at: now, envelope: envelope)
        }
        let snapshot = StoredSnapshot(offset: last, state: engine.snapshotState())
        let change = Append(channel: name, expected: .origin, events: .written(events), snapshot: snapshot)
        try await lab.store.append(change)
        let listener = try await lab.listen(since: "\(lab.hub.epoch.rawValue)-0")
        let received = await listener.next(events.count + 1)
        let isWhole = Self.offsets(received) == Array(1...events.count)
        #expect(isWhole)
    }

    @Test func streamsThatResumeTogetherGetTheirOwnMissedEvents() async throws {
        let lab = try await TestHub()
        for number in 0..<8 { _ = try await lab.publish("\(number)") }
        let listeners = try await withThrowingTaskGroup(of: (Int, Listener).self) { group in
            for number in 0..<12 {
                let start = [2, 2, 5][number % 3]
                group.addTask { (start, try await lab.listen(since: "\(lab.hub.epoch.rawValue)-\(start)")) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for (start, listener) in listeners {
            // "resumed" has no offset; the last event is the first presentation.
            #expect(Self.offsets(await listener.next(10 - start)) == Array(start + 1...9))
        }
    }

    @Test func aReplayStopsWhenThePeerIsGone() async throws {
        let lab = try await TestHub()
        for number in 0..<50 { _ = try await lab.publish("\(number)") }
        let (pendingStream, far) = try await lab.openSocket()
        far.hangUp()
        // The first write detects that the peer is gone; the other fifty frames must not be written.
        let cursor = Cursor(epoch: lab.hub.epoch, offsets: [TestHub.name("ops"): .origin])
        try await lab.fanouts[0].subscribe(pendingStream.id, to: TestHub.name("ops"), since: cursor)
        try await lab.eventually { await lab.fanouts[0].count == 0 }
        #expect(try await lab.summary().audience[.websocket, default: 0] == 0)
    }

    @Test func aStreamAboveTheLimitIsRefused() async throws {
        let lab = try await TestHub(streamLimit: 1)
        let listener = try await lab.listen()
        await #expect(throws: StreamError.tooManyStreams) { try await lab.listen() }
        withExtendedLifetime(listener) {}
    }

    @Test func drainingTellsEveryStreamWhenToReconnect() async throws {
        let lab = try await TestHub()
        let listener = try await lab.listen()
        await lab.fanouts[0].drain()
        let events = await listener.next(3)
        #expect(events.map(\.type) == ["snapshot", "shutdown"])
        let retry = try #require(events.last?.data["retry"]?.number)
        #expect((1...10).contains(retry))
        await #expect(throws: StreamError.draining) { try await lab.listen() }
    }

    /// The offsets of those events that have one.
    static func offsets(_ events: [Listener.Received]) -> [Int] {
        events.compactMap { $0.id.flatMap { Int($0.split(separator: "-").last ?? "") } }
    }
}

extension TestHub {
    /// Publishes a number of toasts in one request, a few hundred bytes each.
    fileprivate func publishAtOnce(_ count: Int) async throws {
        let long = String(repeating: "x", count: 300)
        let drafts = try (0..<count).map { try ToastDraft(message: "\($0) \(long)") }
        _ = try await self.hub.perform(on: Self.name("ops")) { channel throws(ChannelError) in
            try await channel.publish(drafts)
        }
    }

    func clear() async throws -> Int {
        try await self.hub.perform(on: Self.name("ops")) { channel throws(ChannelError) in try await channel.clear() }
    }

    /// Waits for an effect of other threads, for at most two minutes, which only a very busy machine needs.
    func eventually(_ condition: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(120)
        while try await !condition() {
            try #require(ContinuousClock.now < end, "It did not come about.")
            await Task.yield()
        }
    }
}

extension Fanout {
    fileprivate var blockedStreams: Int { self.streams.all.count(where: \.isBlocked) }
}
