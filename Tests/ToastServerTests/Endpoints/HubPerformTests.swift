import EventLoop
import Testing
import ToastAccess

@testable import ToastCore
@testable import ToastHub

/// `Hub.perform`: every request is answered in the way that ``ChannelRequest`` documents.
@Suite struct HubPerformTests {
    private let server: TestServer
    private let hub: Hub
    private let ops: ChannelName

    init() async throws {
        self.server = try await TestServer()
        self.hub = self.server.hub
        self.ops = try #require(ChannelName(rawValue: "ops"))
    }

    private func publish(_ message: String, key: String? = nil) async throws -> ChannelAnswer {
        let draft = try ToastDraft(json: ["message": .string(message)])
        let key = key.map { IdempotentRequest(key: IdempotencyKey($0, of: "alice"), fingerprint: Array(message.utf8)) }
        return try await self.hub.perform(.publish(PublishRequest([draft], key: key)), on: self.ops)
    }

    private func toast() async throws -> Toast {
        guard case .published(let publication) = try await self.publish("Hi") else { throw UnexpectedAnswer() }
        return try #require(publication.toasts.first)
    }

    private func read(_ query: ChannelQuery) async throws -> ChannelAnswer {
        try await self.hub.perform(.read(query), on: self.ops)
    }

    @Test func `publish is answered with the stored toasts`() async throws {
        guard case .published(let publication) = try await self.publish("Hi") else { throw UnexpectedAnswer() }
        #expect(publication.isNew)
        #expect(publication.toasts.map(\.channel) == [self.ops])
        #expect(publication.stored.count == 1)
    }

    @Test func `publish under a known key is answered with the first answer`() async throws {
        guard case .published(let publication) = try await self.publish("Hi", key: "a"),
            case .repeated(let repetition) = try await self.publish("Hi", key: "a")
        else { throw UnexpectedAnswer() }
        #expect(repetition.toast == publication.toasts.first?.id)
        let record = try JSON(parsing: repetition.answer, depthLimit: 32)
        #expect(record["status"] == 201)
        #expect(record["body"]?["message"] == "Hi")
        await #expect(throws: ChannelError.keyReused) { _ = try await self.publish("Bye", key: "a") }
    }

    @Test func `update and dismiss are answered with the toast`() async throws {
        let id = try await self.toast().id
        let patch = try ToastPatch(json: ["message": "Bye"])
        guard case .toast(let updated) = try await self.hub.perform(.update(id, patch), on: self.ops),
            case .toast(let dismissed) = try await self.hub.perform(.dismiss(id, .api), on: self.ops)
        else { throw UnexpectedAnswer() }
        #expect(updated.revision == 2)
        #expect(dismissed.state == .dismissed)
        await #expect(throws: ChannelError.refused(.revisionMismatch(current: 1))) {
            let id = try await self.toast().id
            _ = try await self.hub.perform(.update(id, patch, ifRevision: [7]), on: self.ops)
        }
    }

    @Test func `reading finds what was published, and changes nothing`() async throws {
        let toast = try await self.toast()
        var generator = RandomBlock()
        let unknown = ToastID(at: Instant(nanoseconds: TestServer.start), using: &generator)
        guard case .listing(let before) = try await self.read(.toasts(nil)),
            case .found(let found) = try await self.read(.toast(toast.id)),
            case .found(let other) = try await self.read(.toast(unknown)),
            case .summary(let summary) = try await self.read(.summary),
            case .listing(let after) = try await self.read(.toasts(.queued))
        else { throw UnexpectedAnswer() }
        #expect(found == toast)
        #expect(other == nil)
        #expect(summary.queued == 1)
        #expect(after.toasts == before.toasts)
        #expect(after.cursor == before.cursor)
    }

    @Test func `clear is answered with a count, and delete with nothing`() async throws {
        _ = (try await self.toast(), try await self.toast())
        guard case .count(2) = try await self.hub.perform(.clear(), on: self.ops),
            case .done = try await self.hub.perform(.delete, on: self.ops),
            case .listing(let listing) = try await self.read(.toasts(nil))
        else { throw UnexpectedAnswer() }
        #expect(listing.toasts.isEmpty)
    }

    @Test func `configure is answered with the configuration`() async throws {
        let change = SettingsChange(
            .merge(["capacity": 1]),
            webhooks: nil,
            issues: [],
            if: Precondition(ifMatch: nil, ifNoneMatch: [])
        )
        guard case .configuration(let changed) = try await self.hub.perform(.configure(change), on: self.ops),
            case .configuration(let read) = try await self.read(.configuration)
        else { throw UnexpectedAnswer() }
        #expect(changed.settings == read.settings)
        _ = try await self.toast()
        await #expect(throws: ChannelError.refused(.queueFull(capacity: 1))) { _ = try await self.publish("Hi") }
    }

    @Test func `a toast is in no other channel`() async throws {
        _ = try await self.toast()
        let other = try #require(ChannelName(rawValue: "other"))
        guard case .listing(let listing) = try await self.hub.perform(.read(.toasts(nil)), on: other) else {
            throw UnexpectedAnswer()
        }
        #expect(listing.toasts.isEmpty)
    }
}

private struct UnexpectedAnswer: Error {}
