import NATS
package import ToastCore

// What the nodes of a cluster ask of the store beside its ports.

extension JetStreamStore {
    /// The channels of some partitions whose last message says that they have a deadline; reads headers only, by one
    /// consumer for each stream.
    package func timedChannels(inPartitions partitions: [Int]) async throws(StoreError) -> [ChannelName] {
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
                guard let end = header.fields.log, !end.isTombstone, end.due != nil else { continue }
                if let name = ChannelSubject(header.subject)?.channel { names.append(name) }
            }
            return true
        }
        return names
    }

    /// The clock of the server that leads the meta stream; `nil` when it does not answer.
    package func clusterTime() async -> Instant? {
        // Why it fails does not matter: it is asked again soon.
        try? await self.write.clock(of: self.subjects.metaStream)
    }
}
