import Synchronization
import TestSupport
import Testing
import ToastCore

@testable import ToastCluster
@testable import ToastHub

/// What listeners of a channel get at a node that follows it.
@Suite struct FollowedChannelsTests {
    @Test func whatIsKnownIsCutOff() throws {
        let observer = RecordingObserver()
        var channels = Self.channels(with: observer)
        channels.begin(Self.name, at: Offset(rawValue: 2))
        channels.take(try Self.broadcast(1...2))
        channels.take(try Self.broadcast(2...4))
        channels.take(try Self.broadcast(3...4))
        // After a gap, which listeners notice by the offset.
        channels.take(try Self.broadcast(7...8))
        #expect(observer.seen.withLock { $0 } == ["events 3...4", "events 7...8"])
        #expect(channels.position(in: Self.name) == Offset(rawValue: 8))
    }

    @Test func aLaterEndOfTheLogIsToldOnce() throws {
        let observer = RecordingObserver()
        var channels = Self.channels(with: observer)
        channels.begin(Self.name, at: Offset(rawValue: 2))
        for last: Int64 in [1, 2, 5, 5, 4] { channels.learn(Offset(rawValue: last), of: Self.name) }
        channels.take(try Self.broadcast(3...5))
        #expect(observer.seen.withLock { $0 } == ["stored 5"])
    }

    @Test func anOpeningDoesNotHideEventsOnTheirWay() throws {
        let observer = RecordingObserver()
        var channels = Self.channels(with: observer)
        channels.begin(Self.name, at: Offset(rawValue: 2))
        channels.begin(Self.name, at: Offset(rawValue: 4))
        channels.take(try Self.broadcast(3...4))
        #expect(observer.seen.withLock { $0 } == ["events 3...4"])
    }

    @Test func afterARestartEarlierOffsetsAreNew() throws {
        let observer = RecordingObserver()
        var channels = Self.channels(with: observer)
        channels.begin(Self.name, at: Offset(rawValue: 8))
        channels.restart(Self.name)
        channels.take(try Self.broadcast(5...6))
        #expect(observer.seen.withLock { $0 } == ["restart", "events 5...6"])
        #expect(channels.position(in: Self.name) == Offset(rawValue: 6))
    }

    @Test func theEndOfTheLogIsToldAfterARestart() {
        let observer = RecordingObserver()
        var channels = Self.channels(with: observer)
        channels.begin(Self.name, at: Offset(rawValue: 8))
        channels.restart(Self.name)
        channels.learn(Offset(rawValue: 5), of: Self.name)
        #expect(observer.seen.withLock { $0 } == ["restart", "stored 5"])
    }

    @Test func countsAreThoseOfAllObserversAndTheirNumberRises() {
        var channels = FollowedChannels()
        let (one, other) = (RecordingObserver(), RecordingObserver())
        let reader = ChannelListener(transport: .sse, isAssistive: true, scale: 2)
        channels.count(reader, of: one, in: Self.name, by: 1)
        channels.count(reader, of: other, in: Self.name, by: 1)
        channels.count(.unseen, of: other, in: Self.name, by: 1)
        let counts = channels.counts(of: Self.name)
        #expect(counts.transports == [2, 0, 0] && counts.unseen == 1 && counts.isAssistive && counts.scale == 2)
        channels.count(reader, of: one, in: Self.name, by: -1)
        channels.count(reader, of: other, in: Self.name, by: -1)
        channels.count(.unseen, of: other, in: Self.name, by: -1)
        let later = channels.counts(of: Self.name)
        #expect(later.isEmpty && later.sequence > counts.sequence)
        #expect(channels.names.isEmpty)
    }

    @Test func earlierCountsDoNotReplaceLaterOnes() {
        var listeners = ChannelListeners()
        let observer = RecordingObserver()
        var counts = ListenerCounts()
        (counts.transports, counts.sequence) = ([0, 3, 0], 7)
        listeners.replace(counts, of: observer)
        (counts.transports, counts.sequence) = ([9, 9, 9], 6)
        listeners.replace(counts, of: observer)
        #expect(listeners.transports == [.websocket: 3])
        listeners.removeAll(of: observer)
        #expect(listeners.isEmpty)
    }

    @Test func audiencesLapseOneByOne() throws {
        var audience = RemoteAudience()
        var random = SplitMix64(seed: 1)
        let id = NodeID(using: &random)
        let node = audience.node(id) { FollowingNode(id: id) { _ in } }
        let other = try #require(ChannelName(rawValue: "other"))
        audience.renew(Self.name, of: id, at: Instant(nanoseconds: 10), ListenerCounts())
        audience.renew(other, of: id, at: Instant(nanoseconds: 20), ListenerCounts())
        #expect(audience.lapse(before: Instant(nanoseconds: 10)).isEmpty)
        let lapsed = audience.lapse(before: Instant(nanoseconds: 20))
        #expect(lapsed.map(\.1) == [Self.name] && lapsed.first?.0 === node)
        audience.release { $0 == other }
        #expect(audience.lapse(before: Instant(nanoseconds: 99)).isEmpty)
    }

    @Test func bundlesAreNotLongerThanTheBusCarries() throws {
        let limit = MessageLimit(bytes: 4096)
        let names = (0..<300).compactMap { ChannelName(rawValue: "channel-\($0)") }
        let messages = names.map { MessageParts.bytes(.restart, of: $0) }
        let bundles = MessageBundle.encode(messages, within: limit)
        #expect(bundles.count > 1 && bundles.allSatisfy { $0.count <= limit.bytes })
        let unpacked = try bundles.flatMap { body -> [[UInt8]] in
            guard case .bundle(let bodies) = try ClusterMessage.decode(body) else { return [body] }
            return bodies
        }
        #expect(unpacked == messages)
        #expect(MessageBundle.encode([messages[0]], within: limit) == [messages[0]])
        #expect(MessageBundle.encode([], within: limit).isEmpty)
    }

    private static let name = TestNode.name("ops")

    private static func channels(with observer: RecordingObserver) -> FollowedChannels {
        var channels = FollowedChannels()
        channels.count(.unseen, of: observer, in: Self.name, by: 1)
        return channels
    }

    private static func broadcast(_ offsets: ClosedRange<Int64>) throws -> Broadcast {
        let events = try offsets.map { offset in
            let head = #"{"type":"released","channel":"ops","cursor":"aaaaaaaa-\#(offset)""#
            let envelope = head + #","at":"2026-01-01T00:00:00.000Z"}"#
            return try #require(BroadcastEvent(envelope: Array(envelope.utf8), ending: nil))
        }
        return Broadcast(channel: Self.name, events: events)
    }
}

/// Records its calls.
private final class RecordingObserver: ChannelObserver {
    let seen = Mutex<[String]>([])

    func receive(_ broadcast: Broadcast) {
        guard let first = broadcast.events.first, let last = broadcast.events.last else { return }
        self.seen.withLock { $0.append("events \(first.offset.rawValue)...\(last.offset.rawValue)") }
    }

    func channelDidRestart(_ name: ChannelName) {
        self.seen.withLock { $0.append("restart") }
    }

    func channel(_ name: ChannelName, isStoredThrough offset: Offset) {
        self.seen.withLock { $0.append("stored \(offset.rawValue)") }
    }
}
