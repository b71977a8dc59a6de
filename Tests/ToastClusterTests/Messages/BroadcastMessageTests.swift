import Testing
@testable import ToastHub

@testable import ToastCluster
@testable import ToastCore

/// Events on their way to a node that follows their channel.
@Suite struct BroadcastMessageTests {
    /// Events of a channel from the first to the last, with the final states of the toasts that were dismissed.
    private func message(_ generator: inout Generator) throws -> Broadcast {
        var engine = Engine(channel: try generator.channel(), epoch: try generator.epoch(), after: generator.early())
        engine.lexicon = generator.lexicon
        var events = try engine.apply(.audience(Audience(isAttached: true)), at: Generator.start)
        events += try engine.apply(.configure(try generator.settings()), at: Generator.start)
        let new = try (0..<3).map { _ in NewToast(id: generator.id(), draft: try generator.draft()) }
        events += (try? engine.enqueue(new, at: Generator.start).events) ?? []
        events += try engine.apply(.clear, at: Generator.start)
        let endings = Dictionary(uniqueKeysWithValues: engine.dismissed.map { ($0.id, $0) })
        let broadcast = events.map { event in
            let stored = event.stored(channel: engine.channel, epoch: engine.epoch)
            return BroadcastEvent(event, stored, generator.chance(50) ? endings : [:])
        }
        return Broadcast(channel: engine.channel, events: broadcast)
    }

    private func again(_ bytes: [UInt8]) throws -> Broadcast {
        guard case .events(let again) = try ClusterMessage.decode(bytes) else {
            throw MessageError.malformed("no events")
        }
        return again
    }

    @Test(arguments: 0..<40 as Range<UInt64>) func everyEventArrivesAsListenersNeedIt(seed: UInt64) throws {
        var generator = Generator(seed: seed)
        let message = try self.message(&generator)
        let again = try self.again(message.encoded())
        #expect(again.channel == message.channel)
        #expect(again.events.count == message.events.count)
        for (again, event) in zip(again.events, message.events) {
            #expect(again.offset == event.offset)
            #expect(again.type == event.type)
            #expect(again.at == event.at)
            #expect(again.envelope == event.envelope)
            #expect(again.dismissedToast == event.dismissedToast)
            #expect(exact(again.ending as Any) == exact(event.ending as Any))
            if event.type == .dismissed { #expect(exact(again.kind as Any) == exact(event.kind as Any)) }
        }
    }

    @Test func eventsThatAreTooLongTogetherGoOneAfterTheOther() throws {
        var generator = Generator(seed: 1)
        let channel = try #require(ChannelName(rawValue: "ops"))
        var engine = Engine(channel: channel, epoch: try generator.epoch())
        let draft = try ToastDraft(message: String(repeating: "a", count: 2000))
        let new = (0..<20).map { _ in NewToast(id: generator.id(), draft: draft) }
        let events = try engine.enqueue(new, at: Generator.start).events.map { event in
            BroadcastEvent(event, event.stored(channel: channel, epoch: engine.epoch))
        }
        let message = Broadcast(channel: channel, events: events)
        let parts = try message.encoded(within: MessageLimit(bytes: 16_384))
        #expect(parts.count == 4)
        #expect(parts.allSatisfy { $0.count <= 16_384 })
        #expect(try parts.flatMap { try self.again($0).events.map(\.offset) } == events.map(\.offset))
        #expect(try message.encoded(within: .standard) == [message.encoded()])

        let single = Broadcast(channel: channel, events: Array(events.prefix(1)))
        let long = try Broadcast(channel: channel, events: [self.long(&generator)])
        #expect(try single.encoded(within: MessageLimit(bytes: 1)).count == 1)
        #expect(throws: MessageError.tooLong(long.encoded().count)) { try long.encoded(within: MessageLimit(bytes: 1)) }
    }

    private func long(_ generator: inout Generator) throws -> BroadcastEvent {
        let channel = try #require(ChannelName(rawValue: "ops"))
        var engine = Engine(channel: channel, epoch: try generator.epoch())
        let draft = try ToastDraft(message: String(repeating: "a", count: 4096))
        let events = try engine.enqueue([NewToast(id: generator.id(), draft: draft)], at: Generator.start).events
        let event = try #require(events.first)
        return BroadcastEvent(event, event.stored(channel: channel, epoch: engine.epoch))
    }

    @Test func eventsWithAGapAreRefused() throws {
        var generator = Generator(seed: 1)
        let message = try self.message(&generator)
        let gap = Broadcast(channel: message.channel, events: [message.events[0], message.events[2]])
        #expect(throws: MessageError.malformed("An event is missing.")) { try self.again(gap.encoded()) }
    }

    @Test func theRestartOfAChannelArrives() throws {
        let channel = try #require(ChannelName(rawValue: "ops"))
        let message = MessageParts.bytes(.restart, of: channel)
        guard case .restart(let again) = try ClusterMessage.decode(message) else {
            Issue.record("This is another message.")
            return
        }
        #expect(again == channel)
    }

    @Test func theNewsOfALateChangeArrives() throws {
        let channel = try #require(ChannelName(rawValue: "ops"))
        let message = MessageParts.bytes(.lateChange, of: channel)
        guard case .lateChange(let again) = try ClusterMessage.decode(message) else {
            Issue.record("This is another message.")
            return
        }
        #expect(again == channel)
    }
}
