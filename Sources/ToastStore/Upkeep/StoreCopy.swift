package import ToastCore

/// Copies all that a store keeps to an empty one, while no server uses either.
///
/// Channels keep their offsets and events, but the copy has an epoch of its own. A client continues after its last
/// event if the copy has that very event, and is told to start over otherwise.
package enum StoreCopy {
    /// What was copied so far.
    package struct Progress: Hashable, Sendable {
        package var channels = 0
        /// The number of channels in the source.
        package var channelCount = 0
        package var events = 0
        /// Idempotency records.
        package var records = 0
        package var deliveries = 0
        package var catalogs = 0
    }

    /// The most records, and the most deliveries, of one append: a batch of a cluster has room for 900 messages.
    private static let part = 400

    /// The most events, and bytes of their envelopes, that are read and stored together.
    private static let page = (events: 256, bytes: 4 << 20)

    /// Copies everything, and tells after each channel what was copied so far.
    ///
    /// - Throws: `unavailable` when the target is not empty, or a store fails: then the target is not complete.
    ///   `corrupt` when the source is damaged, or the target does not have what was copied.
    package static func copy(
        from source: some CopyableStore,
        to target: some CopyableStore,
        tell: (Progress) -> Void
    ) async throws(StoreError) -> Progress {
        try await Self.checkIsEmpty(target)
        var progress = Progress()
        progress.channelCount = try await source.channelCount()
        let catalogs = try await source.catalogs()
        progress.catalogs = catalogs.count
        if !catalogs.isEmpty { _ = try await target.changeCatalogs(catalogs, ifVersion: nil) }
        for name in DocumentName.allCases {
            guard let document = try await source.document(name) else { continue }
            guard try await target.replaceDocument(name, expecting: nil, with: document) else { throw Self.notEmpty }
        }
        // Before the channels: one can begin at its old offset only if the floor is not below that.
        try await target.raiseChannelFloor(to: Self.floor(of: source))
        var place: ChannelName?
        repeat {
            let names = try await source.channels(after: place, limit: 256)
            for name in names {
                try await Self.copy(name, from: source, to: target, &progress)
                progress.channels += 1
                tell(progress)
            }
            place = names.last
        } while place != nil
        return progress
    }

    package static func checkIsEmpty(_ target: some CopyableStore) async throws(StoreError) {
        var isEmpty = try await target.channels(after: nil, limit: 1).isEmpty
        if isEmpty { isEmpty = try await target.catalogs().isEmpty }
        for name in DocumentName.allCases where isEmpty { isEmpty = try await target.document(name) == nil }
        guard isEmpty else { throw Self.notEmpty }
    }

    private static let notEmpty =
        StoreError.unavailable("The target is not empty. Choose another one, or remove it first.")

    /// The offset after which new channels begin: the source's floor, but not before the last event of any channel.
    private static func floor(of source: some CopyableStore) async throws(StoreError) -> Offset {
        var floor = try await source.channelFloor()
        var place: ChannelName?
        repeat {
            let names = try await source.channels(after: place, limit: 256)
            for name in names { floor = max(floor, try await source.load(name).last) }
            place = names.last
        } while place != nil
        return floor
    }

    private static func copy(
        _ name: ChannelName,
        from source: some CopyableStore,
        to target: some CopyableStore,
        _ progress: inout Progress
    ) async throws(StoreError) {
        let stored = try await source.load(name)
        let engine = try Engine(channel: name, epoch: source.epoch, stored)
        // Before the deliveries, which need their webhooks.
        if !stored.webhooks.isEmpty { try await target.setWebhooks(stored.webhooks, of: name, replacing: nil) }
        progress.events += try await Self.copyEvents(of: name, until: stored.last, from: source, to: target)
        let records = try await source.allRecords(of: name)
        let deliveries = try await source.allDeliveries(of: name)
        progress.records += records.count
        progress.deliveries += deliveries.count

        var (restOfRecords, restOfDeliveries) = (records[...], deliveries[...])
        // Without a snapshot and events, the channel never had an event, and is kept for its webhooks or records.
        let isFresh = stored.snapshot == nil && stored.tail.isEmpty
        var snapshot = isFresh ? nil : StoredSnapshot(offset: stored.last, state: engine.snapshotState())
        while snapshot != nil || !restOfRecords.isEmpty || !restOfDeliveries.isEmpty {
            let append = Append(
                channel: name,
                expected: stored.last,
                events: .written([]),
                snapshot: snapshot,
                records: Array(restOfRecords.prefix(Self.part)),
                deliveries: Array(restOfDeliveries.prefix(Self.part)),
                due: engine.nextDeadline
            )
            try await target.append(append)
            snapshot = nil
            restOfRecords = restOfRecords.dropFirst(Self.part)
            restOfDeliveries = restOfDeliveries.dropFirst(Self.part)
        }
        let copied = try await target.load(name)
        let copy = try Engine(channel: name, epoch: source.epoch, copied)
        let isSame = copy.snapshotState() == engine.snapshotState()
        guard isSame || isFresh, copied.webhooks == stored.webhooks else {
            throw .corrupt("The copy of channel \(name) differs from the original.")
        }
    }

    /// Copies all events that the source still has; returns how many.
    private static func copyEvents(
        of name: ChannelName,
        until last: Offset,
        from source: some CopyableStore,
        to target: some CopyableStore
    ) async throws(StoreError) -> Int {
        var (count, place) = (0, Offset.origin)
        while place < last {
            let page = try await source.events(
                of: name,
                after: place,
                limit: Self.page.events,
                bytes: Self.page.bytes
            )
            guard let first = page.events.first, let end = page.events.last else { break }
            let before = first.offset.previous
            try await target.append(Append(channel: name, expected: before, events: .written(page.events)))
            count += page.events.count
            place = end.offset
        }
        return count
    }
}

extension EventLog {
    /// Appends to one channel, and returns when it is stored.
    fileprivate func append(_ change: Append) async throws(StoreError) {
        let outcome = await withCheckedContinuation { continuation in
            self.append([change]) { continuation.resume(returning: $1) }
        }
        if case .failed(let error) = outcome { throw error }
    }
}
