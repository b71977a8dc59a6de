import EventLoop
import NATS
import Synchronization
package import ToastCore

extension JetStreamStore {
    /// Lets this process claim deliveries only of channels for which it decides.
    ///
    /// Claims are then not stored. Two processes claim the same delivery only while both believe that they decide for
    /// its channel. The delivery is then sent twice, as it may be after a process has ended.
    package func deliverOnly(where isOwned: @escaping @Sendable (ChannelName) -> Bool) {
        self.delivers.withLock { $0 = isOwned }
    }

    /// Claims due deliveries that no other claimer has, longest due first; other processes respect the claims.
    ///
    /// A claim of one's own is prolonged once half of its time is over.
    package func claimDeliveries(
        _ claim: DeliveryClaim,
        dueAt instant: Instant,
        limit: Int,
        share: DeliveryShare
    ) async throws(StoreError) -> [DueDelivery] {
        try self.checkOpen()
        try await self.refreshDeliveries()
        var places: [DeliveryID: DeliveryPlace] = [:]
        var queues: [[(due: Instant, delivery: DueDelivery)]] = []
        let due = self.deliveries.withLock { $0.due(at: instant, for: claim) }
        let delivers = self.delivers.withLock { $0 }
        for (hook, queue) in due where delivers?(hook.channel) ?? true {
            guard let webhook = try await self.webhook(hook) else { continue }
            for (place, entry) in queue { places[entry.id] = place }
            queues.append(
                queue.map { _, entry in
                    let id = entry.id
                    return (
                        entry.due, DueDelivery(id: id, channel: hook.channel, url: webhook.url, owner: webhook.owner)
                    )
                }
            )
        }
        let chosen = share.choose(from: queues, limit: limit)
        guard delivers == nil else { return chosen }
        let taken = try await self.take(chosen.compactMap { places[$0.id] }, for: claim)
        return chosen.filter { places[$0.id].map(taken.contains) ?? false }
    }

    /// Ends all claims of a claimer, as far as this process knows of them.
    package func releaseDeliveries(of claimer: DeliveryClaimer) async throws(StoreError) {
        try self.checkOpen()
        let claimed = self.deliveries.withLock { index in
            index.entries.filter { $0.value.header.claim?.claimer == claimer }.map(\.key)
        }
        _ = try await self.change(claimed) { header in
            guard header.claim?.claimer == claimer else { return false }
            header.claim = nil
            return true
        }
    }

    private func take(
        _ places: [DeliveryPlace],
        for claim: DeliveryClaim
    ) async throws(StoreError) -> Set<DeliveryPlace> {
        let half = Interval(nanoseconds: (claim.until - claim.now).nanoseconds / 2)
        let sure = self.deliveries.withLock { index in
            places.filter { place in
                guard let own = index.entries[place]?.header.claim, own.claimer == claim.claimer else { return false }
                return own.until > claim.now + half
            }
        }
        let rest = places.filter { !Set(sure).contains($0) }
        // One that is claimed for no time needs no message: nobody would have to respect it.
        guard claim.until > claim.now else { return Set(places) }
        return try await Set(sure).union(
            self.change(rest) { header in
                guard header.isFree(for: claim.claimer, at: claim.now) else { return false }
                header.claim = (claim.claimer, claim.until)
                return true
            }
        )
    }

    /// Changes the state of deliveries, several at a time; returns those that were changed.
    private func change(
        _ places: [DeliveryPlace],
        _ body: @escaping @Sendable (inout DeliveryHeader) -> Bool
    ) async throws(StoreError) -> Set<DeliveryPlace> {
        let result = await withTaskGroup(of: Result<DeliveryPlace?, StoreError>.self) { group in
            var (rest, changed): (ArraySlice<DeliveryPlace>, Set<DeliveryPlace>) = (places[...], [])
            var failure: StoreError?
            func startNext() {
                guard failure == nil, let place = rest.popFirst() else { return }
                group.addTask {
                    do throws(StoreError) {
                        return .success(try await self.change(place, body) ? place : nil)
                    } catch {
                        return .failure(error)
                    }
                }
            }
            for _ in 0..<Self.changesAtATime { startNext() }
            for await outcome in group {
                switch outcome {
                case .success(let place): if let place { changed.insert(place) }
                case .failure(let error): failure = error
                }
                startNext()
            }
            return failure.map { Result<Set<DeliveryPlace>, StoreError>.failure($0) } ?? .success(changed)
        }
        return try result.get()
    }

    private static var changesAtATime: Int { 32 }

    /// A webhook that is switched on; `nil` when it is not, or gone.
    private func webhook(_ hook: DeliveryIndex.Hook) async throws(StoreError) -> Webhook? {
        if let known = self.channels[hook.channel]?.webhooks?.first(where: { $0.id == hook.id }) {
            return known.isEnabled ? known : nil
        }
        // Another node may have added it while it owned the channel.
        let place = try await self.read.place(of: hook.channel)
        let webhooks = try await self.readWebhooks(of: hook.channel, place) ?? []
        self.channels.set(place, of: hook.channel)
        self.channels.update(hook.channel) { $0.webhooks = webhooks }
        return webhooks.first { $0.id == hook.id && $0.isEnabled }
    }

    /// Looks for deliveries that others left, unless that was done a moment ago.
    func refreshDeliveries() async throws(StoreError) {
        guard self.areDeliveriesStale else { return }
        await self.deliveryRefresh.lock()
        defer { self.deliveryRefresh.unlock() }
        guard self.areDeliveriesStale else { return }
        for log in 0..<Subjects.logs { try await self.refreshDeliveries(ofLog: log) }
        self.deliveries.withLock { $0.refreshed = .now }
    }

    /// How old the list may be of what others appended: a delivery of a node that died waits no longer than that.
    private static var refreshInterval: Duration { .seconds(2) }

    private var areDeliveriesStale: Bool {
        self.deliveries.withLock { $0.refreshed.map { ContinuousClock.now - $0 > Self.refreshInterval } ?? true }
    }

    private func refreshDeliveries(ofLog log: Int) async throws(StoreError) {
        var found: [(place: DeliveryPlace, header: DeliveryHeader, sequence: UInt64)] = []
        // Most of the time nothing waits, and to know that takes no consumer.
        let (stream, filter) = (self.subjects.stream(log), self.subjects.all(.delivery, ofLog: log))
        // Taken first: what is appended from now on is not in it, and so is not removed.
        let before = self.deliveries.withLock { index in
            index.entries.filter { Subjects.log(of: $0.key.channel) == log }.mapValues(\.sequence)
        }
        let isAny = try await self.read { (client) async throws(NATSError) in
            try await client.lastMessage(of: filter, in: stream) != nil
        }
        if isAny {
            try await self.scan(.last, of: filter, inLog: log) { header in
                guard let place = ChannelSubject(header.subject).flatMap(DeliveryPlace.init),
                    let state = header.fields[DeliveryHeader.name].flatMap(DeliveryHeader.init)
                else { return }
                found.append((place, state, header.sequence))
            }
        }
        let there = Set(found.map(\.place))
        self.deliveries.withLock { index in
            // What this process changed meanwhile is newer than what was read.
            for (place, sequence) in before where !there.contains(place) && index.entries[place]?.sequence == sequence {
                index.remove(place)
            }
            for (place, header, sequence) in found.sorted(by: { $0.place < $1.place }) {
                index.add(place, header, sequence: sequence)
            }
        }
    }
}
