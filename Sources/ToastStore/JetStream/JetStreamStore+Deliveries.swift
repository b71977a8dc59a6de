import NATS
import Synchronization
package import ToastCore

extension JetStreamStore {
    /// How many deliveries that this process is to send wait, and how many were given up.
    package var deliveryCounts: DeliveryQueueCounts {
        self.deliveries.withLock { DeliveryQueueCounts(waiting: $0.entries.count, displaced: $0.displaced) }
    }

    package func nextDelivery(after now: Instant) async throws(StoreError) -> Instant? {
        try await self.refreshDeliveries()
        return self.deliveries.withLock { $0.next(after: now) }
    }

    package func delivery(_ id: DeliveryID) async throws(StoreError) -> StoredDelivery? {
        // The webhook is read anew: another node may have removed it or switched it off while it owned the channel.
        guard let place = self.deliveries.withLock({ $0.place(of: id) }),
            let (message, header) = try await self.message(of: place),
            let webhook = try await self.storedWebhook(place.webhook)
        else { return nil }
        let delivery = try DeliveryBody.decode(message.body, header)
        return StoredDelivery(message: delivery, secret: webhook.secret, tries: header.tries)
    }

    package func waitingDeliveries(
        for url: WebhookURL,
        of channel: ChannelName,
        limit: Int
    ) async throws(StoreError) -> WaitingDeliveries {
        // From the log, because any node may be asked, and the index has only what this node sends.
        let filter = self.subjects.subject(.delivery, of: channel, url.id, ">")
        var places: [DeliveryPlace] = []
        try await self.scanDeliveries(below: filter, inLog: Subjects.log(of: channel)) { places.append($0.place) }
        var first: [WaitingDelivery] = []
        for place in places.sorted().prefix(max(limit, 0)) {
            guard let (message, header) = try await self.message(of: place) else { continue }
            let delivery = try DeliveryBody.decode(message.body, header)
            let due = self.deliveries.withLock { $0.entries[place]?.due } ?? header.due
            first.append(WaitingDelivery(message: delivery.message, at: header.at, due: due, tries: header.tries))
        }
        return WaitingDeliveries(count: places.count, first: first)
    }

    package func settle(_ id: DeliveryID, _ settlement: Settlement) async throws(StoreError) {
        guard let place = self.deliveries.withLock({ $0.place(of: id) }) else { return }
        switch settlement {
        case .done:
            try await self.removeDelivery(place)
        case .retry(let due, let resting):
            try await self.move(place, to: due, tries: 1, resting: resting)
        case .postponed(let due, let resting):
            try await self.move(place, to: due, tries: 0, resting: resting)
        }
    }

    /// Moves a delivery to an instant by compare-and-set; does nothing when it has left the queue.
    private func move(
        _ place: DeliveryPlace,
        to due: Instant,
        tries: Int,
        resting: Instant?
    ) async throws(StoreError) {
        if let resting { self.deliveries.withLock { $0.rest(until: resting, with: place) } }
        while let (message, old) = try await self.message(of: place) {
            var header = old
            header.due = due
            header.tries += tries
            let change = StreamMessage(
                subject: message.subject,
                body: message.body,
                headers: [DeliveryHeader.name: header.text],
                expectedLastSequence: message.sequence,
                replacesSubject: true
            )
            // When the answer to a change is lost, the next round makes it again: a try is then counted twice.
            guard let sequence = try await self.read.publish(change) else { continue }
            self.deliveries.withLock { $0.set(place, header, sequence: sequence) }
            break
        }
        self.deliveries.withLock { $0.wake(place) }
    }

    /// Removes a delivery; does nothing when it has left the queue.
    func removeDelivery(_ place: DeliveryPlace) async throws(StoreError) {
        let (stream, subject) = (self.subjects.stream(of: place.channel), place.subject(self.subjects))
        try await self.read.purge(subject, in: stream)
        self.deliveries.withLock { $0.remove(place) }
    }

    /// Removes deliveries that were given up, in a task.
    func removeLater(_ places: [DeliveryPlace]) {
        guard !places.isEmpty else { return }
        self.upkeep.start {
            for place in places {
                // What stays is found again, and given up again.
                guard (try? await self.removeDelivery(place)) != nil else { return }
            }
        }
    }

    /// The message of a delivery, as it is now.
    private func message(
        of place: DeliveryPlace
    ) async throws(StoreError) -> (message: StoredMessage, header: DeliveryHeader)? {
        let message = try await self.read.last(place.subject(self.subjects), of: place.channel)
        guard let message, let header = message.headers.delivery else {
            self.deliveries.withLock { $0.remove(place) }
            return nil
        }
        return (message, header)
    }
}
