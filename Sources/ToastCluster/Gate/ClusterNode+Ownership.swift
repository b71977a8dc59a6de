import Metrics
import ToastCore
import ToastHub

// The node's pulse, the owners of the partitions, and what follows when these change.

extension ClusterNode {
    /// Opens the pulse, or writes the next one to each stream.
    func keepPulse(at now: Instant) {
        guard self.work.hasPulse else { return self.openPulse() }
        guard now >= self.work.nextPulse else { return }
        self.work.nextPulse = now + self.timing.renewal
        for stream in 0..<self.pulses.streams where self.work.pulsing.insert(stream).inserted {
            Task {
                // If the log does not answer, the fence shuts by itself.
                let isOpen = try? await self.pulses.pulse(self.id, stream: stream)
                self.work.pulsing.remove(stream)
                if isOpen == true { self.routes.confirm(stream: stream, sentAt: now) }
                if isOpen == false { self.losePulse() }
            }
        }
    }

    private func openPulse() {
        guard !self.work.isOpening else { return }
        self.work.isOpening = true
        let sent = self.time.now()
        Task {
            let others = try? await self.pulses.open(self.id)
            self.work.isOpening = false
            guard let others, self.membership.begin(besides: others, at: self.time.now()) else { return }
            self.work.hasPulse = true
            for stream in 0..<self.pulses.streams { self.routes.confirm(stream: stream, sentAt: sent) }
        }
    }

    /// Another node has closed the pulse, because this one was silent for too long: others own its partitions.
    private func losePulse() {
        guard self.work.hasPulse else { return }
        self.work.hasPulse = false
        self.routes.shut()
        self.membership.end()
        self.updateOwnership(at: self.time.now())
    }

    /// Asks the log about a node that a message did not reach, without waiting for the next tick.
    func check(_ node: NodeID) {
        guard self.membership.noteUnreachable(node) else { return }
        for check in self.membership.advance(at: self.time.now()) { self.ask(check) }
    }

    func ask(_ check: SilenceCheck) {
        guard self.work.checked.insert(check.node).inserted else { return }
        Task {
            let answer = try? await self.pulses.answer(check)
            self.work.checked.remove(check.node)
            guard let answer else { return }
            let now = self.time.now()
            self.membership.note(answer, of: check, at: now)
            self.updateOwnership(at: now)
            // At once, so that the others need not find out by themselves that a node is gone.
            if self.membership.hasNews { self.beat(at: now) }
        }
    }

    /// Takes the heartbeat of a node, perhaps of this one.
    func hear(_ heartbeat: Heartbeat) {
        let now = self.time.now()
        if heartbeat.node == self.id, let hub = self.hub {
            return self.counters.lag.set(Int((hub.now - heartbeat.instant).nanoseconds))
        }
        self.membership.hear(heartbeat.node, heartbeat.claim, at: now)
        self.updateOwnership(at: now)
        for check in self.membership.checks(on: heartbeat.node, heartbeat.claim, at: now) { self.ask(check) }
        // At once, because the other node waits for the concession in this node's next heartbeat.
        if self.membership.hasNews { self.beat(at: now) }
    }

    /// Takes and gives partitions, as far as ownership has changed.
    func updateOwnership(at now: Instant) {
        self.counters.peers.set(self.membership.peers.count)
        let (owned, ownership) = (self.membership.owned, self.membership.ownership)
        let (formerlyOwned, formerOwnership) = (self.routes.owned, self.routes.ownership)
        guard owned != formerlyOwned || ownership != formerOwnership else { return }
        let gain = self.routes.change(to: owned, ownership)
        self.counters.owned.set(owned.count)
        self.takeOver(owned.subtracting(formerlyOwned), underNumber: gain)
        self.give(formerlyOwned.subtracting(owned).partitions, at: now)
        let hasNewOwner = { formerOwnership.owner(of: $0) != ownership.owner(of: $0) }
        self.bus.expireRequests(
            to: Partition.all.filter(hasNewOwner).map { .partition($0) },
            after: self.timing.handover
        )
        self.renewMoved { hasNewOwner($0) || formerlyOwned.contains($0) != owned.contains($0) }
    }

    private func takeOver(_ gained: PartitionSet, underNumber gain: Int) {
        guard !gained.isEmpty else { return }
        self.work.lastGain = .now
        self.counters.takeovers.add(gained.count)
        for partition in gained.partitions { self.subscribe(.partition(partition)) }
        Task {
            // A request in progress may have loaded channels while another node owned these partitions; their state may
            // be outdated.
            let end = self.time.now() + self.timing.attempt
            while let hub = self.hub, await hub.release(where: { gained.contains(Partition(of: $0)) }) > 0,
                self.time.now() < end
            {
                await self.time.pause(self.timing.pause)
            }
            self.routes.open(gain)
            self.work.waking.formUnion(gained.intersection(self.routes.owned).partitions)
            self.wakeGained()
            self.renewMoved { gained.contains($0) }
        }
    }

    private func give(_ lost: [Partition], at now: Instant) {
        guard !lost.isEmpty else { return }
        for partition in lost { self.subscriptions.removeValue(forKey: .partition(partition))?() }
        self.work.waking.subtract(lost)
        let lostSet = PartitionSet(lost)
        self.audience.release { lostSet.contains(Partition(of: $0)) }
        self.work.releasesUntil = now + self.timing.release
        self.releaseLost(at: now)
    }

    /// Removes channels of other owners from memory, until no request can be left that would load one again.
    func releaseLost(at now: Instant) {
        guard let hub = self.hub, now < self.work.releasesUntil, !self.work.isReleasing else { return }
        self.work.isReleasing = true
        Task {
            let isLeft = await hub.release { !self.owns($0) } > 0
            if isLeft { self.work.releasesUntil = self.time.now() + self.timing.release }
            self.work.isReleasing = false
        }
    }

    /// Loads the channels with a deadline in new partitions, so that their timers run.
    func wakeGained() {
        guard let hub = self.hub, !self.work.waking.isEmpty, !self.work.isWaking else { return }
        self.work.isWaking = true
        let wanted = PartitionSet(self.work.waking)
        self.work.waking = []
        Task {
            do throws(StoreError) {
                let names = try await self.timedChannels(wanted.partitions)
                let failed = await hub.wakeChannels(names.filter { self.owns($0) })
                let partitions = PartitionSet(failed.map { Partition(of: $0) })
                self.work.waking.formUnion(partitions.intersection(self.routes.owned).partitions)
            } catch {
                // The next tick tries again with the partitions that this node still owns.
                self.work.waking.formUnion(wanted.intersection(self.routes.owned).partitions)
            }
            self.work.isWaking = false
        }
    }
}
