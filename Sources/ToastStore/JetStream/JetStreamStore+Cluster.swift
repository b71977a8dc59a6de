import NATS
package import ToastCore

// What the nodes of a cluster ask of the store beside its ports.

extension JetStreamStore {
    /// The channels of some partitions whose last message says that they have a deadline; reads headers only, by one
    /// consumer for each stream.
    package func timedChannels(inPartitions partitions: [Int]) async throws(StoreError) -> [ChannelName] {
        let byLog = Dictionary(grouping: partitions) { $0 % Subjects.logs }
        let found = await self.inLogs(Array(byLog.keys)) { (log) async throws(StoreError) -> [ChannelName] in
            var names: [ChannelName] = []
            let filters = (byLog[log] ?? []).map { self.subjects.all(.log, ofLog: log, partition: $0) }
            try await self.scan(lastOf: filters, inLog: log) { header in
                guard let end = header.fields.log, !end.isTombstone, end.due != nil else { return }
                if let name = ChannelSubject(header.subject)?.channel { names.append(name) }
            }
            return names
        }
        var all: [ChannelName] = []
        for (_, result) in found { all += try result.get() }
        return all
    }

    /// The clock of the server that leads the meta stream; `nil` when it does not answer.
    package func clusterTime() async -> Instant? {
        // Why it fails does not matter: it is asked again soon.
        try? await self.write.clock(of: self.subjects.metaStream)
    }
}
