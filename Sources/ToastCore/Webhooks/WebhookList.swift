/// A webhook as it was sent, perhaps without a secret.
struct WebhookDraft: Hashable, Sendable {
    let url: WebhookURL
    let events: Set<EventType>
    let secret: WebhookSecret?
    let isEnabled: Bool

    /// The secret of the webhook if it is new and was sent without one; `nil` from nodes of an earlier version.
    ///
    /// It is drawn when the request is read. A node that gets no answer from the channel's owner sends the request
    /// again, with the same secret.
    fileprivate(set) var candidate: WebhookSecret?
}

/// The webhooks that a channel is to have: the setting `webhooks`.
public struct WebhookList: Sendable {
    private(set) var drafts: [WebhookDraft]

    /// The name of the principal who sent the list: the owner of the webhooks in it that are new.
    private let owner: String

    /// No webhooks.
    public static let empty = Self(drafts: [], owner: "")

    private init(drafts: [WebhookDraft], owner: String) {
        self.drafts = drafts
        self.owner = owner
    }

    /// Reads the setting, an array or `null`; throws everything that is wrong with it.
    public init(json: JSON, owner: String = "", limits: Limits = .standard) throws(ValidationError) {
        var issues = Issues(limits: limits)
        let drafts = issues.member("webhooks") { json == .null ? [] : $0.webhooks(json) }
        try issues.check()
        self.drafts = drafts
        self.owner = owner
        for index in self.drafts.indices { self.drafts[index].candidate = WebhookSecret() }
    }

    /// Writes the list with its secrets, for ``init(record:)``.
    package func writeRecord(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("owner", self.owner)
            writer.array("webhooks") { writer in
                for draft in self.drafts {
                    writer.object { writer in
                        writer.member("url", draft.url)
                        writer.member("events", Webhook.eventTypes.filter(draft.events.contains))
                        writer.member("secret", draft.secret?.revealed)
                        writer.member("enabled", draft.isEnabled)
                    }
                }
            }
            let candidates = self.drafts.compactMap(\.candidate?.revealed)
            if !candidates.isEmpty { writer.member("candidates", candidates) }
        }
    }

    /// Reads what ``writeRecord(to:)`` wrote; throws everything that is wrong with it.
    package init(record json: JSON) throws(ValidationError) {
        let reader = RecordReader(record: json)
        let owner = try reader.read("owner") { $0 }
        self = try Self(json: .array(try reader.array("webhooks")), owner: owner, limits: .none)
        let candidates = reader.record["candidates"]?.array?.compactMap { $0.string.flatMap(WebhookSecret.init) } ?? []
        guard candidates.isEmpty || candidates.count == self.drafts.count else { throw reader.error("candidates") }
        for index in self.drafts.indices {
            self.drafts[index].candidate = candidates.isEmpty ? nil : candidates[index]
        }
    }

    /// The webhooks, with their secrets, in place of the channel's old ones.
    ///
    /// The same URL keeps its owner, and its secret when none was sent.
    ///
    /// - Returns: The webhooks in their order, and the URLs of those whose secret was drawn for this list: now, or when
    ///   the same request was carried out before.
    public func webhooks(replacing old: [Webhook]) -> (webhooks: [Webhook], fresh: Set<WebhookURL>) {
        var fresh: Set<WebhookURL> = []
        let webhooks = self.drafts.map { draft in
            let webhook = old.first { $0.url == draft.url }
            let known = draft.secret ?? webhook?.secret
            if known == nil || known == draft.candidate { fresh.insert(draft.url) }
            return Webhook(
                url: draft.url,
                events: draft.events,
                secret: known ?? draft.candidate ?? WebhookSecret(),
                isEnabled: draft.isEnabled,
                owner: webhook.map { $0.owner.isEmpty ? self.owner : $0.owner } ?? self.owner
            )
        }
        return (webhooks, fresh)
    }
}

extension Issues {
    fileprivate mutating func webhooks(_ value: JSON) -> [WebhookDraft] {
        guard let values = self.array(value) else { return [] }
        guard values.count <= self.limits.webhooks else {
            self.note("A channel has at most \(self.limits.webhooks) webhooks.", past: .webhooks)
            return []
        }
        var urls: Set<WebhookURL> = []
        return values.enumerated().compactMap { index, value in
            self.member(String(index)) { issues in
                guard let draft = issues.webhook(value) else { return nil }
                guard urls.insert(draft.url).inserted else {
                    return issues.refuse("Another webhook of the channel has this URL.", at: "/url")
                }
                return draft
            }
        }
    }

    private mutating func webhook(_ value: JSON) -> WebhookDraft? {
        guard let object = self.object(value) else { return nil }
        for (name, _) in object where !["id", "url", "events", "secret", "enabled"].contains(name) {
            self.note("A webhook has no such member.", at: "/" + name.escapedForPointer)
        }
        let url = self.member("url", of: object) { $0.webhookURL($1) }
        let events = self.optional("events", of: object, or: Webhook.standardEvents) { $0.eventTypes($1) }
        let secret = self.optional("secret", of: object, or: nil) { $0.secret($1) }
        let isEnabled = self.optional("enabled", of: object, or: true) { $0.bool($1) ?? true }
        guard let url else { return nil }
        // Clients send back the `id` of an earlier answer; it follows from the URL.
        if let id = object.optional("id"), id.string != url.id {
            self.note("It is not the id of this URL; leave it out.", at: "/id")
        }
        return WebhookDraft(url: url, events: events, secret: secret, isEnabled: isEnabled)
    }

    private mutating func webhookURL(_ value: JSON) -> WebhookURL? {
        guard let text = self.text(value, limit: WebhookURL.maximumLength) else { return nil }
        if let url = WebhookURL(rawValue: text), url.hasValidHost { return url }
        return self.refuse("An http or https URL without user information and fragment is expected.")
    }

    private mutating func secret(_ value: JSON) -> WebhookSecret? {
        guard let text = value.string else { return self.refuse("A string is expected.") }
        return WebhookSecret(text)
            ?? self.refuse("The Base64 of 24 to 64 bytes behind \"\(WebhookSecret.prefix)\" is expected.")
    }

    private mutating func eventTypes(_ value: JSON) -> Set<EventType> {
        guard let values = self.array(value) else { return [] }
        guard !values.isEmpty else {
            self.note("At least one event is expected; leave it out for \"acted\" and \"dismissed\".")
            return []
        }
        var types: Set<EventType> = []
        let names = Webhook.eventTypes.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        for (index, value) in values.enumerated() {
            guard let type = value.string.flatMap(EventType.init), Webhook.eventTypes.contains(type) else {
                self.note("One of \(names) is expected.", at: "/\(index)")
                continue
            }
            if !types.insert(type).inserted { self.note("The event is named twice.", at: "/\(index)") }
        }
        return types
    }
}
