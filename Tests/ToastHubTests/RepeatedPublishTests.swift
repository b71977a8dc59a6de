import EventLoop
import TestSupport
import Testing
import ToastCore

@testable import ToastHub

/// A publish that another node sends again, because its answer was lost.
@Suite struct RepeatedPublishTests {
    private func publish(_ message: String, lab: TestHub) throws -> ChannelRequest {
        try self.publish([message], lab)
    }

    private func publish(_ messages: [String], _ lab: TestHub) throws -> ChannelRequest {
        var random = RandomBlock()
        let drafts = try messages.map { try ToastDraft(json: ["message": .string($0), "duration": 600]) }
        return .publish(PublishRequest(drafts, ids: drafts.map { _ in ToastID(at: lab.hub.now, using: &random) }))
    }

    private func perform(_ request: ChannelRequest, _ lab: TestHub) async throws -> Publication {
        let answer = try await lab.hub.perform(request, on: TestHub.name("ops"))
        return try #require(answer.publication)
    }

    @Test(arguments: ["identity", "equal"])
    func aPublishThatUpdatesAnEqualToastDoesItOnce(deduplication: String) async throws {
        let lab = try await TestHub()
        let change = SettingsChange(
            .merge(["deduplication": .string(deduplication)]),
            webhooks: nil,
            issues: [],
            if: Precondition(ifMatch: nil, ifNoneMatch: [])
        )
        _ = try await lab.hub.perform(.configure(change), on: TestHub.name("ops"))
        let first = try await self.perform(self.publish("same", lab: lab), lab)
        let request = try self.publish("same", lab: lab)
        let second = try await self.perform(request, lab)
        #expect(second.toasts.map(\.id) == first.toasts.map(\.id))
        let revision = try #require(second.toasts.first?.revision)
        for _ in 0..<3 {
            let again = try await self.perform(request, lab)
            #expect(again.toasts.map(\.id) == first.toasts.map(\.id))
            #expect(!again.isNew && again.known == second.known)
            #expect(again.toasts.first?.revision == revision)
        }
        // Another publish does update it.
        let last = try await self.perform(self.publish("same", lab: lab), lab)
        #expect(last.toasts.first?.revision == (deduplication == "identity" ? revision + 1 : revision))
        #expect(try await lab.summary().queued == 1)
        // The toast has gone meanwhile: the repetition is about it, and not about a new one.
        _ = try await lab.hub.perform(.clear(ToastFilter()), on: TestHub.name("ops"))
        let late = try await self.perform(request, lab)
        #expect(late.toasts.map(\.state) == [.dismissed])
        #expect(!late.isNew && late.known == second.known)
    }

    @Test func aPublishWhoseToastIsForgottenIsNotCarriedOutAgain() async throws {
        let lab = try await TestHub()
        let request = try self.publish("long gone", lab: lab)
        _ = try await self.perform(request, lab)
        try await self.expectNoSecondPublish(of: request, in: lab.hub, lab)
    }

    @Test func theNextOwnerDoesNotCarryItOutAgainEither() async throws {
        let lab = try await TestHub()
        let request = try self.publish("long gone", lab: lab)
        _ = try await self.perform(request, lab)
        let batch = try self.publish(["a", "b", "c"], lab)
        let published = try await self.perform(batch, lab)
        let next = Hub(loops: lab.loops, store: lab.store, clock: lab.hub.clock, gate: StubGate())
        let again = try #require(try await next.performHere(batch, on: TestHub.name("ops")).publication)
        #expect(again.toasts.map(\.id) == published.toasts.map(\.id))
        #expect(again.isNew && again.known.isEmpty)
        try await self.expectNoSecondPublish(of: request, in: next, lab)
    }

    /// Lets a channel forget its toasts, and repeats the publish of one of them.
    private func expectNoSecondPublish(of request: ChannelRequest, in hub: Hub, _ lab: TestHub) async throws {
        // At once, because a publish is remembered for some seconds only.
        let others = try self.publish((0...Engine.maximumHistory).map { "\($0)" }, lab)
        let clear = ChannelRequest.clear(ToastFilter())
        for each in [clear, others, clear, request] { _ = try await hub.performHere(each, on: TestHub.name("ops")) }
        let answer = try await hub.performHere(.read(.summary), on: TestHub.name("ops"))
        guard case .summary(let summary) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(summary.queued == 0)
    }

    @Test func whatWasNotStoredIsForgotten() {
        var recent = RecentPublishes()
        let ids = (0..<4).map { _ in ToastID.random }
        for (index, id) in ids.enumerated() { recent.note(id, at: Offset(rawValue: Int64(index + 1)), .at(0)) }
        recent.forget(after: Offset(rawValue: 2))
        #expect(ids.map(recent.contains) == [true, true, false, false])
        recent.note(ids[3], at: Offset(rawValue: 3), .at(1))
        #expect(recent.contains(ids[3]))
    }

    @Test func aPublishIsRememberedForSomeSeconds() {
        var recent = RecentPublishes()
        let ids = (0..<10_000).map { _ in ToastID.random }
        for id in ids { recent.note(id, at: .origin, .at(0)) }
        #expect(ids.suffix(4096).allSatisfy(recent.contains))
        #expect(ids.count(where: recent.contains) == 4096)
        recent.note(.random, at: .origin, .at(14))
        #expect(recent.contains(ids[9_999]))
        recent.note(.random, at: .origin, .at(16))
        #expect(!ids.contains(where: recent.contains))
    }
}

extension ToastID {
    fileprivate static var random: Self {
        var random = RandomBlock()
        return Self(at: .at(0), using: &random)
    }
}

extension Instant {
    fileprivate static func at(_ seconds: Double) -> Self { Self(nanoseconds: 0) + Interval(seconds: seconds) }
}
