import EventLoop
import ToastCore
import ToastHub

// The listeners at this node. Each channel is followed once, whatever the number of its listeners here, and in the same
// way whether this node owns it or another one: so listeners stay where they are when the owner changes.

extension ClusterNode {
    /// Joins a channel for a listener.
    func attend(_ attendance: Attendance, to name: ChannelName) async throws(ChannelError) -> Opening {
        guard case .one(let listener) = attendance.listeners else {
            preconditionFailure("The listeners of a node are counted by its owner's service.")
        }
        let end = self.time.now() + self.timing.repetition
        while self.isUnsureOfListeners {
            guard !Task.isCancelled else { throw .listenerLeft }
            guard self.time.now() < end else { throw .store(.unavailable("This node stood still.")) }
            await self.time.pause(self.timing.pause)
        }
        // The listener may have left while its request waited for the process to go on.
        if attendance.hasLeft() { throw .listenerLeft }
        // Counted first, so that it gets the events that arrive before its opening. The first request counts it as
        // audience, too. Repetitions do not: until it has joined, nothing shows whether its client is still there.
        self.followed.count(.unseen, of: attendance.observer, in: name, by: 1)
        let request = OwnerMessage.attend(self.attendMessage(attendance, name, counting: listener))
        do throws(ChannelError) {
            let again: @Sendable () async -> OwnerMessage = { await .attend(self.attendMessage(attendance, name)) }
            guard case .opening(let opening) = try await self.carryOut(request, again: again) else {
                throw .store(.unavailable("The channel's owner gave no opening."))
            }
            if attendance.hasLeft() { throw .listenerLeft }
            self.followed.begin(name, at: opening.stored)
            self.followed.count(listener, of: attendance.observer, in: name, by: 1)
            self.remove(.unseen, of: attendance.observer, from: name)
            return opening
        } catch {
            self.remove(.unseen, of: attendance.observer, from: name)
            throw error
        }
    }

    /// The request of one listener, with all listeners at this node; counts `listener` although it has not joined yet.
    private func attendMessage(
        _ attendance: Attendance,
        _ name: ChannelName,
        counting listener: ChannelListener? = nil
    ) -> AttendMessage {
        AttendMessage(
            node: self.id,
            channel: name,
            counts: self.followed.counts(of: name, with: listener.map { ($0, attendance.observer) }),
            cursor: attendance.cursor,
            language: attendance.language
        )
    }

    /// Removes a listener from a channel, and tells its owner with the other changes of this turn.
    func remove(_ listener: ChannelListener, of observer: any ChannelObserver, from name: ChannelName) {
        self.followed.count(listener, of: observer, in: name, by: -1)
        guard self.followed.note(changed: name) else { return }
        self.execute { if !$0.isUnsureOfListeners { $0.renewChanged() } }
    }

    /// Whether some of the listeners at this node may have left without its notice, because the process stood still.
    private var isUnsureOfListeners: Bool {
        let now = self.time.now()
        return now < self.work.settledFrom || self.routes.stoodStill(at: now)
    }

    /// Tells owners the listeners of the channels where they have changed.
    func renewChanged() { self.tellOwners(of: self.followed.takeChanged()) }

    /// Tells new owners the listeners of their channels.
    func renewMoved(where isMoved: (Partition) -> Bool) {
        if !self.isUnsureOfListeners { self.renewAll(where: isMoved) }
    }

    /// Tells owners the listeners of their channels; by default of all channels.
    func renewAll(where isWanted: (Partition) -> Bool = { _ in true }) {
        self.tellOwners(of: self.followed.names.filter { isWanted(Partition(of: $0)) })
    }

    /// Tells owners the listeners of some channels, and learns from them what the listeners have missed.
    private func tellOwners(of names: [ChannelName]) {
        guard !names.isEmpty, self.hub != nil else { return }
        let (sent, ownership) = (self.sendingTime, self.routes.ownership)
        let byOwner = Dictionary(grouping: names) { ownership.owner(of: Partition(of: $0)) }
        for (owner, names) in byOwner {
            // No owner is known: the next renewal tries again.
            guard let owner else { continue }
            let entries = names.map { name in
                AudienceMessage.Entry(
                    channel: name,
                    counts: self.followed.counts(of: name),
                    last: self.followed.position(in: name)
                )
            }
            let message = AudienceMessage(node: self.id, sent: sent, entries: entries)
            if owner == self.id {
                Task.immediate { self.learn(await self.renewAudience(message)) }
            } else {
                // Each entry is far shorter than the limit of any bus.
                for body in (try? message.encoded(within: self.bus.limit)) ?? [] {
                    Task.immediate { await self.tell(body, to: owner) }
                }
            }
        }
    }

    private func tell(_ body: [UInt8], to owner: NodeID) async {
        do throws(BusError) {
            let reply = try await self.bus.request(body, to: .node(owner), timeout: self.timing.renewal)
            guard case .audienceReply(let answer) = try? ClusterMessage.decode(reply) else { return }
            self.learn(answer)
        } catch {
            // The next renewal sends the counts of all followed channels again, perhaps to another owner.
            if error == .noResponders { self.check(owner) }
        }
    }

    private func learn(_ answer: AudienceReply) {
        for entry in answer.entries { self.followed.learn(entry.last, of: entry.channel) }
    }
}
