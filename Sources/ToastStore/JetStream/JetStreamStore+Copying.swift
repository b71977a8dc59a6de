import NATS
package import ToastCore

extension JetStreamStore: CopyableStore {
    package func allRecords(of channel: ChannelName) async throws(StoreError) -> [IdempotencyRecord] {
        let place = try await self.read.place(of: channel)
        let (messages, outcomes) = try await self.recordMessages(of: channel, place)
        var records: [IdempotencyRecord] = []
        for message in messages where !message.header.isVoid {
            var record = try RecordBody.decode(message.body, message.header)
            record.outcome = record.outcome ?? record.toast.flatMap { outcomes[$0] }
            records.append(record)
        }
        return records.sorted { $0.at < $1.at }
    }

    package func allDeliveries(of channel: ChannelName) async throws(StoreError) -> [NewDelivery] {
        let place = try await self.read.place(of: channel)
        let filter = self.subjects.subject(.delivery, of: channel, ">")
        let messages = try await self.read.lastMessages([filter], of: channel, since: place.sequence)
        var deliveries: [(place: DeliveryPlace, delivery: NewDelivery)] = []
        for message in messages where message.sequence > place.life {
            guard let place = ChannelSubject(message.subject).flatMap(DeliveryPlace.init),
                let header = message.headers.delivery
            else { continue }
            deliveries.append((place, try DeliveryBody.decode(message.body, header)))
        }
        return deliveries.sorted { $0.place < $1.place }.map(\.delivery)
    }

    package func channelFloor() async throws(StoreError) -> Offset {
        try await self.read.floor().offset
    }

    package func raiseChannelFloor(to offset: Offset) async throws(StoreError) {
        _ = try await self.raiseFloor(to: offset)
    }
}

// A copy into a cluster takes many messages. A message PREFIX.m.copy says that one was begun: until the message is
// removed, no node starts.

extension JetStreamStore {
    /// Prepares to copy another store into this one; removes what an unfinished copy has left here.
    ///
    /// - Throws: `unavailable` when nodes use the cluster.
    package func beginCopy() async throws(StoreError) {
        try await self.checkNodes()
        if try await self.hasUnfinishedCopy {
            for log in 0..<Subjects.logs {
                try await self.read.purge(self.subjects.all(ofLog: log), in: self.subjects.stream(log))
            }
            let meta = [self.subjects.floor, self.subjects.manifest, self.subjects.allBlobs]
            for filter in meta { try await self.read.purge(filter, in: self.subjects.metaStream) }
        }
    }

    /// Notes that this store is not complete from now on.
    package func markCopy() async throws(StoreError) {
        let message = StreamMessage(subject: self.subjects.copy, body: [], replacesSubject: true)
        _ = try await self.read { (client) async throws(NATSError) in try await client.publish(message) }
    }

    /// Notes that a copy into this store is complete.
    package func finishCopy() async throws(StoreError) {
        try await self.read.purge(self.subjects.copy, in: self.subjects.metaStream)
    }

    /// Makes sure that no node uses the cluster.
    ///
    /// - Parameter start: Since when, by the server's clock; `nil` for nodes that use it now.
    /// - Throws: `unavailable` when a node does, or has since `start`.
    package func checkNodes(since start: Instant? = nil) async throws(StoreError) {
        guard let now = await self.clusterTime() else { throw .unavailable("The cluster does not tell its time.") }
        let (stream, filter) = (self.subjects.stream(0), self.subjects.pulses(inLog: 0))
        let pulses = try await self.read { (client) async throws(NATSError) in
            try await client.lastMessages(of: [filter], in: stream).messages
        }
        let recent = now + Interval(seconds: -Self.pulsePatience)
        let isUsed = pulses.contains { pulse in
            // The last pulse of a node that has left is not `open`.
            if let start { return pulse.timestamp >= start }
            return pulse.body == Array("open".utf8) && pulse.timestamp > recent
        }
        guard !isUsed else {
            throw .unavailable(
                start == nil
                    ? "Nodes of toastd use the cluster. Stop all of them first."
                    : "A node of toastd has used the cluster meanwhile. Stop it, and begin again."
            )
        }
    }

    /// A node that has written no pulse for so many seconds counts as gone.
    private static let pulsePatience = 10.0

    /// Refuses to open a store that is not complete.
    func checkCopies() async throws(StoreError) {
        guard try await self.hasUnfinishedCopy else { return }
        throw .unavailable(
            """
            The copy into this cluster was not finished. Repeat `toastd store copy`, which removes what is there and \
            begins again.
            """
        )
    }

    private var hasUnfinishedCopy: Bool {
        get async throws(StoreError) {
            try await self.read.last(self.subjects.copy, in: self.subjects.metaStream) != nil
        }
    }
}
