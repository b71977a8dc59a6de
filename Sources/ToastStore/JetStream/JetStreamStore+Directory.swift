import EventLoop
import NATS
package import ToastCore

extension JetStreamStore {
    package func refreshChannels(since instant: ContinuousClock.Instant) async throws(StoreError) {
        try await self.refreshDirectory(since: instant)
    }

    /// Reads the names of all channels, unless they were read a moment ago and not before `instant`.
    func refreshDirectory(since instant: ContinuousClock.Instant? = nil) async throws(StoreError) {
        try self.checkOpen()
        guard self.directory.isStale(at: .now, since: instant) else { return }
        await self.directoryLock.lock()
        defer { self.directoryLock.unlock() }
        // Another task may have read them meanwhile.
        guard self.directory.isStale(at: .now, since: instant) else { return }
        let start = ContinuousClock.now
        self.directory.beginRefresh()
        // Also when it fails: otherwise all changes until the next one would be kept.
        defer { self.directory.endRefresh() }
        var names: [ChannelName: Instant?] = [:]
        for log in 0..<Subjects.logs {
            for (name, at) in try await self.channels(ofLog: log) { names[name] = .some(at) }
        }
        self.directory.finishRefresh(names, begunAt: start, at: .now)
    }

    /// The channels of a log, with the instants of their last events.
    private func channels(ofLog log: Int) async throws(StoreError) -> [ChannelName: Instant?] {
        var (names, tombstones): ([ChannelName: Instant?], [ChannelName: UInt64]) = ([:], [:])
        try await self.scan(lastOf: [self.subjects.all(.log, ofLog: log)], inLog: log) { header in
            guard let channel = ChannelSubject(header.subject)?.channel, let log = header.fields.log else { return }
            if log.isTombstone { tombstones[channel] = header.sequence } else { names[channel] = .some(log.at) }
        }
        try await self.scan(lastOf: [self.subjects.all(.webhooks, ofLog: log)], inLog: log) { header in
            guard let channel = ChannelSubject(header.subject)?.channel, names[channel] == nil,
                header.sequence > tombstones[channel] ?? 0
            else { return }
            names[channel] = .some(nil)
        }
        return names
    }

    /// Reads the headers of the last message of each subject of a log that one of the filters matches.
    func scan(
        lastOf filters: [String],
        inLog log: Int,
        _ take: (HeaderScan.Header) -> Void
    ) async throws(StoreError) {
        try await self.scan(pagesOf: .last, of: filters, inLog: log) { page in
            for header in page { take(header) }
            return true
        }
    }

    /// Reads the headers of messages of a log, page by page, until `take` returns false.
    func scan(
        pagesOf selection: HeaderScan.Selection,
        of filters: [String],
        inLog log: Int,
        _ take: ([HeaderScan.Header]) -> Bool
    ) async throws(StoreError) {
        let scan = HeaderScan(
            connection: self.connection,
            read: self.read,
            upkeep: self.upkeep,
            selection: selection,
            filters: filters,
            stream: self.subjects.stream(log)
        )
        try await scan(take)
    }

    /// Runs a closure for several logs at the same time; the results come in any order.
    func inLogs<Value: Sendable>(
        _ logs: [Int],
        _ body: @escaping @Sendable (Int) async throws(StoreError) -> Value
    ) async -> [(log: Int, result: Result<Value, StoreError>)] {
        await withTaskGroup(of: (log: Int, result: Result<Value, StoreError>).self) { group in
            for log in logs {
                group.addTask {
                    do throws(StoreError) {
                        return (log, .success(try await body(log)))
                    } catch {
                        return (log, .failure(error))
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }
}
