import EventLoop
import Foundation
import NATS
import NATSTestServer
import Sealing
import TestSupport
import Testing
import ToastAccess
import ToastCore

@testable import ToastHub
@testable import ToastStore

/// Two processes that both believe that they decide for a channel, and that get the same requests at the same time.
@Suite(.timeLimit(.minutes(15))) struct RaceTests {
    private static let rounds = 60

    @Test func `two nodes that both own a channel lose nothing and double nothing`() async throws {
        let faults = try await self.faults(program: nil)
        #expect(faults == [])
    }

    @Test func `the same race finds faults on a server without atomic batches`() async throws {
        let faults = try await self.faults(program: NATSServer.oldProgram())
        #expect(!faults.isEmpty)
    }

    /// What went wrong in a race on a server of its own.
    private func faults(program: String?) async throws -> [String] {
        let server = try NATSServer.start(program: program)
        defer { server.end() }
        let nodes = try await [RacingNode(server.url), RacingNode(server.url)]
        var faults: [String] = []
        var published: [String: String] = [:]
        for round in 0..<Self.rounds where faults.isEmpty {
            // Of two requests with the same key one publishes, and the other gets its answer.
            let (shared, own) = ("shared-\(round)", ["a-\(round)", "b-\(round)"])
            async let first = nodes[0].publish([shared, own[0]])
            async let second = nodes[1].publish([shared, own[1]])
            for (key, answer) in await first + second {
                switch answer {
                case .success(let toast):
                    if let other = published[key], other != toast { faults.append("\(key) has two toasts") }
                    published[key] = toast
                case .failure(let error):
                    faults.append("\(key) was not published: \(error)")
                }
            }
        }
        // From the log, and not from the memory of either process.
        let reader = try await RacingNode(server.url)
        let toasts = await reader.toasts()
        for (key, toast) in published where !toasts.contains(toast) { faults.append("the toast of \(key) is lost") }
        if toasts.count != published.count { faults.append("\(toasts.count) toasts for \(published.count) keys") }
        for node in nodes + [reader] { await node.close() }
        return faults
    }
}

/// A hub that believes that no other process decides for its channels.
private struct RacingNode: Sendable {
    private let store: JetStreamStore
    private let loop: EventLoop
    private let hub: Hub
    private let channel: ChannelName

    init(_ url: String) async throws {
        var options = JetStreamOptions(key: try ClusterKey(fileContent: Array(0..<32)))
        options.replicas = 1
        // Does not wait for appends that a server without batches has left incomplete.
        options.patience = .seconds(2)
        options.connection.minimumVersion = ServerVersion(major: 2, minor: 0, patch: 0)
        self.store = try await JetStreamStore.open([url], options)
        self.loop = try EventLoop(name: "racing")
        let clock = HubClock(wallClock: Int64(Date().timeIntervalSince1970 * 1_000_000_000))
        self.hub = Hub(loops: [self.loop], store: self.store, clock: clock, answers: IDAnswers())
        self.channel = try #require(ChannelName(rawValue: "ops"))
    }

    func close() async {
        await self.store.close()
        self.loop.stop()
    }

    /// Publishes a toast for each key, one after the other; returns the toast that each answer names.
    func publish(_ keys: [String]) async -> [(key: String, answer: Result<String, any Error>)] {
        var answers: [(key: String, answer: Result<String, any Error>)] = []
        for key in keys {
            do {
                answers.append((key, .success(try await self.publish(key))))
            } catch {
                answers.append((key, .failure(error)))
            }
        }
        return answers
    }

    private func publish(_ key: String) async throws -> String {
        let draft = try ToastDraft(json: ["message": .string(key), "duration": 600])
        let request = IdempotentRequest(key: IdempotencyKey(key, of: "alice"), fingerprint: Array(key.utf8))
        switch try await self.hub.perform(.publish(PublishRequest([draft], key: request)), on: self.channel) {
        case .published(let publication): return try #require(publication.toasts.first.map { "\($0.id)" })
        case .repeated(let repetition): return String(decoding: repetition.answer, as: UTF8.self)
        default: throw CancellationError()
        }
    }

    /// The toasts of the channel; none when it cannot be read.
    func toasts() async -> [String] {
        guard case .listing(let listing)? = try? await self.hub.perform(.read(.toasts(nil)), on: self.channel) else {
            return []
        }
        return listing.toasts.map { "\($0.id)" }
    }
}

/// Uses the id of the first toast as the stored answer.
private struct IDAnswers: AnswerWriter {
    func answer(to publication: Publication, in form: AnswerForm) -> [UInt8] {
        Array(publication.toasts.first.map { "\($0.id)" }?.utf8 ?? "".utf8)
    }
}
