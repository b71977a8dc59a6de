import EventLoop
import NATS
import Synchronization
package import ToastCore

extension JetStreamStore {
    /// Lets this process send deliveries only of channels for which it decides.
    ///
    /// Two processes send the same delivery only while both believe that they decide for its channel. The delivery is
    /// then sent twice, as it may be after a process has ended.
    package func deliverOnly(where isOwned: @escaping @Sendable (ChannelName) -> Bool) {
        self.delivers.withLock { $0 = isOwned }
    }

    package func dueDeliveries(
        at instant: Instant,
        limit: Int,
        share: DeliveryShare
    ) async throws(StoreError) -> [DueDelivery] {
        try await self.refreshDeliveries()
        var queues: [[(due: Instant, delivery: DueDelivery)]] = []
        let (due, silentLogs) = self.deliveries.withLock { ($0.due(at: instant), $0.silentLogs) }
        let delivers = self.delivers.withLock { $0 }
        for (key, queue) in due where delivers?(key.channel) ?? true {
            // Deliveries of a silent log cannot be read, and each attempt to send one would delay all others.
            guard !silentLogs.contains(Subjects.log(of: key.channel)) else { continue }
            var webhook = self.channels[key.channel]?.webhooks?.first { $0.id == key.id && $0.isEnabled }
            // Another node may have added it or switched it on while it owned the channel.
            if webhook == nil { webhook = try await self.storedWebhook(key) }
            guard let webhook else { continue }
            let (url, owner) = (webhook.url, webhook.owner)
            queues.append(queue.map { ($0.due, DueDelivery(id: $0.id, channel: key.channel, url: url, owner: owner)) })
        }
        return share.choose(from: queues, limit: limit)
    }

    /// A webhook that is switched on, as it is stored; `nil` when it is switched off or gone.
    ///
    /// When `nil`, the deliveries to it are removed: the change of the webhooks that should have removed them was
    /// interrupted, or an append was stored after that change without knowing of it.
    func storedWebhook(_ key: WebhookKey) async throws(StoreError) -> Webhook? {
        // Taken before the webhooks are read: what is stored later stays, because it may be for a webhook that is
        // switched on again meanwhile.
        let last = self.deliveries.withLock { $0.lastSequence(for: key) }
        let changes = self.channels.webhookChanges
        let place = try await self.read.place(of: key.channel)
        let webhooks = try await self.readWebhooks(of: key.channel, place) ?? []
        // A place that is known may be a later one.
        if self.channels[key.channel] == nil { self.channels.set(place, of: key.channel) }
        self.channels.set(webhooks, of: key.channel, readAt: changes)
        let webhook = webhooks.first { $0.id == key.id && $0.isEnabled }
        if webhook == nil, let last { _ = try await self.removeDeliveries(to: key, before: last + 1) }
        return webhook
    }

    /// Looks for deliveries that other processes left, unless that was done a moment ago.
    ///
    /// A log that does not answer is asked again in a task, so that it does not delay the deliveries of the others.
    ///
    /// - Throws: `unavailable` when no log answers.
    func refreshDeliveries() async throws(StoreError) {
        try self.checkOpen()
        guard self.areDeliveriesStale else { return }
        await self.deliveryRefresh.lock()
        defer { self.deliveryRefresh.unlock() }
        guard self.areDeliveriesStale else { return }
        let silentLogs = self.deliveries.withLock { $0.silentLogs }
        let logs = (0..<Subjects.logs).filter { !silentLogs.contains($0) }
        // At once, so that several logs without a leader delay the others no longer than one.
        let results = await self.inLogs(logs) { (log) async throws(StoreError) -> Void in
            try await self.refreshDeliveries(ofLog: log)
        }
        var failures: [(log: Int, error: StoreError)] = []
        for case (let log, .failure(let error)) in results { failures.append((log, error)) }
        if let failure = failures.first, failures.count == logs.count { throw failure.error }
        for failure in failures { self.refreshLater(failure.log) }
        self.deliveries.withLock { $0.refreshed = .now }
    }

    /// Asks a silent log again until it answers; what is known of it is kept meanwhile, and not sent.
    private func refreshLater(_ log: Int) {
        self.deliveries.withLock { _ = $0.silentLogs.insert(log) }
        // At most three tasks: a silent log is asked only by its own, and when no other log answers, the refresh fails.
        self.upkeep.start(isNeeded: true) {
            // Cancelled when the store is closed.
            while (try? await Task.sleep(for: Self.refreshInterval)) != nil {
                guard (try? await self.refreshDeliveries(ofLog: log)) != nil else { continue }
                self.deliveries.withLock { _ = $0.silentLogs.remove(log) }
                return
            }
        }
    }

    /// From this age on, the index is refreshed before it is used.
    ///
    /// It is less than the five seconds after which an owner looks for deliveries that a former owner left behind, so
    /// the index is refreshed for each look.
    private static var refreshInterval: Duration { .seconds(2) }

    private var areDeliveriesStale: Bool {
        self.deliveries.withLock { $0.refreshed.map { ContinuousClock.now - $0 > Self.refreshInterval } ?? true }
    }

    private func refreshDeliveries(ofLog log: Int) async throws(StoreError) {
        let delivers = self.delivers.withLock { $0 }
        // Taken first: what is appended from now on is not in it, and so is not removed.
        let before = self.deliveries.withLock { index in
            index.entries.filter { Subjects.log(of: $0.key.channel) == log }.mapValues(\.sequence)
        }
        var found: [WaitingHeader] = []
        try await self.scanDeliveries(below: self.subjects.all(.delivery, ofLog: log), inLog: log) { header in
            // Deliveries that other processes send would take the room of this one's own.
            if delivers?(header.place.channel) ?? true { found.append(header) }
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

    /// A delivery that waits, without its body.
    typealias WaitingHeader = (place: DeliveryPlace, header: DeliveryHeader, sequence: UInt64)

    /// Reads the deliveries that wait below a subject.
    func scanDeliveries(
        below filter: String,
        inLog log: Int,
        _ take: (WaitingHeader) -> Void
    ) async throws(StoreError) {
        // Most of the time nothing waits, and to know that takes no consumer.
        guard try await self.read.last(filter, in: self.subjects.stream(log)) != nil else { return }
        try await self.scan(lastOf: [filter], inLog: log) { header in
            guard let place = ChannelSubject(header.subject).flatMap(DeliveryPlace.init),
                let state = header.fields.delivery
            else { return }
            take((place, state, header.sequence))
        }
    }
}
