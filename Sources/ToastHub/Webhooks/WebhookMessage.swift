import Courier
import Crypto
public import ToastCore

/// A message to a webhook, signed as Standard Webhooks 1.0 says.
///
/// <https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md>
public enum WebhookMessage {
    /// The signature of a message: `v1,` and the Base64 of HMAC-SHA256 over id, time and body with dots between them.
    ///
    /// - Parameters:
    ///   - id: The name of the message.
    ///   - timestamp: When it is sent, in seconds since 1970.
    ///   - payload: The body.
    ///   - secret: The key.
    /// - Returns: What stands in `webhook-signature`.
    public static func signature(id: String, timestamp: Int64, payload: [UInt8], secret: WebhookSecret) -> String {
        var authentication = HMAC<SHA256>(key: SymmetricKey(data: secret.bytes))
        authentication.update(data: Array("\(id).\(timestamp).".utf8))
        authentication.update(data: payload)
        return "v1," + Base64.encode(Array(authentication.finalize()))
    }

    /// The letter for one try of a delivery.
    static func letter(
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
