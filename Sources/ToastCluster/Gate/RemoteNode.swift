import Synchronization
import ToastCore
import ToastHub

/// A node with listeners of this node's channels, as these channels see it.
///
/// The events of a turn go out in one message per node, whatever the number of its listeners.
final class RemoteNode: ChannelObserver {
    /// What the node is told.
    enum Item: Sendable {
        case events(Broadcast)
        case restart(ChannelName)
    }

    let id: NodeID
    /// Has ``takePending()`` called soon, on one thread.
    private let whenPending: @Sendable (RemoteNode) -> Void
    private let pending = Mutex<[Item]>([])
    /// The channels with listeners there, which have neither left nor lapsed.
    private let present = Mutex<Set<ChannelName>>([])

    init(id: NodeID, whenPending: @escaping @Sendable (RemoteNode) -> Void) {
        self.id = id
        self.whenPending = whenPending
    }

    func receive(_ broadcast: Broadcast) {
        self.add(.events(broadcast))
    }

    func channelDidRestart(_ name: ChannelName) {
        self.add(.restart(name))
    }

    func channel(_ name: ChannelName, isStoredThrough offset: Offset) {
        // Renewals tell a node the end of the log.
    }

    func isPresent(in name: ChannelName) -> Bool { self.present.withLock { $0.contains(name) } }

    /// Notes whether the node has listeners of a channel.
    func setPresent(_ isPresent: Bool, in name: ChannelName) {
        self.present.withLock { present in
            if isPresent { present.insert(name) } else { present.remove(name) }
        }
    }

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
        let node: RemoteNode
        var renewals: [ChannelName: Instant] = [:]
    }

    private var members: [NodeID: Member] = [:]

    /// A node, as its channels see it.
    mutating func node(_ id: NodeID, make: () -> RemoteNode) -> RemoteNode {
        if let member = self.members[id] { return member.node }
        let node = make()
        self.members[id] = Member(node: node)
        return node
    }

    /// Notes that a node has listeners of a channel.
    mutating func renew(_ name: ChannelName, of id: NodeID, at instant: Instant) {
        // An earlier message may come later.
        let known = self.members[id]?.renewals[name] ?? instant
        self.members[id]?.renewals[name] = max(instant, known)
        self.members[id]?.node.setPresent(true, in: name)
    }

    /// Whether the listeners of a channel at a node count: they have neither left nor lapsed.
    func has(_ name: ChannelName, of node: RemoteNode) -> Bool {
        guard let member = self.members[node.id], member.node === node else { return false }
        return member.renewals[name] != nil
    }

    /// Notes that a node has no listeners of a channel any more.
    mutating func end(_ name: ChannelName, of id: NodeID) {
        self.members[id]?.renewals[name] = nil
        self.members[id]?.node.setPresent(false, in: name)
    }

    /// Forgets the channels for which another node decides.
    mutating func release(where isLost: (ChannelName) -> Bool) {
        for (id, member) in self.members {
            for name in member.renewals.keys where isLost(name) { self.end(name, of: id) }
        }
    }

    /// Forgets what was not renewed since an instant.
    ///
    /// - Returns: The channels whose listeners count no longer.
    mutating func lapse(before instant: Instant) -> [(RemoteNode, ChannelName)] {
        var lapsed: [(RemoteNode, ChannelName)] = []
        for (id, member) in self.members {
            let old = member.renewals.filter { $0.value < instant }.keys
            for name in old {
                self.end(name, of: id)
                lapsed.append((member.node, name))
            }
            if self.members[id]?.renewals.isEmpty == true { self.members[id] = nil }
        }
        return lapsed
    }
}
