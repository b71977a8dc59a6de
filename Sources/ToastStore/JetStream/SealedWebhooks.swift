import Crypto
import Foundation
import ToastCore

/// The key that all nodes of a cluster share; it seals what must not be read by those who can read the streams.
package struct ClusterKey: Sendable {
    private let key: SymmetricKey

    /// The shortest secret that is accepted, in bytes.
    package static let shortest = 32

    /// A key from a secret of the operator's; `nil` when that is too short.
    package init?(secret: [UInt8]) {
        guard secret.count >= Self.shortest else { return nil }
        // Other uses of the same secret derive other keys.
        self.key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret),
            info: Array("toastd webhook secrets".utf8),
            outputByteCount: 32
        )
    }

    /// Seals bytes so that they open only beside the same context.
    func seal(_ bytes: [UInt8], for context: String) throws(StoreError) -> [UInt8] {
        do {
            let box = try AES.GCM.seal(bytes, using: self.key, authenticating: Array(context.utf8))
            guard let sealed = box.combined else { throw StoreError.unavailable("A secret cannot be sealed.") }
            return Array(sealed)
        } catch {
            throw .unavailable("A secret cannot be sealed: \(error)")
        }
    }

    /// Opens what was sealed; throws `corrupt` when it was sealed with another key, for another context, or changed.
    func open(_ sealed: [UInt8], for context: String) throws(StoreError) -> [UInt8] {
        do {
            let box = try AES.GCM.SealedBox(combined: sealed)
            return Array(try AES.GCM.open(box, using: self.key, authenticating: Array(context.utf8)))
        } catch {
            throw .corrupt("The secret of a webhook cannot be opened: it was sealed with another cluster key.")
        }
    }
}

/// The webhooks of a channel, as a message: secrets are sealed.
enum SealedWebhooks {
    static func encode(
        _ webhooks: [Webhook],
        of channel: ChannelName,
        _ key: ClusterKey
    ) throws(StoreError) -> [UInt8] {
        var writer = ByteWriter()
        writer.count(webhooks.count)
        for webhook in webhooks {
            let url = webhook.url.rawValue
            writer.text(url)
            writer.text(webhook.events.map(\.rawValue).sorted().joined(separator: ","))
            writer.run(try key.seal(webhook.secret.bytes, for: "\(channel) \(url)"))
            writer.count(webhook.isEnabled ? 1 : 0)
            writer.text(webhook.owner)
        }
        return writer.bytes
    }

    static func decode(
        _ bytes: [UInt8],
        of channel: ChannelName,
        _ key: ClusterKey
    ) throws(StoreError) -> [Webhook] {
        var reader = ByteReader(bytes, name: "The webhooks of channel \(channel)")
        var webhooks: [Webhook] = []
        for _ in 0..<(try reader.count()) {
            let text = try reader.text()
            // Types of later versions are left out.
            let events = try reader.text().split(separator: ",").compactMap { EventType(rawValue: String($0)) }
            let sealed = try reader.run()
            let (isEnabled, owner) = (try reader.count() == 1, try reader.text())
            guard let url = WebhookURL(rawValue: text),
                let secret = WebhookSecret(bytes: try key.open(sealed, for: "\(channel) \(text)"))
            else { throw reader.damage }
            webhooks.append(
                Webhook(url: url, events: Set(events), secret: secret, isEnabled: isEnabled, owner: owner)
            )
        }
        return webhooks
    }
}
