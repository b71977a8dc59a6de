/// Who is told of a channel's events by HTTP, and how it knows that they come from here.
public struct Webhook: Hashable, Sendable {
    /// The events that can be asked for: all that happen to a channel.
    public static let eventTypes = EventType.allCases.filter { ![.snapshot, .resumed, .shutdown].contains($0) }

    /// The events that a webhook is told of that names none: how toasts ended.
    public static let standardEvents: Set<EventType> = [.acted, .dismissed]

    /// Where it listens; no two webhooks of a channel listen at the same place.
    public let url: WebhookURL

    /// What it is told of; never empty.
    public let events: Set<EventType>

    /// What signs the messages to it.
    public let secret: WebhookSecret

    /// Whether anything is sent to it: switched off by hand, or when it says that it is gone.
    public var isEnabled: Bool

    /// The name of the principal who set it, in whose share of the connections it is told; empty when nobody knows.
    public let owner: String

    /// What names the webhook in paths: the same for the same URL.
    ///
    /// A channel has a few of them, so a hash of 64 bits (FNV-1a) tells them apart.
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
    public func write(to writer: inout JSONWriter) {
        writer.object { self.writeMembers(to: &$0) }
    }

    func writeMembers(to writer: inout JSONWriter) {
        writer.member("id", self.id)
        writer.member("url", self.url)
        writer.member("events", Self.eventTypes.filter(self.events.contains))
        writer.member("enabled", self.isEnabled)
    }
}

extension WebhookURL {
    /// What names a webhook of this URL in paths: 16 hexadecimal digits.
    var id: String {
        let hash = self.rawValue.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
