import Foundation
import Testing

@testable import Toastd

let undo = ToastAction(id: "undo", title: "Undo")

@Suite(.timeLimit(.minutes(2))) struct ClientTests {
    private let channel: ToastChannel

    init() throws {
        self.channel = ToastServer(try TestServer.shared.get().url).channel("swift-\(UUID().uuidString)")
    }

    @Test func aToastIsPublishedListedChangedAndTakenBack() async throws {
        var draft = ToastDraft("1 of 2", role: .success, duration: .long, data: ["n": 1])
        draft.progress = ToastProgress(value: 1, total: 2)
        let toast = try await self.channel.publish(draft)
        #expect(toast.state == "queued")
        #expect(toast.duration == .seconds(4))
        #expect(toast.data == ["n": 1])
        #expect(toast.progress?.fraction == 0.5)
        #expect(try await self.channel.toasts() == [self.channel.toast(toast.id)])
        let changed = try await self.channel.patch(toast.id, "2 of 2", revision: 1)
        #expect(changed.message == "2 of 2")
        await #expect(throws: ToastdError.self) { try await self.channel.patch(toast.id, "3 of 2", revision: 1) }
        await #expect(throws: ToastdError.self) { try await self.channel.delete(toast.id, revision: 1) }
        #expect(try await self.channel.patch(toast.id, members: ["progress": nil]).progress == nil)
        #expect(try await self.channel.delete(toast.id).dismissReason == "api")
        #expect(try await self.channel.toast(toast.id).dismissReason == "api")
    }

    @Test func aChangeOfTheProgressKeepsItsTotal() async throws {
        let half = try await self.channel.publish(ToastDraft("Half", progress: ToastProgress(value: 0.5)))
        #expect(half.progress == ToastProgress(value: 0.5, total: 1))
        let toast = try await self.channel.publish(
            ToastDraft("3 of 12", progress: ToastProgress(value: 3, total: 12, dismissAfter: 60))
        )
        let changes = ToastDraft("6 of 12", progress: ToastProgress(value: 6))
        #expect(changes.progress?.fraction == nil)
        let changed = try await self.channel.patch(toast.id, changes)
        #expect(changed.progress == ToastProgress(value: 6, total: 12, dismissAfter: 60))
        #expect(changed.progress?.fraction == 0.5)
    }

    @Test func streamsLeaveAConnectionForAPublication() async throws {
        let channel = ToastServer(try TestServer.shared.get().url, attempts: 1).channel(self.channel.name)
        var streams: [ToastEvents.Iterator] = []
        for _ in 0..<64 {
            var events = channel.events(StreamOptions(events: ["enqueued"], isAudience: false)).makeAsyncIterator()
            guard case .snapshot = try await events.next()?.kind else { throw Unexpected() }
            streams.append(events)
        }
        let toast = try await channel.publish("Deployed")
        // All are still open.
        for var events in streams {
            guard case .enqueued(let enqueued) = try await events.next()?.kind else { throw Unexpected() }
            #expect(enqueued.id == toast.id)
        }
    }

    @Test func aRefusalSaysWhy() async throws {
        let refusal = try await problem(of: { try await self.channel.publish(ToastDraft(role: .error)) })
        #expect(refusal.status == 422 && refusal.type == "invalid-toast")
        #expect(refusal.detail == "/message: A toast needs a message or a title.")
    }

    @Test func aTitleCanBeTheRolesOwnOrNone() async throws {
        let toast = try await self.channel.publish(ToastDraft("Deployed", title: .noTitle))
        #expect(toast.title == .noTitle)
        #expect(try await self.channel.patch(toast.id, ToastDraft(title: .automatic)).title == .automatic)
        #expect(try await self.channel.patch(toast.id, ToastDraft(title: "Release")).title == "Release")
        #expect(try await self.channel.toast(toast.id).title.text == "Release")
    }

    @Test func aStreamTellsWhatAnAppNeeds() async throws {
        var events = self.channel.events(StreamOptions(scale: 2)).makeAsyncIterator()
        guard case .snapshot(_, _, let effective, false) = try await events.next()?.kind else { throw Unexpected() }
        #expect(effective["placement"] == "top")
        var draft = ToastDraft("Row deleted", duration: .seconds(60), actions: [undo])
        draft.haptic = "success"
        let id = try await self.channel.publish(draft).id
        guard case .enqueued = try await events.next()?.kind else { throw Unexpected() }
        guard case .presented(let presented) = try await events.next()?.kind else { throw Unexpected() }
        #expect(presented.haptic == "success")
        // Twice 60 seconds, as the scale says.
        #expect((100...120).contains(presented.remaining ?? 0))
        try await self.channel.hold(id, holder: "viewer-1", lease: 7)
        guard case .held(id, "viewer-1", _, 7) = try await events.next()?.kind else { throw Unexpected() }
        try await self.channel.dismiss(id)
        guard case .dismissed(id, "close", nil, let exit, nil) = try await events.next()?.kind else {
            throw Unexpected()
        }
        #expect(exit > 0)
    }

    @Test func aListOfSeveralPagesIsComplete() async throws {
        let texts = (0..<90).map { "\($0) " + String(repeating: "x", count: 4000) }
        for text in texts { try await self.channel.publish(ToastDraft(.plain(text))) }
        #expect(try await self.channel.toasts().map(\.message) == texts.map { .plain($0) })
    }

    @Test func aLocalizedTextIsRendered() async throws {
        let text = ToastText.localized(key: "no_such_text", arguments: ["a.pdf"], default: "%@ was uploaded")
        let toast = try await self.channel.publish(ToastDraft(text))
        #expect(toast.message?.description == "a.pdf was uploaded")
    }

    @Test func aQuestionWaitsForItsAnswerAndItsCountdownCanBeHeld() async throws {
        async let answer = self.channel.ask(
            ToastDraft("Row deleted", duration: .seconds(60), actions: [undo]),
            wait: .seconds(60)
        )
        for try await event in self.channel.events(StreamOptions(events: ["presented"])) {
            guard case .presented(let presented) = event.kind else { continue }
            let hold = try await self.channel.hold(presented.id, holder: "viewer-1", lease: 5)
            #expect(hold.id == presented.id && hold.lease == 5)
            try await self.channel.release(presented.id, holder: "viewer-1")
            try await self.channel.act(presented.id, "undo")
            break
        }
        #expect(try await answer.action == "undo")
    }

    @Test func aQuestionWithoutAnAnswerEndsAfterItsTime() async throws {
        #expect(try await self.channel.ask("Anybody?", wait: .seconds(1)).state == "queued")
        #expect(try await self.channel.toasts().count == 1)
    }

    @Test func aServerThatIsAwayIsReported() async throws {
        let away = ToastServer(try #require(URL(string: "http://127.0.0.1:1")), attempts: 1)
        let error = try await #require(throws: ToastdError.self) { try await away.channel("ops").publish("Deployed") }
        guard case .connectionLost = error else { throw error }
    }

    @Test func aStreamThatIsRefusedThrows() async throws {
        await #expect(throws: ToastdError.self) {
            for try await _ in self.channel.events(StreamOptions(since: "never")) {}
        }
    }

    @Test func aStreamEndsWhenItsTaskIsCancelled() async throws {
        let channel = self.channel
        let (connected, signal) = AsyncStream.makeStream(of: Void.self)
        let reading = Task {
            var count = 0
            for try await _ in channel.events() {
                count += 1
                signal.yield()
            }
            return count
        }
        for await _ in connected { break }
        reading.cancel()
        #expect(try await reading.value == 1)
    }

    struct Unexpected: Error {}
}
