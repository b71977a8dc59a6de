import NATS
import Synchronization
package import ToastCore

extension JetStreamStore {
    /// The webhooks of a channel; `nil` when none were ever set in its present life.
    func readWebhooks(of channel: ChannelName, _ place: ChannelPlace) async throws(StoreError) -> [Webhook]? {
        guard let message = try await self.webhooksMessage(of: channel), message.sequence > place.life else {
            return nil
        }
        return try SealedWebhooks.decode(message.body, of: channel, self.options.secrets)
    }

    /// The message of a channel's webhooks, of this life or a former one.
    func webhooksMessage(of channel: ChannelName) async throws(StoreError) -> StoredMessage? {
        try await self.read.last(self.subjects.subject(.webhooks, of: channel), of: channel)
    }

    /// The webhooks of a channel, from the cache or else from the stream.
    func webhooks(of channel: ChannelName, _ known: ChannelCache.Entry) async throws(StoreError) -> [Webhook] {
        if let webhooks = known.webhooks { return webhooks }
        let changes = self.channels.webhookChanges
        let webhooks = try await self.readWebhooks(of: channel, known.place) ?? []
        self.channels.set(webhooks, of: channel, readAt: changes)
        return webhooks
    }

    @discardableResult
    package func setWebhooks(
        _ webhooks: [Webhook],
        of channel: ChannelName,
        replacing known: [Webhook]?
    ) async throws(StoreError) -> Int {
        var removed = 0
        while true {
            let place = try await self.read.place(of: channel)
            let message = try await self.webhooksMessage(of: channel)
            let stored = message.flatMap { $0.sequence > place.life ? $0 : nil }
            var old: [Webhook] = []
            if let stored { old = try SealedWebhooks.decode(stored.body, of: channel, self.options.secrets) }
            // Equal to the new ones after a change whose answer was lost.
            guard known == nil || old == known || old == webhooks else { throw .conflict(current: place.last) }
            if let stored {
                // A change before this one may have been interrupted once its list was stored. The deliveries that it
                // has left must not go to a webhook that is switched on again.
                let wereOn = Set(old.lazy.filter(\.isEnabled).map(\.id))
                for webhook in webhooks where webhook.isEnabled && !wereOn.contains(webhook.id) {
                    let key = WebhookKey(channel: channel, id: webhook.id)
                    removed += try await self.removeDeliveries(to: key, before: stored.sequence)
                }
            } else {
                // A channel that gets no webhooks need not be kept for them.
                guard !webhooks.isEmpty else { return 0 }
                if place.isFresh { try await self.admit(channel) }
            }
            let change = StreamMessage(
                subject: self.subjects.subject(.webhooks, of: channel),
                body: SealedWebhooks.encode(webhooks, of: channel, self.options.secrets),
                expectedLastSequence: message?.sequence ?? 0,
                replacesSubject: true
            )
            if old != webhooks, try await self.read.publish(change) == nil { continue }
            self.channels.note(stored: webhooks, of: channel)
            if place.isFresh { self.directory.add(channel, at: nil) }
            do throws(StoreError) {
                return try await removed + self.removeDeliveries(of: channel, to: webhooks)
            } catch {
                throw .undecided("The webhooks are stored, and deliveries to former ones may be left: \(error)")
            }
        }
    }

    /// Removes the deliveries to webhooks that are not switched on; returns how many.
    ///
    /// Also those that a change before has left, because it was interrupted.
    private func removeDeliveries(of channel: ChannelName, to webhooks: [Webhook]) async throws(StoreError) -> Int {
        var keys: Set<WebhookKey> = []
        let all = self.subjects.subject(.delivery, of: channel, ">")
        try await self.scanDeliveries(below: all, inLog: Subjects.log(of: channel)) { keys.insert($0.place.webhook) }
        var removed = 0
        for key in keys where !webhooks.contains(where: { $0.id == key.id && $0.isEnabled }) {
            removed += try await self.removeDeliveries(to: key)
        }
        return removed
    }

    /// Removes the deliveries to a webhook, all of them or those with a lower sequence; returns how many.
    func removeDeliveries(to webhook: WebhookKey, before sequence: UInt64? = nil) async throws(StoreError) -> Int {
        let filter = self.subjects.subject(.delivery, of: webhook.channel, webhook.id, ">")
        let stream = self.subjects.stream(of: webhook.channel)
        let removed = try await self.read.purge(filter, in: stream, before: sequence)
        self.deliveries.withLock { $0.removeAll(for: webhook) }
        return Int(clamping: removed)
    }
}
