import MicroHTTP
import ToastCore
import ToastHub

/// A settings document as it was sent: what the engine knows, and the webhooks, which it must never see.
///
/// Settings go into events, snapshots and streams; a webhook has a secret, so it is taken out here and kept apart.
struct SettingsDocument: Sendable {
    /// The document without its webhooks.
    let settings: JSON

    /// What the webhooks are to be; nil to leave them alone.
    private let webhooks: WebhookList?

    /// What is wrong with the webhooks.
    private let issues: [ValidationIssue]

    /// Takes a document apart.
    ///
    /// - Parameters:
    ///   - json: The document.
    ///   - standard: What the webhooks are to be when it does not name them.
    ///   - owner: The name of the principal who sent it.
    ///   - limits: How many webhooks there may be.
    init(_ json: JSON, webhooks standard: WebhookList?, owner: String, _ limits: Limits) {
        guard var object = json.object, let webhooks = object["webhooks"] else {
            (self.settings, self.webhooks, self.issues) = (json, standard, [])
            return
        }
        object["webhooks"] = nil
        self.settings = .object(object)
        do throws(ValidationError) {
            self.webhooks = try WebhookList(json: webhooks, owner: owner, limits: limits)
            self.issues = []
        } catch {
            self.webhooks = nil
            self.issues = error.issues
        }
    }

    /// Changes a channel: its settings, and then its webhooks; neither of them when something is wrong with one.
    ///
    /// - Parameters:
    ///   - channel: The channel.
    ///   - condition: What is demanded of the old settings. It is asked in the channel's own turn, so that none can come
    ///     in between.
    ///   - change: Makes the new settings from the old ones and the document.
    /// - Returns: What the channel sets for itself now, or why it stays as it was.
    /// - Throws: `unavailable` when not all could be stored; the same request completes it then.
    func configure(
        _ channel: Channel,
        if condition: Precondition,
        _ change: @Sendable (Settings, JSON) throws(ValidationError) -> Settings
    ) async throws(ChannelError) -> Result<OwnSettings, SettingsRefusal> {
        let result = try await channel.configure(self.webhooks) { settings, webhooks throws(SettingsRefusal) in
            let old = OwnSettings(settings: settings, webhooks: webhooks)
            guard condition.holds(for: old.entityTag) else { throw .changed }
            do throws(ValidationError) { return try self.read(settings, change) } catch { throw .invalid(error) }
        }
        switch result {
        case .success(let new):
            return .success(OwnSettings(settings: new.settings, webhooks: new.webhooks, fresh: new.fresh))
        case .failure(let error): return .failure(error)
        }
    }

    private func read(
        _ settings: Settings,
        _ change: (Settings, JSON) throws(ValidationError) -> Settings
    ) throws(ValidationError) -> Settings {
        let result: Settings
        do throws(ValidationError) {
            result = try change(settings, self.settings)
        } catch {
            throw ValidationError(issues: error.issues + self.issues)
        }
        guard self.issues.isEmpty else { throw ValidationError(issues: self.issues) }
        return result
    }
}

/// Why settings stayed as they were.
enum SettingsRefusal: Error {
    /// The document is wrong.
    case invalid(ValidationError)
    /// They are not those that the request is about.
    case changed
}

/// What a channel sets for itself, as answers show it.
struct OwnSettings: Sendable {
    let settings: Settings
    let webhooks: [Webhook]
    /// The webhooks whose secret was drawn for this answer, and is shown in no other.
    var fresh: Set<WebhookURL> = []

    /// A strong entity tag: the text without secrets, hashed with FNV-1a, since equal settings are the same.
    var entityTag: String {
        let text = OwnSettings(settings: self.settings, webhooks: self.webhooks).encoded
        let hash = text.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return "\"" + String(hash, radix: 16) + "\""
    }
}

extension OwnSettings: JSONWritable {
    func write(to writer: inout JSONWriter) {
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
