package import ToastCore

/// A change of what a channel sets for itself: its settings, and then its webhooks; neither when one of them is wrong.
package struct SettingsChange: Sendable {
    /// What becomes of the settings.
    package enum Operation: Sendable {
        /// They become those of a document.
        case replace(JSON)
        /// A document is merged into them (RFC 7396).
        case merge(JSON)
        /// Only the theme is replaced.
        case replaceTheme(JSONObject)
        /// The channel sets nothing for itself any more.
        case reset
    }

    package let operation: Operation

    /// What the webhooks are to be; `nil` to leave them alone.
    package let webhooks: WebhookList?

    /// What is wrong with the webhooks of the document; told together with what is wrong with its settings.
    package let issues: [ValidationIssue]

    /// What is demanded of the present settings and webhooks.
    package let precondition: Precondition

    package init(
        _ operation: Operation,
        webhooks: WebhookList?,
        issues: [ValidationIssue],
        if precondition: Precondition
    ) {
        self.operation = operation
        self.webhooks = webhooks
        self.issues = issues
        self.precondition = precondition
    }

    /// The new settings.
    ///
    /// - Throws: All that is wrong with the document.
    func settings(replacing old: Settings) throws(ValidationError) -> Settings {
        let new: Settings
        do throws(ValidationError) {
            new =
                switch self.operation {
                case .replace(let document): try old.cleared.applying(document)
                case .merge(let document): try old.applying(document)
                case .replaceTheme(let theme):
                    try old.applying(["theme": .null]).applying(["theme": theme.isEmpty ? .null : .object(theme)])
                case .reset: old.cleared
                }
        } catch {
            throw ValidationError(issues: error.issues + self.issues)
        }
        guard self.issues.isEmpty else { throw ValidationError(issues: self.issues) }
        return new
    }
}

/// What a request demands of the present state of a resource (RFC 9110 §13.1).
package struct Precondition: Sendable {
    /// The entity tags of `If-Match`; `nil` where nothing is demanded.
    ///
    /// An empty list demands what no resource has.
    package let ifMatch: [String]?

    /// The entity tags of `If-None-Match`.
    package let ifNoneMatch: [String]

    package init(ifMatch: [String]?, ifNoneMatch: [String]) {
        self.ifMatch = ifMatch
        self.ifNoneMatch = ifNoneMatch
    }

    /// Whether the request may be done while the resource has an entity tag; `nil` where there is no resource.
    ///
    /// §13.1.1: "An origin server MUST use the strong comparison function when comparing entity tags for If-Match", so a
    /// weak tag matches nothing there; §13.1.2 compares weakly.
    package func holds(for tag: String?) -> Bool {
        guard let tag else { return self.ifMatch == nil }
        let isDemanded = self.ifMatch?.contains { $0 == "*" || $0 == tag } ?? true
        return isDemanded && !self.ifNoneMatch.contains { $0 == "*" || $0 == tag || $0 == "W/" + tag }
    }
}

/// What a channel sets for itself: its own settings, and its webhooks in their order.
package struct Configuration: Sendable {
    package let settings: Settings
    package let webhooks: [Webhook]

    /// The webhooks whose secret was drawn by the change that is answered; no other answer shows it.
    package var fresh: Set<WebhookURL> = []

    package init(settings: Settings, webhooks: [Webhook], fresh: Set<WebhookURL> = []) {
        self.settings = settings
        self.webhooks = webhooks
        self.fresh = fresh
    }

    /// A strong entity tag: the text without secrets, hashed with FNV-1a, because equal settings have equal tags.
    package var entityTag: String {
        let text = Configuration(settings: self.settings, webhooks: self.webhooks).encoded
        return "\"" + String(text.digest, radix: 16) + "\""
    }
}

extension Configuration: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for (name, value) in self.settings.members { writer.member(named: name, value) }
            guard !self.webhooks.isEmpty else { return }
            writer.name("webhooks")
            writer.array { writer in
                for webhook in self.webhooks {
                    if self.fresh.contains(webhook.url) {
                        writer.value(RevealedWebhook(webhook))
                    } else {
                        writer.value(webhook)
                    }
                }
            }
        }
    }
}

extension Channel {
    /// Changes the channel's own settings and its webhooks; no other change of either comes in between.
    ///
    /// - Throws: `settingsChanged`, `invalidSettings`; `unavailable` when not all could be stored: the same request
    ///   completes it then.
    func configure(_ change: SettingsChange) async throws(ChannelError) -> Configuration {
        try await self.beginChangingWebhooks()
        defer { self.endChangingWebhooks() }
        if !self.isLoaded { try await self.load() }
        let old = Configuration(settings: self.engine.settings, webhooks: self.webhookState.webhooks)
        guard change.precondition.holds(for: old.entityTag) else { throw .settingsChanged }
        let settings: Settings
        do throws(ValidationError) {
            settings = try change.settings(replacing: old.settings)
        } catch {
            throw .invalidSettings(error)
        }
        if settings != old.settings { try self.applyOutsideCommand(.configure(settings)) }
        try await self.settle()
        guard let list = change.webhooks else { return Configuration(settings: settings, webhooks: old.webhooks) }
        let (webhooks, fresh) = try await self.replaceWebhooks(with: list)
        return Configuration(settings: settings, webhooks: webhooks, fresh: fresh)
    }
}
