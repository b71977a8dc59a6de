import Synchronization
import Testing
import ToastCore

@testable import ToastStore

/// Sessions and tickets when messages get lost between a node and the cluster.
@Suite(.timeLimit(.minutes(15))) struct JetStreamLostCredentialTests {
    /// Runs a test with a node behind a proxy, and another one with a direct connection.
    private func withProxy(
        patience: Duration = .seconds(30),
        _ test: (FrameProxy, JetStreamStore, JetStreamStore) async throws -> Void
    ) async throws {
        let prefix = JetStreamFixture.makePrefix()
        let proxy = try FrameProxy(to: JetStreamFixture.url)
        defer { proxy.end() }
        let direct = try await JetStreamFixture.open(prefix)
        let store = try await JetStreamFixture.open(prefix, url: proxy.url) { options in
            (options.answerTimeout, options.patience) = (.milliseconds(200), patience)
        }
        try await test(proxy, store, direct)
        proxy.drop { _ in false }
        await store.close()
        await direct.close()
        try await JetStreamFixture.removeStreams(prefix)
    }

    @Test func `a claim whose answer is lost still belongs to its node`() async throws {
        try await self.withProxy { proxy, store, direct in
            let count = proxy.drop(2, \.isAck)
            #expect(try await store.claimTicket(.make("a"), for: Interval(seconds: 60)) == true)
            #expect(count.value.withLock(\.self) == 2)
            proxy.drop { _ in false }
            #expect(try await direct.claimTicket(.make("a"), for: Interval(seconds: 60)) == false)
            // A claim that comes too late is refused, also when the first refusal is lost.
            _ = try await direct.claimTicket(.make("b"), for: Interval(seconds: 60))
            _ = proxy.drop(1) { $0.isFromServer && $0.body.contains("wrong last sequence") }
            #expect(try await store.claimTicket(.make("b"), for: Interval(seconds: 60)) == false)
        }
    }

    @Test func `a claim that no server answers is not decided`() async throws {
        try await self.withProxy(patience: .seconds(2)) { proxy, store, direct in
            proxy.drop { !$0.isFromServer && $0.line.contains(".m.t.") }
            await #expect(throws: StoreError.self) {
                try await store.claimTicket(.make("a"), for: Interval(seconds: 60))
            }
            let isFirst = try await direct.claimTicket(.make("a"), for: Interval(seconds: 60))
            #expect(isFirst)
        }
    }

    @Test func `a node that starts reads again what ended when an answer is lost`() async throws {
        try await self.withProxy { proxy, store, direct in
            let session = EndedSession(.make("a"), end: .at(7))
            try await direct.endSession(session, for: Interval(seconds: 60))
            let count = proxy.drop(1) { !$0.isFromServer && $0.line.contains("DIRECT.GET") }
            let heard = Heard()
            try await store.observeEndedSessions { heard.add($0) }
            #expect(count.value.withLock(\.self) == 1)
            #expect(heard.sessions.contains(session))
        }
    }

    @Test func `a node learns of what ended while its connection was lost`() async throws {
        try await self.withProxy { proxy, store, direct in
            let heard = Heard()
            try await store.observeEndedSessions { heard.add($0) }
            let session = EndedSession(.make("a"), end: .at(7))
            // Nothing arrives on this connection.
            proxy.drop { $0.isFromServer }
            try await direct.endSession(session, for: Interval(seconds: 60))
            #expect(heard.sessions.isEmpty)
            proxy.drop { _ in false }
            proxy.cut()
            try await heard.wait(for: session)
        }
    }

    @Test func `a node learns of what ended without a message about it, while its connection stays`() async throws {
        try await self.withProxy { proxy, store, direct in
            let heard = Heard()
            try await store.observeEndedSessions { heard.add($0) }
            // As if this node's server had lost its connections to the others, and so passed on none of their messages.
            let count = proxy.drop(.max) { $0.isFromServer && $0.line.contains(".m.x.") }
            for digit in "ab" {
                let session = EndedSession(.make(digit), end: .at(7))
                try await direct.endSession(session, for: Interval(seconds: 60))
                try await heard.wait(for: session)
            }
            #expect(count.value.withLock(\.self) == 2)
        }
    }
}
