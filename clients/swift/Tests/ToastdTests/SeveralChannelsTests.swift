import Foundation
import Testing

@testable import Toastd

@Suite(.timeLimit(.minutes(1))) struct SeveralChannelsTests {
    private let client: ToastServer
    private let names: [String]

    init() throws {
        self.client = ToastServer(try TestServer.shared.get().url, attempts: 1)
        let name = "swift-\(UUID().uuidString)"
        self.names = ["\(name)-b", "\(name)-a"]
    }

    @Test func aToastIsPublishedInEachChannel() async throws {
        let outcome = try await self.client.publish("Deployed", to: self.names)
        #expect(outcome.summary.channelCount == 2 && outcome.summary.acceptedCount == 2)
        #expect(outcome.results.map(\.channel) == self.names && outcome.results.map(\.status) == [201, 201])
        #expect(outcome.results.allSatisfy { $0.problem == nil && $0.warnings == nil } && outcome.warnings == nil)
        for (name, result) in zip(self.names, outcome.results) {
            #expect(try await self.client.channel(name).toasts() == [#require(result.toast)])
        }
    }

    @Test func aChannelThatRefusesSaysWhyAndTheOtherHasTheToast() async throws {
        try await self.fill(self.names[0])
        let outcome = try await self.client.publish("Deployed", to: self.names)
        #expect(outcome.summary.acceptedCount == 1 && outcome.summary.refusedCount == 1)
        #expect(outcome.results.map(\.status) == [429, 201])
        let refusal = try #require(outcome.results[0].problem)
        #expect(refusal.status == 429 && refusal.type == "queue-full" && refusal.retryAfter == 5)
        #expect(refusal.detail == "The queue holds at most 1 toasts." && refusal.document?["status"] == 429)
        #expect(outcome.results[0].toast == nil && outcome.results[1].toast?.message == "Deployed")
        #expect(try await self.client.channel(self.names[1]).toasts().count == 1)
    }

    @Test func theSameCallWithTheSameKeyTriesOnlyTheRefusalsAgain() async throws {
        try await self.fill(self.names[0])
        let first = try await self.client.publish("Deployed", to: self.names, key: "k")
        #expect(first.results.map(\.status) == [429, 201])
        try await self.client.channel(self.names[0]).clear()
        let second = try await self.client.publish("Deployed", to: self.names, key: "k")
        #expect(second.results[0].status == 201 && second.results[1].toast?.id == first.results[1].toast?.id)
        #expect(try await self.client.channel(self.names[1]).toasts().count == 1)
    }

    @Test func aToastThatNoChannelAcceptsIsRefused() async throws {
        for name in self.names { try await self.fill(name) }
        let refusal = try await problem(of: { _ = try await self.client.publish("Deployed", to: self.names) })
        #expect(refusal.status == 429 && refusal.type == "queue-full")
        #expect(refusal.document?["summary"]?["refusedCount"] == 2)
        guard case .array(let results) = refusal.document?["results"] else { throw Unexpected() }
        #expect(results.map { $0["channel"] } == self.names.map { .string($0) })
    }

    @Test func aListThatIsNoneIsRefused() async throws {
        for names in [[], ["ops", "ops"], [".."]] {
            let refusal = try await problem(of: { _ = try await self.client.publish("Deployed", to: names) })
            #expect(refusal.status == 422 && refusal.type == "invalid-toast")
        }
    }

    @Test func aStreamOfSeveralChannelsHasTheEventsOfEach() async throws {
        let options = StreamOptions(events: ["enqueued"], isAudience: false)
        var events = self.client.events(of: self.names, options).makeAsyncIterator()
        var channels: Set<String?> = []
        for _ in self.names {
            let event = try await events.next()
            guard case .snapshot = event?.kind else { throw Unexpected() }
            channels.insert(event?.channel)
        }
        #expect(channels == Set(self.names))
        var cursor: String?
        for name in self.names {
            try await self.client.channel(name).publish("Deployed")
            let event = try await events.next()
            guard case .enqueued(let toast) = event?.kind else { throw Unexpected() }
            #expect(toast.channel == name && event?.channel == name)
            cursor = cursor ?? event?.cursor
        }
        // A cursor is a position in all channels: after the first of the two events, only the second is missed.
        var missed = self.client.events(
            of: self.names,
            StreamOptions(since: cursor, events: ["enqueued"], isAudience: false)
        ).makeAsyncIterator()
        try await self.client.channel(self.names[0]).publish("Again")
        var seen: [String: Int] = [:]
        for _ in 0..<4 {
            let event = try await missed.next()
            if case .enqueued(let toast) = event?.kind { seen[toast.channel, default: 0] += 1 }
        }
        #expect(seen == [self.names[0]: 1, self.names[1]: 1])
    }

    @Test(arguments: [([], "invalid-parameter"), (["ops", ".."], "invalid-channel-name")])
    func aStreamOfNoChannelIsRefused(names: [String], type: String) async throws {
        let refusal = try await problem(of: { for try await _ in self.client.events(of: names) {} })
        #expect(refusal.status == 400 && refusal.type == type)
    }

    struct Unexpected: Error {}

    /// Lets a channel have one toast that waits, and no other.
    private func fill(_ name: String) async throws {
        let path = ["v1", "channels", name, "settings"]
        _ = try await self.client.send(try .sending("PUT", path, ["capacity": 1]))
        try await self.client.channel(name).publish("Full")
    }
}
