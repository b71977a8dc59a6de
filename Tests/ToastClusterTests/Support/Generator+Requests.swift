import Testing
import ToastAccess
import ToastHub

@testable import ToastCore

extension Generator {
    /// Any request but an attendance.
    mutating func request() throws -> ChannelRequest {
        let revisions: [Int]? = self.maybe { generator in generator.list(upTo: 2) { $0.number(1...1_000_000) } }
        switch self.number(0...15) {
        case 0, 1: return .publish(try self.publish())
        case 2: return .update(self.id(), try self.patch(), ifRevision: revisions)
        case 3: return .updateAll(reuseIdentifier: self.text(), try self.patch(), ifRevision: revisions)
        case 4: return .dismiss(self.id(), self.one(of: DismissReason.allCases), ifRevision: revisions)
        case 5: return .act(self.id(), action: self.text())
        case 6: return .clear(self.filter())
        case 7: return .hold(self.id(), holder: self.text(), lease: self.interval())
        case 8: return .release(self.id(), holder: self.text())
        case 9, 10: return .configure(try self.settingsChange())
        case 11: return .switchOff(try self.url())
        case 12: return self.chance(50) ? .delete : .watchEnd(self.id())
        case 13, 14: return .read(self.query())
        default: return .snapshot(isReset: self.chance(50), in: try self.maybe { try $0.language() })
        }
    }

    mutating func publish() throws -> PublishRequest {
        let drafts = try (0..<self.number(1...3)).map { _ in try self.draft() }
        let key: IdempotentRequest? = try self.maybe { generator in
            IdempotentRequest(
                key: IdempotencyKey(generator.text(), of: generator.text()),
                fingerprint: generator.bytes(),
                form: try generator.form()
            )
        }
        let ids = self.chance(50) ? [] : drafts.map { _ in self.id() }
        return PublishRequest(drafts, ids: ids, key: key)
    }

    private mutating func form() throws -> AnswerForm {
        var form = AnswerForm()
        form.shape = self.one(of: AnswerForm.Shape.allCases)
        form.isMinimal = self.chance(50)
        if self.chance(70) { form.reader = try self.principal() }
        form.language = try self.maybe { try $0.language() }
        form.warnings = self.list(upTo: 2) { generator in
            Warning(pointer: generator.text(), detail: generator.text(), ratio: generator.maybe { _ in 4.53 })
        }
        return form
    }

    private mutating func principal() throws -> Principal {
        let grants = try self.list(upTo: 2) { generator in
            let patterns = try generator.list(upTo: 2) { generator in
                try #require(ChannelPattern(rawValue: generator.one(of: ["*", "ops", "room-*"])))
            }
            return Grant(Set(generator.list(upTo: 3) { $0.one(of: Scope.allCases) }), on: patterns)
        }
        return Principal(name: "token:" + self.text(), grants: grants, expires: self.maybe { $0.instant() })
    }

    private mutating func filter() -> ToastFilter {
        ToastFilter(
            reuseIdentifier: self.maybe { $0.text() },
            title: self.maybe { $0.text() },
            message: self.maybe { $0.text() },
            placement: self.maybe { $0.one(of: Placement.allCases) }
        )
    }

    private mutating func query() -> ChannelQuery {
        switch self.number(0...4) {
        case 0: .configuration
        case 1: .summary
        case 2: .toast(self.id())
        case 3: .published
        default: .toasts(self.one(of: [nil, .queued, .presented, .dismissed]), self.maybe { $0.page() })
        }
    }

    private mutating func page() -> ToastPage {
        ToastPage(after: self.maybe { $0.id() }, limit: self.number(1...1000))
    }

    private mutating func settingsChange() throws -> SettingsChange {
        let operation: SettingsChange.Operation =
            switch self.number(0...3) {
            case 0: .replace(self.json())
            case 1: .merge(self.json())
            case 2: .replaceTheme(self.object())
            default: .reset
            }
        return SettingsChange(
            operation,
            webhooks: try self.maybe { try $0.webhookList() },
            issues: self.list(upTo: 2) { $0.issue() },
            if: Precondition(
                ifMatch: self.maybe { generator in generator.list(upTo: 2) { $0.text() } },
                ifNoneMatch: self.list(upTo: 2) { $0.text() }
            )
        )
    }

    mutating func url() throws -> WebhookURL {
        try #require(WebhookURL(rawValue: "https://example.com:8443/hook/\(self.number(0...1_000_000))?a=%20'"))
    }

    private mutating func webhookList() throws -> WebhookList {
        guard self.chance(80) else { return .empty }
        let webhooks = try self.list(upTo: 3) { generator in
            let url = try generator.url()
            var webhook: JSONObject = ["url": .string(url.rawValue)]
            if generator.chance(50) { webhook["secret"] = .string(try generator.secret().revealed) }
            if generator.chance(50) { webhook["enabled"] = .bool(generator.chance(50)) }
            if generator.chance(50) { webhook["events"] = ["presented", "configured"] }
            return JSON.object(webhook)
        }
        return try WebhookList(json: .array(webhooks), owner: self.text())
    }

    private mutating func secret() throws -> WebhookSecret {
        let bytes = (0..<32).map { _ in UInt8(self.number(0...255)) }
        return try #require(WebhookSecret(bytes: bytes))
    }

    mutating func configuration() throws -> Configuration {
        let webhooks = try self.list(upTo: 3) { generator in
            Webhook(
                url: try generator.url(),
                events: [generator.one(of: Webhook.eventTypes), .acted],
                secret: try generator.secret(),
                isEnabled: generator.chance(50),
                owner: generator.one(of: ["", "key:3f9a01c2"])
            )
        }
        let fresh = webhooks.map(\.url).filter { _ in self.chance(40) }
        return Configuration(settings: try self.settings(), webhooks: webhooks, fresh: Set(fresh))
    }
}
