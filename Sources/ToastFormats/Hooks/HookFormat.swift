package import ToastCore

/// What the sender of a hook posts: a system's own format, which for Mattermost is Slack's.
package enum HookFormat: String, CaseIterable, Hashable, Sendable {
    case slack, discord, alertmanager, grafana, cloudevents, apprise, github, gitlab
    /// Any JSON, with pointers to the members of the toast.
    case json

    /// Whether the sender signs what it posts, when it has a secret.
    package var isSigned: Bool { [.grafana, .github, .gitlab].contains(self) }
}

/// The toasts that a hook makes of a request.
package struct HookToasts: Sendable {
    /// The toasts, one for each message; a message with nothing to show, such as a ping, has none.
    package var toasts: [MappedToast] = []

    /// Warnings about what is not in any toast.
    package var warnings: [Warning] = []

    /// The key under which the sender repeats the message; `nil` when the format has none.
    package var repetitionKey: String?

    package var allWarnings: [Warning] {
        Array((self.warnings + self.toasts.flatMap(\.warnings)).prefix(ValidationError.maximumIssues))
    }

    /// No toast, and why.
    static func nothing(_ pointer: String, _ detail: String) -> Self {
        Self(warnings: [Warning(pointer: pointer, detail: detail)])
    }
}

/// How a hook reads what is posted to it.
package struct HookMapping: Hashable, Sendable {
    /// What its sender posts.
    package var format: HookFormat

    /// The toast's members where the sender's document has none.
    package var defaults: JSONObject = [:]

    /// For ``HookFormat/json``: the JSON Pointer of each member.
    package var pointers: [String: String] = [:]

    /// For ``HookFormat/json``: the roles of the values that the pointer to `role` finds.
    package var roles: [String: Role] = [:]

    /// The secret that the sender signs with; `nil` when it does not.
    package var signingSecret: String?

    package init(_ format: HookFormat) {
        self.format = format
    }

    /// Makes toasts of a request.
    ///
    /// - Throws: Why none can be made of it.
    package func toasts(of input: FormatInput) throws(FormatError) -> HookToasts {
        if let secret = self.signingSecret, !Signature.isValid(on: input, as: self.format, by: secret) {
            throw .wrongSignature
        }
        switch self.format {
        case .slack: return try self.single(try Slack.toast(of: input))
        case .discord: return try self.single(try Discord.toast(of: input))
        case .alertmanager: return try self.single(try Alerts.toast(of: input, isGrafana: false))
        case .grafana: return try self.single(try Alerts.toast(of: input, isGrafana: true))
        case .apprise: return try self.single(try Apprise.toast(of: input))
        case .json: return try self.single(try Pointers(mapping: self).toast(of: input))
        case .github: return try GitHub.toasts(of: input, self)
        case .gitlab: return try GitLab.toasts(of: input, self)
        case .cloudevents:
            let events = try ReceivedCloudEvent.events(of: input)
            var toasts = HookToasts(repetitionKey: ReceivedCloudEvent.repetitionKey(of: events))
            for event in events { toasts.toasts.append(try event.toast(over: self.defaults, input.limits)) }
            return toasts
        }
    }

    /// The one toast of a message, over the hook's defaults.
    func single(_ mapping: ToastMapping) throws(FormatError) -> HookToasts {
        HookToasts(toasts: [try mapping.draft(over: self.defaults)])
    }
}
