import ToastCore
import ToastHub

extension SettingsChange {
    private enum Name: String {
        case replace, merge, replaceTheme, reset
    }

    func writeMembers(to writer: inout JSONWriter) {
        let (name, document): (Name, JSON?) =
            switch self.operation {
            case .replace(let document): (.replace, document)
            case .merge(let document): (.merge, document)
            case .replaceTheme(let theme): (.replaceTheme, .object(theme))
            case .reset: (.reset, nil)
            }
        writer.member("operation", name.rawValue)
        writer.member("document", document)
        if let webhooks = self.webhooks {
            writer.name("webhooks")
            webhooks.writeRecord(to: &writer)
        }
        writer.objects("issues", self.issues) { issue, writer in issue.writeMembers(to: &writer) }
        writer.member("ifMatch", self.precondition.ifMatch)
        writer.list("ifNoneMatch", self.precondition.ifNoneMatch)
    }

    init(_ head: MessageReader) throws(MessageError) {
        let operation: Operation =
            switch try head.read("operation", Name.init(rawValue:)) {
            case .replace: .replace(try head.value("document"))
            case .merge: .merge(try head.value("document"))
            case .replaceTheme: .replaceTheme(try head.reader("document").object)
            case .reset: .reset
            }
        self.init(
            operation,
            webhooks: try head.object["webhooks"].map { json throws(MessageError) in
                try MessageError.inside("webhooks") { () throws(ValidationError) in try WebhookList(record: json) }
            },
            issues: try head.objects("issues", ValidationIssue.init(_:)),
            if: Precondition(
                ifMatch: head.object["ifMatch"] == nil ? nil : try head.texts("ifMatch") { $0 },
                ifNoneMatch: try head.texts("ifNoneMatch") { $0 }
            )
        )
    }
}

extension Configuration {
    /// Writes the settings, and the webhooks with their secrets: a client is shown those of fresh webhooks.
    func writeMembers(to writer: inout JSONWriter) {
        self.settings.writeMembers(to: &writer)
        writer.objects("webhooks", self.webhooks) { webhook, writer in
            webhook.writeMembers(to: &writer)
            writer.flag("isFresh", self.fresh.contains(webhook.url))
        }
    }

    init(_ head: MessageReader) throws(MessageError) {
        var fresh: Set<WebhookURL> = []
        let webhooks = try head.objects("webhooks") { reader throws(MessageError) in
            let webhook = try Webhook(reader)
            if try reader.flag("isFresh") { fresh.insert(webhook.url) }
            return webhook
        }
        self.init(settings: try Settings(head), webhooks: webhooks, fresh: fresh)
    }
}

extension Settings {
    /// Writes the channel's own settings, and the server's defaults.
    func writeMembers(to writer: inout JSONWriter) {
        writer.member("settings", self.members)
        if !self.defaults.isEmpty { writer.member("defaults", self.defaults) }
    }

    init(_ head: MessageReader) throws(MessageError) {
        let settings = try head.value("settings")
        let defaults = head.object["defaults"] == nil ? [:] : try head.reader("defaults").object
        self = try MessageError.inside("settings") { () throws(ValidationError) in
            try Self(json: settings, over: defaults)
        }
    }
}

extension Webhook {
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("url", self.url)
        writer.member("events", Self.eventTypes.filter(self.events.contains))
        writer.member("secret", self.secret.revealed)
        writer.flag("isEnabled", self.isEnabled)
        writer.member("owner", self.owner)
    }

    fileprivate init(_ reader: MessageReader) throws(MessageError) {
        self.init(
            url: try reader.read("url", WebhookURL.init(rawValue:)),
            events: Set(try reader.texts("events", EventType.init(rawValue:))),
            secret: try reader.read("secret") { WebhookSecret($0) },
            isEnabled: try reader.flag("isEnabled"),
            owner: try reader.text("owner")
        )
    }
}
