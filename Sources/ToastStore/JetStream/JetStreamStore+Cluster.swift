import NATS
package import ToastCore

// What the nodes of a cluster ask of the store beside its ports.

extension JetStreamStore {
    /// The channels of some partitions whose last message says that they have a deadline; reads headers only, by one
    /// consumer for each stream.
    package func timedChannels(inPartitions partitions: [Int]) async throws(StoreError) -> [ChannelName] {
        try self.checkOpen()
        let byLog = Dictionary(grouping: partitions) { $0 % Subjects.logs }
        let results = await withTaskGroup(of: Result<[ChannelName], StoreError>.self) { group in
            for (log, partitions) in byLog {
                group.addTask {
                    do throws(StoreError) {
                        return .success(try await self.timedChannels(inPartitions: partitions, ofLog: log))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var names: [ChannelName] = []
        for result in results { names += try result.get() }
        return names
    }

    private func timedChannels(
        inPartitions partitions: [Int],
        ofLog log: Int
    ) async throws(StoreError) -> [ChannelName] {
        var names: [ChannelName] = []
        let filters = partitions.map { self.subjects.all(.log, ofLog: log, partition: $0) }
        try await self.scan(pagesOf: .last, of: filters, in: self.subjects.stream(log)) { page in
            for header in page {
                guard let name = ChannelSubject(header.subject)?.channel,
                    let end = header.fields[LogHeader.name].flatMap(LogHeader.init), !end.isTombstone, end.due != nil
                else { continue }
                names.append(name)
            }
            return true
        }
        return names
    }

    /// Whether a majority of a log's servers writes now.
    ///
    /// A process without this confirmation for some seconds must not decide for channels of that log.
    package func confirm(log: Int) async -> Bool {
        guard self.connection.isOpen else { return false }
        let message = StreamMessage(
            subject: self.subjects.pulse(log),
            body: [],
            timeToLive: .seconds(60),
            replacesSubject: true
        )
        // Why it fails does not matter: the next pulse comes soon.
        return (try? await self.write.publish(message)) != nil
    }

    /// The clock of the server that leads the store's small stream; `nil` when it does not answer.
    package func clusterTime() async -> Instant? {
        let stream = self.subjects.metaStream
        // Why it fails does not matter: it is asked again soon.
        let info = try? await self.write.info(of: stream)
        return info.flatMap { $0 }.map { Instant(nanoseconds: $0.timestamp) }
    }
}
