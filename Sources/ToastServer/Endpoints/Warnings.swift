import InternetAddresses
import MicroHTTP
import ToastCore
import ToastHub

/// The members of a toast that have no effect in some channels and viewers.
struct ConditionalMembers: Sendable {
    /// The pointer to the toast in the request's document.
    let pointer: String
    let appearance: JSONObject?
    var style: StyleName?
    /// Whether only deduplication by `identity` would look for another toast with its `reuseIdentifier`.
    let isNamed: Bool

    init(_ draft: ToastDraft, at pointer: String) {
        self.pointer = pointer
        self.appearance = draft.appearance
        self.style = draft.style
        self.isNamed = draft.reuseIdentifier != nil && !draft.replacesPresent
    }

    /// The conditional members of a patch; `appearance` is the one that the toast then has.
    init(patch: JSON, appearance: JSONObject?) {
        self.pointer = ""
        self.appearance = appearance
        self.style = patch["style"]?.string.flatMap(StyleName.init)
        self.isNamed = patch["reuseIdentifier"]?.string != nil
    }

    /// Whether a toast has no such member, which is the usual case.
    static func isNone(_ draft: ToastDraft) -> Bool {
        draft.style == nil && draft.appearance == nil && draft.reuseIdentifier == nil
    }
}

// Warnings of responses: about members that were accepted but have no effect, or make a toast hard to see.

extension API {
    /// Adds the warnings about the toasts of an order to its answer.
    @inline(never)
    func addWarnings(to order: PublishOrder) async throws(Problem) {
        let (members, others) = (order.body.conditionalMembers, order.body.warnings)
        order.answer.form.warnings = try await self.warnings(of: members, in: order.channel, beside: others)
    }

    /// The warnings about toasts in a channel; its settings are read only when warnings depend on them.
    ///
    /// `others`, found in the document, come first. The total is limited to the number of issues of a document.
    @inline(never)
    func warnings(
        of members: [ConditionalMembers],
        in name: ChannelName,
        beside others: [Warning] = []
    ) async throws(Problem) -> [Warning] {
        let dependsOnSettings = members.contains { $0.appearance != nil || $0.isNamed }
        let settings = dependsOnSettings ? try await self.configuration(of: name).settings : nil
        return self.warnings(of: members, by: settings, beside: others)
    }

    /// The warnings about toasts; if `settings` is nil, without those that depend on settings.
    func warnings(of members: [ConditionalMembers], by settings: Settings?, beside others: [Warning]) -> [Warning] {
        var warnings = others + members.flatMap { self.warnings(ofStyle: $0.style, at: $0.pointer) }
        if let settings { warnings += members.flatMap { Self.warnings(of: $0, by: settings) } }
        return Array(warnings.prefix(ValidationError.maximumIssues))
    }

    private static func warnings(of members: ConditionalMembers, by settings: Settings) -> [Warning] {
        var warnings = settings.warnings(of: members.appearance ?? [:]).map { $0.inside(members.pointer) }
        if members.isNamed, settings.effective.deduplication != .identity {
            let detail = "The channel does not look for a toast of this name; it would with deduplication \"identity\"."
            warnings.append(Warning(pointer: members.pointer + "/reuseIdentifier", detail: detail))
        }
        return warnings
    }

    /// The warning about a style that this server does not have.
    func warnings(ofStyle style: StyleName?, at pointer: String) -> [Warning] {
        guard let style, !self.pages.hasStyle(style) else { return [] }
        let detail = "This server has no such style: viewers that do not know it from their page show another one."
        return [Warning(pointer: pointer + "/style", detail: detail)]
    }

    /// The warnings about a query, which has no effect when a toast is published.
    func warnings(ofQuery request: Request) -> [Warning] {
        request.target.query.prefix(ValidationError.maximumIssues).map { item in
            let detail = "A parameter of the query does nothing here; a member of a JSON document of this name might."
            return Warning(pointer: "/" + item.name.escapedForPointer, detail: detail)
        }
    }

    /// The warnings about settings: colours that are hard to see, and a style that this server does not have.
    func warnings(about settings: Settings) -> [Warning] {
        let style = settings.members["style"]?.string.flatMap(StyleName.init)
        return settings.warnings + self.warnings(ofStyle: style, at: "")
    }

    /// The warnings about a channel's settings and webhooks.
    func warnings(about own: Configuration) -> [Warning] {
        var warnings = self.warnings(about: own.settings)
        for (index, webhook) in own.webhooks.enumerated() {
            guard let address = webhook.url.address, !self.mayPostTo(address) else { continue }
            let detail = "The server does not post to this address, which is not public; --webhook-allow would let it."
            warnings.append(Warning(pointer: "/webhooks/\(index)/url", detail: detail))
        }
        return warnings
    }
}

extension WebhookURL {
    /// The host as an address; `nil` when it is a name.
    fileprivate var address: IPAddress? {
        let isV6 = self.host.hasPrefix("[") && self.host.hasSuffix("]")
        return IPAddress(isV6 ? String(self.host.dropFirst().dropLast()) : self.host)
    }
}

extension Warning {
    static func unknownMember(_ name: String) -> Self {
        Self(pointer: "/" + name.escapedForPointer, detail: "There is no such member; it is ignored.")
    }
}

extension JSONWriter {
    /// Writes the warnings as a member, if there are any.
    mutating func warnings(_ warnings: [Warning]) {
        if !warnings.isEmpty { self.member("warnings", warnings) }
    }
}
