import Foundation
import Testing

@testable import Toastd

@Suite(.timeLimit(.minutes(1))) struct SeveralToastsTests {
    private let channel: ToastChannel
    private let disk = ToastDraft("Disk full", reuseIdentifier: "disk")

    init() throws {
        self.channel = ToastServer(try TestServer.shared.get().url).channel("swift-\(UUID().uuidString)")
    }

    @Test func aBatchIsPublishedInItsOrder() async throws {
        var replacing = ToastDraft("two")
        replacing.whenPresent = "replace"
        let batch = try await self.channel.publishBatch(["one", replacing])
        #expect(batch.toasts.map(\.message) == ["one", "two"])
        #expect(batch.warnings?.map(\.pointer) == ["/1/whenPresent"])
        #expect(try await self.channel.toasts().map(\.id) == batch.toasts.map(\.id))
    }

    @Test func aBatchIsAcceptedWholeOrNotAtAll() async throws {
        let refusal = try await problem(of: { try await self.channel.publishBatch(["one", ToastDraft(role: .error)]) })
        #expect(refusal.status == 422 && refusal.type == "invalid-toast")
        #expect(refusal.detail == "/1/message: A toast needs a message or a title.")
        #expect(try await self.channel.toasts().isEmpty)
    }

    @Test func anEmptyBatchIsRefused() async throws {
        #expect(try await problem(of: { try await self.channel.publishBatch([]) }).type == "invalid-toast")
    }

    @Test func toastsWithAReuseIdentifierAreChangedTogether() async throws {
        let published = try await self.channel.publishBatch([self.disk, "Deployed", self.disk]).toasts
        let updated = try await self.channel.patchAll(reuseIdentifier: "disk", ToastDraft(role: .warning))
        #expect(updated.updatedCount == 2 && updated.toasts.map(\.id) == [published[0].id, published[2].id])
        #expect(try await self.channel.toasts().map(\.role) == [.warning, .info, .warning])
        let cleared = try await self.channel.patchAll(reuseIdentifier: "disk", members: ["role": nil])
        #expect(cleared.toasts.map(\.role) == [.info, .info])
    }

    @Test func aChangeOfNoToastIsRefused() async throws {
        try await self.channel.publish(self.disk)
        let unknown = try await problem(of: { try await self.channel.patchAll(reuseIdentifier: "backup", "Done") })
        #expect(unknown.status == 404 && unknown.type == "toast-not-found")
        let invalid = try await problem(of: {
            try await self.channel.patchAll(reuseIdentifier: "disk", members: ["message": 7])
        })
        #expect(invalid.status == 422 && invalid.type == "invalid-patch")
        let empty = try await problem(of: { try await self.channel.patchAll(reuseIdentifier: "", "Done") })
        #expect(empty.type == "invalid-parameter")
        #expect(try await self.channel.toasts().map(\.message) == ["Disk full"])
    }

    @Test func aChannelIsClearedOfWhatMatchesOrOfAll() async throws {
        try await self.channel.publishBatch([self.disk, self.disk, "Disk full", "Deployed"])
        #expect(try await self.channel.clear(.message("Disk full"), .reuseIdentifier("disk")) == 2)
        #expect(try await self.channel.clear(.reuseIdentifier("disk")) == 0)
        #expect(try await self.channel.toasts().map(\.message) == ["Disk full", "Deployed"])
        #expect(try await self.channel.clear() == 2)
        #expect(try await self.channel.toasts().isEmpty)
    }

    @Test func whatIsNoCriterionClearsNothing() async throws {
        try await self.channel.publish("Deployed")
        for criteria in [ToastCriterion.title(""), .placement("")] {
            let refusal = try await problem(of: { try await self.channel.clear(criteria) })
            #expect(refusal.status == 400 && refusal.type == "invalid-parameter")
        }
        let twice = try await problem(of: { try await self.channel.clear(.message("Deployed"), .message("Deployed")) })
        #expect(twice.type == "invalid-parameter")
        #expect(try await self.channel.toasts().count == 1)
    }
}
