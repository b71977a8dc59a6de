import Foundation
import Testing

@testable import Toastd

@Suite(.timeLimit(.minutes(3))) struct RestartTests {
    private let server: TestServer
    private let channel: ToastChannel

    init() throws {
        self.server = try TestServer()
        self.channel = ToastServer(self.server.url, attempts: 8).channel("ops")
    }

    @Test(arguments: [SIGTERM, SIGKILL]) func aStreamMissesNothingWhileTheServerRestarts(signal: Int32) async throws {
        var events = self.channel.events(StreamOptions(events: ["enqueued"])).makeAsyncIterator()
        guard case .snapshot = try await events.next()?.kind else { throw Unexpected() }
        for number in 0..<3 { try await self.channel.publish(ToastDraft(.plain("before \(number)"))) }
        #expect(try await Self.message(&events) == "before 0")
        self.server.end(signal)
        try self.server.start()
        for number in 0..<3 { try await self.channel.publish(ToastDraft(.plain("after \(number)"))) }
        var seen: [ToastText?] = []
        for _ in 0..<5 { seen.append(try await Self.message(&events)) }
        #expect(seen == ["before 1", "before 2", "after 0", "after 1", "after 2"])
    }

    @Test func aQuestionOutlastsARestart() async throws {
        async let answer = self.channel.ask(
            ToastDraft("Go on?", duration: .indefinite, actions: [undo]),
            wait: .seconds(90)
        )
        var events = self.channel.events(StreamOptions(events: ["presented"])).makeAsyncIterator()
        var id: String?
        while id == nil {
            if case .presented(let presented) = try await events.next()?.kind { id = presented.id }
        }
        self.server.end(SIGTERM)
        try self.server.start()
        try await self.channel.act(try #require(id), "undo")
        #expect(try await answer.action == "undo")
    }

    @MainActor @Test func theStateOfAChannelIsTrueAgainAfterARestart() async throws {
        let state = ChannelState(self.channel)
        let running = Task { try await state.run() }
        let toast = try await self.channel.publish(ToastDraft("Row deleted", duration: .indefinite, actions: [undo]))
        try await self.channel.publish("Another")
        await Self.wait { state.presented.map(\.id) == [toast.id] && state.queuedCount == 1 }
        #expect(state.isConnected)
        self.server.end(SIGKILL)
        await Self.wait { !state.isConnected }
        #expect(state.presented.map(\.id) == [toast.id])
        try self.server.start()
        try await self.channel.patch(toast.id, "Two rows deleted")
        await Self.wait { state.isConnected && state.presented.first?.toast.message == "Two rows deleted" }
        try await self.channel.hold(toast.id, holder: "viewer-1")
        await Self.wait { state.presented.first?.isHeld == true }
        try await self.channel.dismiss(toast.id)
        await Self.wait { state.presented.map(\.toast.message) == ["Another"] && state.queuedCount == 0 }
        running.cancel()
        try await running.value
        #expect(!state.isConnected)
    }

    struct Unexpected: Error {}

    /// The message of the next toast.
    private static func message(_ events: inout ToastEvents.Iterator) async throws -> ToastText? {
        while let event = try await events.next() {
            if case .enqueued(let toast) = event.kind { return toast.message }
        }
        throw Unexpected()
    }

    /// Waits until a condition is true; the time limit of the suite ends it.
    @MainActor private static func wait(_ condition: @MainActor () -> Bool) async {
        while !condition(), !Task.isCancelled { try? await Task.sleep(for: .milliseconds(10)) }
    }
}
