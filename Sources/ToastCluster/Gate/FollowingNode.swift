import Synchronization
import ToastCore
import ToastHub

/// Observes this node's channels on behalf of a node that has listeners of them; that may be this node itself.
///
/// The events of a turn go out in one message per node, whatever the number of its listeners.
final class FollowingNode: ChannelObserver {
    /// What the node is told.
    enum Item: Sendable {
        case events(Broadcast)
        case restart(ChannelName)
    }

    let id: NodeID
    /// Schedules a call of ``takePending()``, on one thread.
    private let whenPending: @Sendable (FollowingNode) -> Void
    private let pending = Mutex<[Item]>([])
    /// The node's listeners by channel, by its last message; a channel whose listeners left or lapsed is not in it.
    private let listeners = Mutex<[ChannelName: ListenerCounts]>([:])

    init(id: NodeID, whenPending: @escaping @Sendable (FollowingNode) -> Void) {
        self.id = id
        self.whenPending = whenPending
    }

    func receive(_ broadcast: Broadcast) { self.add(.events(broadcast)) }

    func channelDidRestart(_ name: ChannelName) { self.add(.restart(name)) }

    func channel(_ name: ChannelName, isStoredThrough offset: Offset) {
        // Not sent: the replies to renewals tell a node the end of the log.
    }

    func current(_ counts: ListenerCounts, in name: ChannelName) -> ListenerCounts? {
        self.listeners.withLock { $0[name] }.map { $0.sequence > counts.sequence ? $0 : counts }
    }

    /// Notes the listeners of a channel, unless later ones are known already.
    func note(_ counts: ListenerCounts, in name: ChannelName) {
        self.listeners.withLock { listeners in
            if counts.sequence >= listeners[name]?.sequence ?? .min { listeners[name] = counts }
        }
    }

    /// Notes that the node has no listeners of a channel.
    func noteNone(in name: ChannelName) { self.listeners.withLock { $0[name] = nil } }

    /// Takes what the node has to be told, in its order.
    func takePending() -> [Item] {
        self.pending.withLock { pending in
            defer { pending = [] }
            return pending
        }
    }

    private func add(_ item: Item) {
        let isFirst = self.pending.withLock { pending in
            pending.append(item)
            return pending.count == 1
        }
        if isFirst { self.whenPending(self) }
    }
}

/// The nodes with listeners of this node's channels, and when they last renewed them.
struct RemoteAudience {
    private struct Member {
        let node: FollowingNode
        var renewals: [ChannelName: Instant] = [:]
    }

    private var members: [NodeID: Member] = [:]

    /// The observer of a node; `make` makes it when there is none.
    mutating func node(_ id: NodeID, make: () -> FollowingNode) -> FollowingNode {
        if let member = self.members[id] { return member.node }
        let node = make()
        self.members[id] = Member(node: node)
        return node
    }

    /// Notes a node's listeners of a channel.
    mutating func renew(_ name: ChannelName, of id: NodeID, at instant: Instant, _ counts: ListenerCounts) {
        // Messages may arrive out of order.
        let known = self.members[id]?.renewals[name] ?? instant
        self.members[id]?.renewals[name] = max(instant, known)
        self.members[id]?.node.note(counts, in: name)
    }

    /// Whether the listeners of a channel at a node count: they have neither left nor lapsed.
    func has(_ name: ChannelName, of node: FollowingNode) -> Bool {
        guard let member = self.members[node.id], member.node === node else { return false }
        return member.renewals[name] != nil
    }

    /// Notes that a node has no listeners of a channel any more.
    mutating func end(_ name: ChannelName, of id: NodeID) {
        self.members[id]?.renewals[name] = nil
        self.members[id]?.node.noteNone(in: name)
    }

    /// Forgets the channels for which another node decides.
    mutating func release(where isLost: (ChannelName) -> Bool) {
        for (id, member) in self.members {
            for name in member.renewals.keys where isLost(name) { self.end(name, of: id) }
        }
    }

    /// Forgets the listeners that were not renewed since an instant.
    ///
    /// - Returns: The channels whose listeners count no longer.
    mutating func lapse(before instant: Instant) -> [(FollowingNode, ChannelName)] {
        var lapsed: [(FollowingNode, ChannelName)] = []
        for (id, member) in self.members {
            for (name, renewed) in member.renewals where renewed < instant {
                self.end(name, of: id)
                lapsed.append((member.node, name))
            }
            if self.members[id]?.renewals.isEmpty == true { self.members[id] = nil }
        }
        return lapsed
    }
}
