import Foundation
import Testing

@testable import Toastd

@Suite(.timeLimit(.minutes(3))) struct RestartTests {
    private let server: TestServer
    private let client: ToastServer
    private let channel: ToastChannel

    init() throws {
        self.server = try TestServer()
        self.client = ToastServer(self.server.url, attempts: 8)
        self.channel = self.client.channel("ops")
    }

    @Test(arguments: [SIGTERM, SIGKILL]) func aStreamMissesNothingWhileTheServerRestarts(signal: Int32) async throws {
        var events = self.channel.events(StreamOptions(events: ["enqueued"])).makeAsyncIterator()
        guard case .snapshot = try await events.next()?.kind else { throw Unexpected() }
        for number in 0..<3 { try await self.channel.publish(ToastDraft(.plain("before \(number)"))) }
        #expect(try await Self.toast(&events).message == "before 0")
        self.server.end(signal)
        try self.server.start()
        for number in 0..<3 { try await self.channel.publish(ToastDraft(.plain("after \(number)"))) }
        var seen: [ToastText?] = []
        for _ in 0..<5 { seen.append(try await Self.toast(&events).message) }
        #expect(seen == ["before 1", "before 2", "after 0", "after 1", "after 2"])
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func aStreamOfSeveralChannelsMissesAndDoublesNothingWhileTheServerRestarts(signal: Int32) async throws {
        let names = ["ops", "lobby"]
        var events = self.client.events(of: names, StreamOptions(events: ["enqueued"])).makeAsyncIterator()
        for _ in names { guard case .snapshot = try await events.next()?.kind else { throw Unexpected() } }
        for text in ["before 0", "before 1"] as [ToastDraft] {
            for name in names { try await self.client.channel(name).publish(text) }
        }
        // When the connection is lost, the reader has taken both toasts of one channel, and the first of the other.
        var seen: [String: [ToastText?]] = [:]
        try await Self.read(3, of: &events, into: &seen)
        self.server.end(signal)
        try self.server.start()
        for text in ["after 0", "after 1"] as [ToastDraft] { _ = try await self.client.publish(text, to: names) }
        try await Self.read(5, of: &events, into: &seen)
        // What comes next would be an event that came before.
        _ = try await self.client.publish("last", to: names)
        try await Self.read(2, of: &events, into: &seen)
        let all: [ToastText?] = ["before 0", "before 1", "after 0", "after 1", "last"]
        #expect(seen == ["ops": all, "lobby": all])
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

    /// The next toast.
    private static func toast(_ events: inout ToastEvents.Iterator) async throws -> Toast {
        while let event = try await events.next() {
            if case .enqueued(let toast) = event.kind { return toast }
        }
        throw Unexpected()
    }

    /// Reads so many toasts, and collects the messages of each channel.
    private static func read(
        _ count: Int,
        of events: inout ToastEvents.Iterator,
        into seen: inout [String: [ToastText?]]
    ) async throws {
        for _ in 0..<count {
            let toast = try await Self.toast(&events)
            seen[toast.channel, default: []].append(toast.message)
        }
    }

    /// Waits until a condition is true; the time limit of the suite ends it.
    @MainActor private static func wait(_ condition: @MainActor () -> Bool) async {
        while !condition(), !Task.isCancelled { try? await Task.sleep(for: .milliseconds(10)) }
    }
}
