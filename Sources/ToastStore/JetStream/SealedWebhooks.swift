import Sealing
import ToastCore

extension Sealer {
    /// Opens the secret of a webhook, or the document of hooks; throws `corrupt` when it was sealed with another key,
    /// for another context, or changed.
    func openSecret(_ sealed: [UInt8], for context: String) throws(StoreError) -> [UInt8] {
        guard let secret = self.open(sealed, for: context) else {
            throw .corrupt("The webhooks or hooks in the store cannot be opened: they have another cluster key.")
        }
        return secret
    }
}

/// The body of the message of a channel's webhooks; their secrets are sealed.
enum SealedWebhooks {
    static func encode(_ webhooks: [Webhook], of channel: ChannelName, _ sealer: Sealer) -> [UInt8] {
        var writer = ByteWriter()
        writer.count(webhooks.count)
        for webhook in webhooks {
            let url = webhook.url.rawValue
            writer.text(url)
            writer.text(webhook.events.map(\.rawValue).sorted().joined(separator: ","))
            writer.run(sealer.seal(webhook.secret.bytes, for: "\(channel) \(url)"))
            writer.count(webhook.isEnabled ? 1 : 0)
            writer.text(webhook.owner)
        }
        return writer.bytes
    }

    static func decode(_ bytes: [UInt8], of channel: ChannelName, _ sealer: Sealer) throws(StoreError) -> [Webhook] {
        var reader = ByteReader(bytes, name: "The webhooks of channel \(channel)")
        var webhooks: [Webhook] = []
        for _ in 0..<(try reader.count()) {
            let text = try reader.text()
            // Types of later versions are left out.
            let events = try reader.text().split(separator: ",").compactMap { EventType(rawValue: String($0)) }
            let sealed = try reader.run()
            let (isEnabled, owner) = (try reader.count() == 1, try reader.text())
            guard let url = WebhookURL(rawValue: text),
                let secret = WebhookSecret(bytes: try sealer.openSecret(sealed, for: "\(channel) \(text)"))
            else { throw reader.damage }
            webhooks.append(
                Webhook(url: url, events: Set(events), secret: secret, isEnabled: isEnabled, owner: owner)
            )
        }
        return webhooks
    }
}
