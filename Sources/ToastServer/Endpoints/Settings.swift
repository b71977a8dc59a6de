import MicroHTTP
import ToastAccess
import ToastCore
import ToastHub

extension API {
    private static let propertyLists = ["application/x-plist", "application/xml", "text/xml"]

    /// Answers `GET /v1/channels/{channel}/settings`.
    ///
    /// Only callers with the scope `manage` see webhooks: for many receivers the URL is the credential.
    func getSettings(_ request: Request, _ caller: Caller) async throws(Problem) -> Reply {
        let name = try request.channel()
        try caller.principal.need(.subscribe, on: name)
        let maySeeAll = caller.principal.may(.manage, on: name)
        let all = try await self.configuration(of: name)
        let settings = Configuration(settings: all.settings, webhooks: maySeeAll ? all.webhooks : [])
        let tag = settings.entityTag
        return .response(request.hasMatch(tag) ? .notModified(tag) : self.answer(about: settings))
    }

    /// Answers `PUT /v1/channels/{channel}/settings`.
    ///
    /// A property list contains only a theme: it replaces the theme, and leaves all other settings as they are.
    func replaceSettings(_ request: Request, _ caller: Caller) async throws(Problem) -> Reply {
        let condition = Precondition(request)
        if Self.propertyLists.contains(request.mediaType ?? "") {
            let theme = try PropertyList.theme(in: request.body)
            let change = SettingsChange(.replaceTheme(theme), webhooks: nil, issues: [], if: condition)
            return try await self.configure(request, change)
        }
        let json = try request.json(depth: self.limits.depth, or: Self.propertyLists)
        let owner = caller.principal.name
        let change = SettingsChange(json, webhooks: .empty, owner: owner, self.limits, if: condition) { .replace($0) }
        return try await self.configure(request, change)
    }

    /// Answers `PATCH /v1/channels/{channel}/settings`.
    func updateSettings(_ request: Request, _ caller: Caller) async throws(Problem) -> Reply {
        let json = try request.json(depth: self.limits.depth, ["application/merge-patch+json"])
        let (owner, precondition) = (caller.principal.name, Precondition(request))
        let change = SettingsChange(json, webhooks: nil, owner: owner, self.limits, if: precondition) { .merge($0) }
        return try await self.configure(request, change)
    }

    /// Answers `DELETE /v1/channels/{channel}/settings`.
    func resetSettings(_ request: Request, _: Caller) async throws(Problem) -> Reply {
        let change = SettingsChange(.reset, webhooks: .empty, issues: [], if: Precondition(request))
        return try await self.configure(request, change)
    }

    /// A channel's own settings and webhooks.
    func configuration(of name: ChannelName) async throws(Problem) -> Configuration {
        try await self.perform(.read(.configuration), on: name).configuration()
    }

    private func configure(_ request: Request, _ change: SettingsChange) async throws(Problem) -> Reply {
        try self.checkMemory()
        let name = try request.channel()
        let answer: ChannelAnswer
        do throws(ChannelError) {
            answer = try await self.hub.perform(.configure(change), on: name)
        } catch .settingsChanged {
            throw Problem(.preconditionFailed, change.precondition.problemDetail(about: "The settings are"))
        } catch {
            throw Problem(from: error)
        }
        return .response(self.answer(about: try answer.configuration()))
    }

    /// A response about settings: the channel's own, the effective ones, their sources, and the warnings.
    private func answer(about own: Configuration) -> Response {
        let response = Response.object { writer in
            writer.member("own", own)
            writer.effective(own.settings)
            writer.warnings(self.warnings(about: own))
        }
        return response.adding("ETag", own.entityTag)
    }
}

extension JSONWriter {
    /// Writes the effective settings, and the source of each, as members.
    mutating func effective(_ settings: Settings) {
        self.member("effective", settings.effective)
        self.object("sources") { writer in
            for (name, source) in settings.sources { writer.member(named: name, source) }
        }
    }
}
