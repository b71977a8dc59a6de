import MicroHTTP
import ToastAccess
import ToastCore
import ToastHub

extension API {
    /// The media types under which a property list may come.
    private static let propertyLists = ["application/x-plist", "application/xml", "text/xml"]

    /// Answers `GET /v1/channels/{channel}/settings`.
    ///
    /// Where webhooks lead is a secret of those who manage the channel: many receivers know a sender by the address.
    func getSettings(_ request: Request, _ visitor: Visitor) async throws(Problem) -> Reply {
        let name = try request.channel()
        try visitor.principal.need(.subscribe, on: name)
        let maySeeAll = visitor.principal.may(.manage, on: name)
        let settings = try await self.perform(on: name) { channel throws(ChannelError) in
            let webhooks = maySeeAll ? try await channel.webhooks() : []
            return OwnSettings(settings: try await channel.settings(), webhooks: webhooks)
        }
        let tag = settings.entityTag
        return .response(request.hasMatch(tag) ? .notModified(tag) : self.answer(about: settings))
    }

    /// Answers `PUT /v1/channels/{channel}/settings`.
    ///
    /// A property list is a theme only, so that is what it replaces, and all that it does.
    func replaceSettings(_ request: Request, _ visitor: Visitor) async throws(Problem) -> Reply {
        guard !Self.propertyLists.contains(request.mediaType ?? "") else {
            let theme = try PropertyList.theme(in: request.body)
            let document = SettingsDocument([:], webhooks: nil, owner: "", self.limits)
            return try await self.configure(request, document) { settings, _ throws(ValidationError) in
                try settings.applying(["theme": .null]).applying(["theme": theme.isEmpty ? .null : .object(theme)])
            }
        }
        let json = try request.json(depth: self.limits.depth, or: Self.propertyLists)
        let document = SettingsDocument(json, webhooks: .empty, owner: visitor.principal.name, self.limits)
        return try await self.configure(request, document) { settings, json throws(ValidationError) in
            try settings.cleared.applying(json)
        }
    }

    /// Answers `PATCH /v1/channels/{channel}/settings`.
    func updateSettings(_ request: Request, _ visitor: Visitor) async throws(Problem) -> Reply {
        let json = try request.json(depth: self.limits.depth, ["application/merge-patch+json"])
        let document = SettingsDocument(json, webhooks: nil, owner: visitor.principal.name, self.limits)
        return try await self.configure(request, document) { settings, json throws(ValidationError) in
            try settings.applying(json)
        }
    }

    /// Answers `DELETE /v1/channels/{channel}/settings`.
    func resetSettings(_ request: Request) async throws(Problem) -> Reply {
        let document = SettingsDocument([:], webhooks: .empty, owner: "", self.limits)
        return try await self.configure(request, document) { settings, _ throws(ValidationError) in settings.cleared }
    }

    /// The settings of a channel.
    func settings(of name: ChannelName) async throws(Problem) -> Settings {
        try await self.perform(on: name) { channel throws(ChannelError) in try await channel.settings() }
    }

    private func configure(
        _ request: Request,
        _ document: SettingsDocument,
        _ change: @escaping @Sendable (Settings, JSON) throws(ValidationError) -> Settings
    ) async throws(Problem) -> Reply {
        try self.checkMemory()
        let name = try request.channel()
        let condition = Precondition(request)
        let result = try await self.perform(on: name) { channel throws(ChannelError) in
            try await document.configure(channel, if: condition, change)
        }
        switch result {
        case .success(let settings): return .response(self.answer(about: settings))
        case .failure(.changed): throw Problem(.preconditionFailed, condition.complaint(about: "The settings are"))
        case .failure(.invalid(let error)): throw Problem(.invalidSettings, error.issues)
        }
    }
}

extension API {
    /// An answer about settings, with what in them does nothing here.
    private func answer(about own: OwnSettings) -> Response { .settings(own, self.warnings(about: own)) }
}

extension Response {
    /// An answer about settings: the channel's own, what holds, who decided what, and the warnings.
    fileprivate static func settings(_ own: OwnSettings, _ warnings: [Warning]) -> Self {
        let settings = own.settings
        let response = Self.json { writer in
            writer.object { writer in
                writer.member("own", own)
                writer.member("effective", settings.effective)
                writer.member(
                    "sources",
                    object: { writer in
                        for (name, source) in settings.sources { writer.member(named: name, source) }
                    }
                )
                writer.warnings(warnings)
            }
        }
        return response.adding("ETag", own.entityTag)
    }
}
