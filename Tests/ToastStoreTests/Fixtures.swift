import Foundation
import GRDB
import Synchronization
import Testing
import ToastCore

@testable import ToastStore

extension Instant {
    /// A number of seconds after 1970.
    static func at(_ seconds: Double) -> Self { Self(nanoseconds: 0) + Interval(seconds: seconds) }
}

extension ChannelName {
    static func make(_ text: String = "ops") -> Self {
        guard let name = Self(rawValue: text) else { preconditionFailure("\(text) is no channel name.") }
        return name
    }
}

extension StoredEvent {
    static func make(_ offset: Int64, at seconds: Double = 0) -> Self {
        Self(offset: Offset(rawValue: offset), at: .at(seconds), envelope: Array("event \(offset)".utf8))
    }
}

extension CatalogStore {
    /// Replaces or forgets the catalogs of some languages, whatever their version.
    func changeCatalogs(_ changes: [LanguageTag: [UInt8]?]) async throws(StoreError) {
        _ = try await self.changeCatalogs(changes, ifVersion: nil)
    }
}

extension DeliveryQueue {
    /// Replaces the webhooks of a channel, whatever they are.
    @discardableResult
    func setWebhooks(_ webhooks: [Webhook], of channel: ChannelName) async throws(StoreError) -> Int {
        try await self.setWebhooks(webhooks, of: channel, replacing: nil)
    }
}

extension StoredChannel {
    /// A channel without events whose last offset is given.
    static func fresh(at offset: Int64 = 0) -> Self { Self(snapshot: nil, tail: [], last: Offset(rawValue: offset)) }
}

extension EventLog {
    /// Appends to one channel, and returns when it is stored.
    func append(_ change: Append) async throws(StoreError) {
        if let error = await self.outcomes(of: [change])[0].error { throw error }
    }

    /// Appends to several channels, and returns how each append ended.
    func outcomes(of changes: [Append]) async -> [AppendOutcome] {
        let outcomes = OutcomeCollector()
        return await withCheckedContinuation { continuation in
            self.append(changes) { index, outcome in
                guard let all = outcomes.add(outcome, at: index, of: changes.count) else { return }
                continuation.resume(returning: all)
            }
        }
    }
}

/// The outcomes of the changes of one append so far.
private final class OutcomeCollector: Sendable {
    private let outcomes = Mutex<[Int: AppendOutcome]>([:])

    /// Adds an outcome; returns all of them in the order of the changes once none is missing, else `nil`.
    func add(_ outcome: AppendOutcome, at index: Int, of count: Int) -> [AppendOutcome]? {
        self.outcomes.withLock { outcomes in
            if outcomes.updateValue(outcome, forKey: index) != nil { Issue.record("A change has two outcomes.") }
            return outcomes.count == count ? (0..<count).compactMap { outcomes[$0] } : nil
        }
    }
}

extension SQLiteWriterSession {
    /// The job of an append.
    static func appending(_ change: Append) -> Job {
        guard case .written(let events) = change.events else { preconditionFailure("Tests write their events.") }
        return { session in try session.append(change, events) }
    }

    /// The job of a statement as it is, to make the disk fail.
    static func executing(_ sql: String) -> Job {
        { session in
            try session.database.execute(sql: sql)
            return .success(0)
        }
    }
}

extension Writer {
    /// Runs a statement as it is, to make the disk fail.
    func execute(_ sql: String) async throws(StoreError) {
        _ = try await self.perform(SQLiteWriterSession.executing(sql))
    }
}

extension StoredSnapshot {
    static func make(_ offset: Int64) -> Self {
        Self(offset: Offset(rawValue: offset), state: Array("state \(offset)".utf8))
    }
}

extension IdempotencyKey {
    static func make(_ text: String, of owner: String = "alice") -> Self { Self(text, of: owner) }
}

extension IdempotencyRecord {
    static func make(
        _ key: String,
        of owner: String = "alice",
        at seconds: Double = 0,
        response: String = "201",
        about toast: ToastID? = nil,
        outcome: String? = nil
    ) -> Self {
        Self(
            key: .make(key, of: owner),
            fingerprint: [0, 255, 7],
            at: .at(seconds),
            response: Array(response.utf8),
            toast: toast,
            outcome: outcome.map { Array($0.utf8) }
        )
    }
}

extension Append {
    /// Adds `count` events after `expected`, all at the same second, with a snapshot if asked for.
    static func make(
        _ channel: String = "ops",
        after expected: Int64 = 0,
        count: Int64 = 1,
        at seconds: Double = 0,
        snapshot: Bool = false,
        records: [IdempotencyRecord] = [],
        displaced: [String] = [],
        outcomes: [ToastOutcome] = [],
        deliveries: [NewDelivery] = []
    ) -> Self {
        Self(
            channel: .make(channel),
            expected: Offset(rawValue: expected),
            events: .written((expected + 1...expected + count).map { StoredEvent.make($0, at: seconds) }),
            snapshot: snapshot ? .make(expected + count) : nil,
            records: records,
            displaced: displaced,
            outcomes: outcomes,
            deliveries: deliveries
        )
    }
}

extension ToastID {
    static func make(_ number: Int) -> Self {
        let digits = String(number)
        let zeros = String(repeating: "0", count: 12 - digits.count)
        guard let id = Self("01900000-0000-7000-8000-\(zeros)\(digits)") else {
            preconditionFailure("\(number) has more than twelve digits.")
        }
        return id
    }
}

extension ToastOutcome {
    static func make(_ toast: ToastID, _ document: String) -> Self { Self(id: toast, document: Array(document.utf8)) }
}

extension WebhookURL {
    static func make(_ path: String) -> Self {
        guard let url = Self(rawValue: "https://example.org/" + path) else { preconditionFailure("No path: \(path)") }
        return url
    }
}

extension WebhookSecret {
    static func make(_ byte: UInt8) -> Self {
        guard let secret = Self(bytes: Array(repeating: byte, count: 32)) else { preconditionFailure("32 bytes fit.") }
        return secret
    }
}

extension Webhook {
    static func make(
        _ path: String,
        events: Set<EventType> = Webhook.standardEvents,
        secret: UInt8 = 0,
        isEnabled: Bool = true,
        owner: String = ""
    ) -> Self {
        Self(url: .make(path), events: events, secret: .make(secret), isEnabled: isEnabled, owner: owner)
    }
}

extension NewDelivery {
    static func make(_ path: String, _ message: String, at seconds: Double) -> Self {
        Self(webhook: .make(path), message: message, at: .at(seconds), payload: Array(message.utf8))
    }
}

extension Retention {
    /// A retention.
    ///
    /// A cluster also counts the age of records in real time, so it has to be longer than any test takes.
    static func make(events: Int = 1000, age: Double = 12 * 3600, recordAge: Double = 24 * 3600) -> Self {
        Self(events: events, age: Interval(seconds: age), recordAge: Interval(seconds: recordAge))
    }
}

/// A directory that is removed after the test.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        self.path = NSTemporaryDirectory() + "toast-store-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: self.path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: self.path)
    }

    func file(_ name: String) -> String { self.path + "/" + name }
}

extension [StoredEvent] {
    var offsets: [Int64] { self.map(\.offset.rawValue) }
}
