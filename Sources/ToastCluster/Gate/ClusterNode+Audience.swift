import EventLoop
import ToastCore
import ToastHub

// The owner's side of listeners at other nodes. The listeners at this node count in the same way.

extension ClusterNode {
    /// Counts the listeners of a node in a channel that this node owns, and returns the opening for one of them.
    func attend(_ message: AttendMessage) async throws(ChannelError) -> Opening {
        guard let sent = self.arrival(ofMessageSentAt: message.sent) else {
            throw .store(.unavailable("The request was on its way for too long."))
        }
        let node = self.followingNode(message.node)
        self.audience.renew(message.channel, of: message.node, at: sent, message.counts)
        let attendance = Attendance(
            observer: node,
            listeners: .all(message.counts),
            cursor: message.cursor,
            language: message.language
        )
        // Also when `attend` throws: the channel may have counted the listeners before storing failed.
        defer { self.removeGone([message.channel], of: node) }
        guard let hub = self.hub,
            case .opening(let opening) = try await hub.performHere(.attend(attendance), on: message.channel)
        else { throw .store(.unavailable("The node has left the cluster.")) }
        return opening
    }

    /// Removes listeners that left or lapsed while this node waited for the channel; no later message would do it.
    private func removeGone(_ names: [ChannelName], of node: FollowingNode) {
        for name in names where !self.audience.has(name, of: node) { self.hub?.leaveHere(name, node) }
    }

    func serve(_ message: AudienceMessage, _ reply: BusReply?) {
        Task.immediate {
            let answer = await self.renewAudience(message)
            reply?(answer.encoded())
        }
    }

    /// Counts the listeners of a node; the reply has the last event of each of their channels that is loaded here.
    func renewAudience(_ message: AudienceMessage) async -> AudienceReply {
        let now = self.time.now()
        let served = message.entries.filter { self.routes.serves(Partition(of: $0.channel), at: now) }
        guard let hub = self.hub, !served.isEmpty, let sent = self.arrival(ofMessageSentAt: message.sent) else {
            return AudienceReply(entries: [])
        }
        let node = self.followingNode(message.node)
        for entry in served where entry.counts.isEmpty {
            self.audience.end(entry.channel, of: message.node)
            hub.leaveHere(entry.channel, node)
        }
        let present = served.filter { !$0.counts.isEmpty }
        for entry in present { self.audience.renew(entry.channel, of: message.node, at: sent, entry.counts) }
        let counts = Dictionary(present.map { ($0.channel, $0.counts) }, uniquingKeysWith: { $1 })
        var stored = await hub.renew(counts, of: node)
        let missing = present.filter { stored[$0.channel] == nil }
        stored.merge(await self.load(missing, for: node, hub)) { $1 }
        self.removeGone(present.map(\.channel), of: node)
        for entry in present {
            guard let last = entry.last, let known = stored[entry.channel], known < last else { continue }
            hub.reload(entry.channel, knowing: last)
        }
        // Pending events go first: the node takes events up to the reply's offsets for missed if it does not have them.
        self.flush(node)
        return AudienceReply(entries: stored.map { AudienceReply.Entry(channel: $0, last: $1) })
    }

    /// The local instant at which a message was sent: its audience counts from then on.
    ///
    /// - Parameter sent: When it was sent, by the clock that the nodes share; nil if unknown, which counts as now.
    /// - Returns: That instant by the local clock; nil when its audience has lapsed since.
    private func arrival(ofMessageSentAt sent: Instant?) -> Instant? {
        let now = self.time.now()
        guard let sent, let shared = self.hub?.now, shared > sent else { return now }
        let delay = shared - sent
        guard delay < self.timing.renewalLifetime else { return nil }
        return Instant(nanoseconds: now.nanoseconds - delay.nanoseconds)
    }

    /// Loads channels that a node has listeners of, a few at a time; returns the last event of each.
    private nonisolated func load(
        _ entries: [AudienceMessage.Entry],
        for node: FollowingNode,
        _ hub: Hub
    ) async -> [ChannelName: Offset] {
        await withTaskGroup(of: (ChannelName, Offset?).self, returning: [ChannelName: Offset].self) { group in
            var stored: [ChannelName: Offset] = [:]
            for entry in entries.prefix(self.timing.loads) {
                group.addTask { await Self.load(entry, for: node, hub) }
            }
            var rest = entries.dropFirst(self.timing.loads)
            for await (name, offset) in group {
                stored[name] = offset
                if let entry = rest.popFirst() { group.addTask { await Self.load(entry, for: node, hub) } }
            }
            return stored
        }
    }

    private static func load(
        _ entry: AudienceMessage.Entry,
        for node: FollowingNode,
        _ hub: Hub
    ) async -> (ChannelName, Offset?) {
        // With a cursor: without one the channel would make a snapshot, which is not used here.
        let cursor = Cursor(epoch: hub.epoch, offset: entry.last ?? .origin)
        let attendance = Attendance(observer: node, listeners: .all(entry.counts), cursor: cursor)
        // A channel that cannot be loaded now is renewed again in a second.
        guard case .opening(let opening) = try? await hub.performHere(.attend(attendance), on: entry.channel) else {
            return (entry.channel, nil)
        }
        return (entry.channel, opening.stored)
    }

    /// Ends the audience of nodes that have not renewed it.
    func lapse(at now: Instant) {
        let start = Instant(nanoseconds: now.nanoseconds - self.timing.renewalLifetime.nanoseconds)
        for (node, name) in self.audience.lapse(before: start) {
            self.hub?.leaveHere(name, node)
        }
    }

    private func followingNode(_ id: NodeID) -> FollowingNode {
        self.audience.node(id) {
            FollowingNode(id: id) { [self] node in
                self.execute { $0.flush(node) }
            }
        }
    }

    /// Sends a node the events of this turn.
    private func flush(_ node: FollowingNode) {
        let items = node.takePending()
        guard !items.isEmpty else { return }
        guard node.id != self.id else {
            for item in items {
                switch item {
                case .events(let broadcast): self.followed.take(broadcast)
                case .restart(let name): self.followed.restart(name)
                }
            }
            return
        }
        let messages = items.flatMap { item -> [[UInt8]] in
            switch item {
            case .events(let broadcast):
                // If one event is too long for the bus, none of the broadcast is sent: listeners read it from the log.
                (try? broadcast.encoded(within: self.bus.limit)) ?? []
            case .restart(let name):
                [MessageParts.bytes(.restart, of: name)]
            }
        }
        for body in MessageBundle.encode(messages, within: self.bus.limit) {
            self.bus.publish(body, to: .node(node.id))
        }
    }
}
