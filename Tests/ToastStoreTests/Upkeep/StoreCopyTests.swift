import Foundation
import NATS
import Testing
import ToastCore

@testable import ToastStore

/// Copies from a file to a cluster, and back.
@Suite(.timeLimit(.minutes(15))) struct StoreCopyTests {
    private let directory: TemporaryDirectory

    init() throws {
        self.directory = try TemporaryDirectory()
    }

    /// All stored data of a channel, in a form that is equal when the channels are.
    private struct Content: Equatable {
        let stored: [String]
        let history: [StoredEvent]
        let isCut: Bool
        let webhooks: [Webhook]
        let records: [IdempotencyRecord]
        let deliveries: [NewDelivery]
    }

    private func content(of channel: ChannelName, _ store: some CopyableStore) async throws -> Content {
        let stored = try await store.load(channel)
        let history = try await store.events(of: channel, after: .origin, limit: 5000, bytes: .max)
        var engine = Engine(channel: channel, epoch: store.epoch, after: stored.last)
        if let snapshot = stored.snapshot {
            engine = try Engine(channel: channel, epoch: store.epoch, restoring: snapshot.state)
        } else if let first = stored.tail.first {
            let before = Offset(rawValue: first.offset.rawValue - 1)
            engine = Engine(channel: channel, epoch: store.epoch, after: before)
        }
        for event in stored.tail { engine.fold(try Event(envelope: event.envelope)) }
        // A channel without events has no offset in a log.
        let isFresh = stored.snapshot == nil && stored.tail.isEmpty
        return Content(
            stored: isFresh ? [] : [String(decoding: engine.snapshotState(), as: UTF8.self), "\(stored.last)"],
            history: history.events,
            isCut: history.isCut,
            webhooks: stored.webhooks,
            records: try await store.allRecords(of: channel),
            deliveries: try await store.allDeliveries(of: channel)
        )
    }

    /// Expects two stores to have the same data.
    private func expectSame(_ one: some CopyableStore, _ other: some CopyableStore) async throws {
        let names = try await one.channels(after: nil, limit: 1000)
        #expect(try await other.channels(after: nil, limit: 1000) == names)
        for name in names {
            let (left, right) = (try await self.content(of: name, one), try await self.content(of: name, other))
            #expect(left == right)
        }
        #expect(try await one.catalogs() == other.catalogs())
        #expect(try await one.document(.settings) == other.document(.settings))
        #expect(try await one.channelFloor() <= other.channelFloor())
    }

    /// A store with channels of all kinds.
    private func makeSource() async throws -> SQLiteStore {
        let store = try SQLiteStore(path: self.directory.file("source.db"), retention: .make(events: 200))
        try await store.fill("few", toasts: 10)
        // Its first events are forgotten.
        try await store.fill("many", toasts: 700)
        try await store.fill("gone", toasts: 3)
        let gone = try await store.load(.make("gone")).last
        _ = try await store.remove(.make("gone"), at: gone)
        try await store.setWebhooks([.make("only", secret: 9)], of: .make("hooks"))

        let hooks: [Webhook] = [.make("a", events: [.acted], secret: 1, owner: "key:1"), .make("b", secret: 2)]
        try await store.setWebhooks(hooks + [.make("off", isEnabled: false)], of: .make("few"))
        let last = try await store.load(.make("few")).last
        let records = (0..<1000).map { number in
            let toast: ToastID? = number < 4 ? .make(number) : nil
            return IdempotencyRecord.make(
                "k\(number)",
                at: Double(number),
                about: toast,
                outcome: number == 1 ? "e" : nil
            )
        }
        let append = Append(
            channel: .make("few"),
            expected: last,
            events: .written([]),
            records: records,
            outcomes: [.make(.make(2), "ended")],
            deliveries: (0..<900).map { .make($0.isMultiple(of: 3) ? "a" : "b", "m\($0)", at: Double($0)) }
        )
        try await store.append(append)
        let languages = ["de", "fr"].compactMap(LanguageTag.init(rawValue:))
        for language in languages { try await store.changeCatalogs([language: [1, 2, 3]]) }
        #expect(try await store.replaceDocument(.settings, expecting: nil, with: Array(repeating: 7, count: 700_000)))
        return store
    }

    @Test func `a copy to a cluster and back is the same`() async throws {
        let source = try await self.makeSource()
        try await JetStreamFixture.run(.make(events: 5000)) { cluster in
            var told: [Int] = []
            try await cluster.markCopy()
            let progress = try await StoreCopy.copy(from: source, to: cluster) { told.append($0.channels) }
            try await cluster.finishCopy()
            #expect(told == [1, 2, 3])
            #expect(progress.channelCount == 3 && progress.channels == 3)
            #expect(progress.records == 1000 && progress.deliveries == 900 && progress.catalogs == 2)
            try await self.expectSame(source, cluster)
            #expect(cluster.epoch != source.epoch)

            let back = try SQLiteStore(path: self.directory.file("back.db"), retention: .make(events: 5000))
            let again = try await StoreCopy.copy(from: cluster, to: back) { _ in }
            #expect(again == progress)
            try await self.expectSame(cluster, back)
            try await self.expectSame(source, back)
            await back.close()
            let inspection = try Inspection(path: self.directory.file("back.db"))
            #expect(inspection.faults.isEmpty)

            // Both continue as the source would.
            let ends = try await cluster.load(.make("few")).last
            try await cluster.append(.make("few", after: ends.rawValue))
            try await source.append(.make("few", after: ends.rawValue))
            let new = try await cluster.load(.make("new")).last
            let former = try await source.load(.make("new")).last
            #expect(new >= former)
        }
        await source.close()
    }

    @Test func `outcomes of records come along, wherever they are kept`() async throws {
        let source = try await self.makeSource()
        try await JetStreamFixture.run { cluster in
            _ = try await StoreCopy.copy(from: source, to: cluster) { _ in }
            for (key, outcome) in [("k1", "e"), ("k2", "ended"), ("k3", nil)] {
                let record = try await cluster.record(of: .make("few"), key: .make(key))
                #expect(record?.outcome.map { String(decoding: $0, as: UTF8.self) } == outcome)
            }
            #expect(try await Set(cluster.load(.make("few")).openToasts) == [.make(0), .make(3)])
        }
        await source.close()
    }

    @Test func `a target that is not empty is refused, and stays as it was`() async throws {
        let source = try await self.makeSource()
        let target = try SQLiteStore(path: self.directory.file("target.db"))
        try await target.fill("own", toasts: 1)
        await #expect(throws: StoreError.self) { try await StoreCopy.copy(from: source, to: target) { _ in } }
        #expect(try await target.channels(after: nil, limit: 10) == [.make("own")])
        await source.close()
        await target.close()
    }

    @Test func `no node starts on a cluster into which a copy was not finished, and the next copy begins again`()
        async throws
    {
        let source = try await self.makeSource()
        let prefix = JetStreamFixture.makePrefix()
        let first = try await JetStreamFixture.open(prefix)
        try await first.beginCopy()
        try await first.markCopy()
        try await first.append(.make("half", after: 0))
        #expect(try await first.replaceDocument(.settings, expecting: nil, with: [1]))
        await first.close()
        await #expect(throws: StoreError.self) { try await JetStreamFixture.open(prefix) }
        let second = try await JetStreamFixture.open(prefix) { $0.isCopyTarget = true }
        try await second.beginCopy()
        _ = try await StoreCopy.copy(from: source, to: second) { _ in }
        try await second.finishCopy()
        await second.close()
        let node = try await JetStreamFixture.open(prefix)
        #expect(try await node.channels(after: nil, limit: 10).map(\.rawValue) == ["few", "hooks", "many"])
        await node.close()
        await source.close()
        try await JetStreamFixture.removeStreams(prefix)
    }

    @Test func `a cluster that a node uses is not copied`() async throws {
        try await JetStreamFixture.run { store in
            let start = try #require(await store.clusterTime())
            try await store.checkNodes()
            try await store.checkNodes(since: start)
            let subject = store.subjects.pulse(of: "node", inLog: 0)
            func write(_ body: String) async throws {
                _ = try await store.write.publish(
                    .init(subject: subject, body: Array(body.utf8), replacesSubject: true)
                )
            }
            try await write("open")
            await #expect(throws: StoreError.self) { try await store.checkNodes() }
            await #expect(throws: StoreError.self) { try await store.beginCopy() }
            // A node that has left does not count.
            try await write("closed")
            try await store.checkNodes()
            await #expect(throws: StoreError.self) { try await store.checkNodes(since: start) }
        }
    }

    @Test func `a copy is not finished while its write-ahead log has content`() async throws {
        let file = try CopyFile(path: self.directory.file("copy.db"))
        let store = try SQLiteStore(path: file.draft)
        await store.close()
        try Data([1]).write(to: URL(fileURLWithPath: file.draft + "-wal"))
        #expect(throws: StoreError.self) { try file.finish() }
        #expect(!FileManager.default.fileExists(atPath: file.path))
        file.remove()
    }

    @Test func `a second copy to the same path is refused, and leaves the first one alone`() async throws {
        let path = self.directory.file("copy.db")
        let first = try CopyFile(path: path)
        #expect { try CopyFile(path: path) } throws: { "\($0)".contains("Another command") }
        let store = try SQLiteStore(path: first.draft)
        try await store.fill(toasts: 2)
        #expect(throws: StoreError.self) { try CopyFile(path: path) }
        try await store.fill(toasts: 2)
        await store.close()
        try first.finish()
        try FileManager.default.removeItem(atPath: path)
        let next = try CopyFile(path: path)
        try Data([1]).write(to: URL(fileURLWithPath: next.draft))
        first.remove()
        #expect(FileManager.default.fileExists(atPath: next.draft), "it is the next command's")
        next.remove()
        #expect(try FileManager.default.contentsOfDirectory(atPath: self.directory.path).isEmpty)
    }

    @Test func `a copy does not take the draft of a backup`() throws {
        let path = self.directory.file("copy.db")
        let backup = try DatabaseFile(path: Backup.draft(of: path), isLockedByName: false)
        #expect(throws: StoreError.self) { try CopyFile(path: path) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: self.directory.path) == ["copy.db.partial"])
        backup.unlock()
        try CopyFile(path: path).remove()
        #expect(try FileManager.default.contentsOfDirectory(atPath: self.directory.path).isEmpty)
    }

    @Test func `a copy gets its name when it is complete`() async throws {
        let path = self.directory.file("copy.db")
        let file = try CopyFile(path: path)
        let store = try SQLiteStore(path: file.draft)
        try await store.fill(toasts: 2)
        await store.close()
        #expect(!FileManager.default.fileExists(atPath: path))
        try file.finish()
        #expect(try FileManager.default.contentsOfDirectory(atPath: self.directory.path) == ["copy.db"])
        #expect(throws: StoreError.self) { try CopyFile(path: path) }
        #expect(try Inspection(path: path).faults.isEmpty)
    }
}
