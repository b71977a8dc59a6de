/// A receiver of a channel's events by HTTP.
public struct Webhook: Hashable, Sendable {
    /// The events that can be chosen: all that happen to a channel.
    public static let eventTypes = EventType.allCases.filter { ![.snapshot, .resumed, .shutdown].contains($0) }

    /// The events of a webhook that chooses none: pressed actions and dismissals.
    public static let standardEvents: Set<EventType> = [.acted, .dismissed]

    /// Where it listens; unique within its channel.
    public let url: WebhookURL

    /// The events that it gets; never empty.
    public let events: Set<EventType>

    /// The secret that signs the messages to it.
    public let secret: WebhookSecret

    /// Whether anything is sent to it; disabled by a manager, or when it answers 410.
    public var isEnabled: Bool

    /// The name of the principal who set it, whose share of the connections it uses; empty when unknown.
    public let owner: String

    /// The id of the webhook in paths: the same for the same URL.
    ///
    /// A channel has few webhooks, so a hash of 64 bits distinguishes them.
    public var id: String { self.url.id }

    /// A webhook.
    public init(
        url: WebhookURL,
        events: Set<EventType>,
        secret: WebhookSecret,
        isEnabled: Bool = true,
        owner: String = ""
    ) {
        self.url = url
        self.events = events
        self.secret = secret
        self.isEnabled = isEnabled
        self.owner = owner
    }
}

extension Webhook: JSONWritable {
    /// Writes the webhook without its secret.
    public func write(to writer: inout JSONWriter) { self.write(to: &writer, isRevealed: false) }

    /// Writes the webhook, with its secret if `isRevealed`: only the answer to the change that made a secret shows it.
    package func write(to writer: inout JSONWriter, isRevealed: Bool) {
        writer.object { writer in
            writer.member("id", self.id)
            writer.member("url", self.url)
            writer.member("events", Self.eventTypes.filter(self.events.contains))
            writer.member("enabled", self.isEnabled)
            if isRevealed { writer.member("secret", self.secret.revealed) }
        }
    }
}

extension WebhookURL {
    /// The id of a webhook of this URL: 16 hexadecimal digits.
    public var id: String {
        let digits = String(self.rawValue.utf8.digest, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
