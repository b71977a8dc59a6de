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

    /// A webhook.
    public init(url: WebhookURL, events: Set<EventType>, secret: WebhookSecret, isEnabled: Bool = true) {
        self.url = url
        self.events = events
        self.secret = secret
        self.isEnabled = isEnabled
    }
}

extension Webhook: JSONWritable {
    /// Writes the webhook without its secret.
    public func write(to writer: inout JSONWriter) {
        writer.object { self.writeMembers(to: &$0) }
    }

    func writeMembers(to writer: inout JSONWriter) {
        writer.member("url", self.url)
        writer.member("events", Self.eventTypes.filter(self.events.contains))
        writer.member("enabled", self.isEnabled)
    }
}
