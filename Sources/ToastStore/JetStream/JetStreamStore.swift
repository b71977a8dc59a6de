import EventLoop
import Foundation
package import NATS
import Synchronization
package import ToastCore

/// A store on a NATS JetStream cluster, for several toastd that serve the same channels.
///
/// Each channel's log is a subject; every append is a compare-and-set on its last message, so processes that append to
/// one channel at the same time cannot fork it. Reads are answered by the leader of the stream, or are checked against
/// its last sequence.
package final class JetStreamStore: Store {
    package let epoch: Epoch

    /// Why nothing can be written now: the connection is lost, or a change was undecided and none was stored since.
    package var failure: StoreError? { self.health.failure }

    /// True: a log's messages cost the cluster less when many are under way.
    package var gathersAppends: Bool { true }

    /// The connection to the cluster, which the messages between nodes use too.
    package let connection: NATSConnection
    /// Counts appends that met a conflict or stayed undecided.
    package let counters = CommitCounters()
    let health: StoreHealth
    let options: JetStreamOptions
    package let subjects: Subjects
    let read: LogReader
    /// Sends appends; waits for each answer at most ``JetStreamOptions/answerTimeout``.
    let write: JetStream
    let channels = ChannelCache()
    let appends = AppendQueue()
    /// For each log, a lock that limits open batches; the appends that wait are bounded, see ``AppendQueue``.
    let gates = (0..<Subjects.logs).map { _ in TaskLock(atOnce: JetStreamOptions.openBatches) }
    let directory = ChannelIndex()
    let directoryLock = TaskLock()
    let deliveries = Mutex(DeliveryIndex(firstID: Int64(Date().timeIntervalSince1970 * 1_000_000)))
    let deliveryRefresh = TaskLock()
    let manifestLock = TaskLock()
    let upkeep = UpkeepTasks()
    /// Whether a task is testing if the cluster can be written again.
    let isProbing = Atomic<Bool>(false)
    /// A random name of this store, with which the ids of its commits begin: see ``nextCommit()``.
    let name: String
    private let commits = Atomic<UInt64>(0)
    /// The latest instant for which the store was pruned, in nanoseconds; the age of records is measured against it.
    let lastPruned = Atomic<Int64>(.min)
    /// The instant of the last ``prune(at:)`` that looked at all events, in nanoseconds.
    let swept = Atomic<Int64>(.min)
    /// The channels whose deliveries this process sends; nil for all.
    let delivers = Mutex<(@Sendable (ChannelName) -> Bool)?>(nil)

    private init(
        _ connection: NATSConnection,
        _ subjects: Subjects,
        _ options: JetStreamOptions,
        _ health: StoreHealth
    ) async throws(StoreError) {
        self.connection = connection
        self.subjects = subjects
        self.options = options
        self.health = health
        self.write = JetStream(connection.makeClient(), timeout: options.answerTimeout)
        self.read = LogReader(stream: self.write, subjects: subjects, patience: options.patience)
        self.name = String(UInt64.random(in: .min ... .max), radix: 36)
        let streams = Streams(read: self.read, replicas: options.replicas)
        try await streams.make()
        self.epoch = try await streams.epoch()
        try await streams.checkKey(options.fingerprint)
        if !options.isCopyTarget { try await self.checkCopies() }
    }

    /// Connects to a cluster, and creates the streams if they are missing.
    ///
    /// - Parameters:
    ///   - servers: Addresses of some of its servers.
    ///   - options: How to use it.
    ///   - tell: Called when the cluster is lost or found again, on any thread; must not wait for the store.
    /// - Returns: The store, which must be closed.
    /// - Throws: `unavailable` when no server accepts this process, or the server is too old; `undecided` when the
    ///   first messages of a new cluster may be stored; `corrupt` when the streams are not ours.
    package static func open(
        _ servers: [String],
        _ options: JetStreamOptions,
        tell: @escaping @Sendable (StoreNotice) -> Void = { _ in }
    ) async throws(StoreError) -> JetStreamStore {
        guard let subjects = Subjects(prefix: options.prefix) else {
            throw .unavailable("The prefix is made of letters, digits, hyphens and underscores.")
        }
        var connecting = options.connection
        connecting.servers = servers
        let health = StoreHealth(tell: tell)
        let connection: NATSConnection
        do throws(NATSError) {
            connection = try await NATSConnection.connect(connecting) { health.note($0) }
        } catch {
            throw .unavailable(error.description)
        }
        do throws(StoreError) {
            return try await JetStreamStore(connection, subjects, options, health)
        } catch {
            health.close()
            await connection.close()
            throw error
        }
    }

    /// The id of the next commit; no other process makes the same.
    func nextCommit() -> String { "\(self.name)-\(self.commits.add(1, ordering: .relaxed).newValue)" }

    /// Reads what a channel is rebuilt from.
    ///
    /// - Throws: `corrupt` when events are missing between its snapshot and its end.
    package func load(_ channel: ChannelName) async throws(StoreError) -> StoredChannel {
        let changes = self.channels.webhookChanges
        let loaded = try await self.read.load(channel)
        let webhooks = try await self.readWebhooks(of: channel, loaded.place)
        let records = loaded.place.sequence == 0 ? RecordIndex() : try await self.readRecords(of: channel, loaded.place)
        self.channels.set(loaded.place, records, webhooks ?? [], of: channel, readAt: changes)
        return StoredChannel(
            snapshot: loaded.snapshot,
            tail: loaded.tail,
            last: loaded.place.last,
            webhooks: webhooks ?? [],
            recordCount: records.entries.count,
            openToasts: records.openToasts
        )
    }

    /// Waits for all appends, and closes the connection; later calls throw `unavailable`.
    package func close() async {
        await self.appends.close()
        await self.upkeep.close()
        self.health.close()
        await self.connection.close()
    }

    /// Throws when the store is closed.
    ///
    /// Needed only where the answer may come from memory: a closed connection refuses every request by the same error.
    func checkOpen() throws(StoreError) {
        if self.appends.isClosed { throw .closed }
    }
}

extension StoreHealth {
    /// Notes what happened to the connection.
    func note(_ event: ConnectionEvent) {
        switch event {
        case .connected: self.set(nil)
        case .disconnected: self.set(.unavailable("The connection to NATS is lost."))
        case .refused(let error): self.set(.unavailable(error.description))
        case .closed: self.set(.unavailable("The connection to NATS is closed."))
        case .problem(let reason): self.note(.unavailable("NATS: \(reason)"))
        }
    }
}
