import Crypto
import HTTPClient
package import ToastCore

/// A request to a webhook, signed as in Standard Webhooks 1.0.
///
/// <https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md>
package enum WebhookMessage {
    /// The signature of a message: `v1,` and the Base64 of HMAC-SHA256 over identifier, time in seconds since 1970 and
    /// body, separated by dots.
    package static func signature(id: String, timestamp: Int64, payload: [UInt8], secret: WebhookSecret) -> String {
        var authentication = HMAC<SHA256>(key: SymmetricKey(data: secret.bytes))
        authentication.update(data: Array("\(id).\(timestamp).".utf8))
        authentication.update(data: payload)
        return "v1," + Base64.encode(Array(authentication.finalize()))
    }

    /// The request for one attempt of a delivery.
    static func request(
        for delivery: StoredDelivery,
        at timestamp: Int64,
        _ sharing: ConnectionSharing?
    ) -> OutgoingRequest {
        let message = delivery.message
        let signature = Self.signature(
            id: message.message,
            timestamp: timestamp,
            payload: message.payload,
            secret: delivery.secret
        )
        return OutgoingRequest(
            url: message.webhook.rawValue,
            headers: [
                ("Content-Type", CloudEvent.mediaType),
                ("User-Agent", "toastd"),
                ("webhook-id", message.message),
                ("webhook-timestamp", String(timestamp)),
                ("webhook-signature", signature),
            ],
            body: message.payload,
            sharing: sharing
        )
    }
}
