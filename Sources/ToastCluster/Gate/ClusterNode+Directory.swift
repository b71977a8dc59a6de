package import ToastCore
import ToastHub

// The names of all channels. Each owner knows those of its partitions, also of channels that were added a moment ago,
// so all owners are asked.

extension ClusterNode {
    package nonisolated func channels(
        after name: ChannelName?,
        limit: Int
    ) async throws(StoreError) -> [ChannelName] {
        let message = NamesMessage(after: name, limit: limit)
        let end = self.time.now() + self.timing.repetition
        while true {
            if let names = await self.askOwners(message) { return names }
            guard !self.routes.isCut(at: self.time.now()) else {
                throw .unavailable("This node has lost the log.")
            }
            guard !Task.isCancelled else { throw .unavailable("The request was cancelled.") }
            guard self.time.now() < end, !self.isLast(of: Partition(0)) else {
                throw .unavailable("Some channels have no owner at the moment.")
            }
            await self.time.pause(self.timing.pause)
        }
    }

    /// Asks all owners for names; nil when the replies do not cover every partition.
    private nonisolated func askOwners(_ message: NamesMessage) async -> [ChannelName]? {
        let ownership = self.routes.ownership
        let owners = Set(Partition.all.compactMap(ownership.owner(of:)))
        return await withTaskGroup(of: NamesReply?.self, returning: [ChannelName]?.self) { group in
            for owner in owners {
                group.addTask {
                    owner == self.id ? await self.names(for: message) : await self.ask(owner, message)
                }
            }
            var (answered, names) = (PartitionSet(), Set<ChannelName>())
            for await reply in group {
                guard let reply else { continue }
                answered.formUnion(reply.partitions)
                names.formUnion(reply.names)
            }
            return answered.count == Partition.all.count ? Array(names.sorted().prefix(message.limit)) : nil
        }
    }

    private nonisolated func ask(_ owner: NodeID, _ message: NamesMessage) async -> NamesReply? {
        let body = message.encoded()
        guard let reply = try? await self.bus.request(body, to: .node(owner), timeout: self.timing.attempt),
            case .namesReply(let names) = try? ClusterMessage.decode(reply)
        else { return nil }
        return names
    }

    /// Replies to another node with the names of this one's channels.
    func serve(_ message: NamesMessage, _ reply: BusReply?) {
        guard self.beginRequest() else { return }
        Task.immediate {
            let names = await self.names(for: message)
            // A node that gets no reply asks again.
            if let names { reply?(names.encoded()) }
            self.requestsInProgress -= 1
        }
    }

    /// The names of channels that this node owns; nil when the log cannot be read.
    private func names(for message: NamesMessage) async -> NamesReply? {
        guard let hub = self.hub else { return nil }
        let served = self.served
        var (names, place): ([ChannelName], ChannelName?) = ([], message.after)
        do throws(StoreError) {
            // Channels that former owners added are in the log; the store knows those that this node has added.
            try await hub.store.refreshChannels(since: self.work.lastGain)
            while names.count < message.limit {
                let page = try await hub.store.channels(after: place, limit: Self.namesPage)
                names += page.filter { served.contains(Partition(of: $0)) }
                place = page.last
                if page.count < Self.namesPage { break }
            }
        } catch {
            return nil
        }
        // A partition was lost meanwhile: its new owner may have added channels, and its names may have filled the
        // limit in place of others. So this reply counts for no partition, and the node that asked asks again.
        guard served.intersection(self.served) == served else {
            return NamesReply(partitions: PartitionSet(), names: [])
        }
        return NamesReply(partitions: served, names: Array(names.prefix(message.limit)))
    }

    /// The number of names that are read at a time, of which other nodes own some.
    private static let namesPage = 1000

    /// The partitions that this node serves now.
    private var served: PartitionSet {
        let now = self.time.now()
        return PartitionSet(Partition.all.filter { self.routes.serves($0, at: now) })
    }
}
