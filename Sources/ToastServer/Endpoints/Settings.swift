import MicroHTTP
import ToastCore
import ToastHub

extension API {
    /// The media types under which a property list may come.
    private static let propertyLists: Set = ["application/x-plist", "application/xml", "text/xml"]

    /// Answers `GET /v1/channels/{channel}/settings`.
    func getSettings(_ request: Request) async throws(Problem) -> Reply {
        let settings = try await self.settings(of: request.channel())
        let tag = settings.entityTag
        return .response(request.hasMatch(tag) ? .notModified(tag) : .settings(settings))
    }

    /// Answers `PUT /v1/channels/{channel}/settings`.
    ///
    /// A property list is a theme only, so that is what it replaces, and all that it does.
    func replaceSettings(_ request: Request) async throws(Problem) -> Reply {
        guard !Self.propertyLists.contains(request.mediaType ?? "") else {
            let theme = try PropertyList.theme(in: request.body)
            return try await self.configure(request) { settings throws(ValidationError) in
                try settings.applying(["theme": .null]).applying(["theme": theme.isEmpty ? .null : .object(theme)])
            }
        }
        let json = try request.json(or: "application/x-plist")
        return try await self.configure(request) { _ throws(ValidationError) in try Settings(json: json) }
    }

    /// Answers `PATCH /v1/channels/{channel}/settings`.
    func updateSettings(_ request: Request) async throws(Problem) -> Reply {
        let json = try request.json(["application/merge-patch+json"])
        return try await self.configure(request) { settings throws(ValidationError) in
            try settings.applying(json)
        }
    }

    /// Answers `DELETE /v1/channels/{channel}/settings`.
    func resetSettings(_ request: Request) async throws(Problem) -> Reply {
        try await self.configure(request) { _ throws(ValidationError) in Settings() }
    }

    /// The settings of a channel.
    func settings(of name: ChannelName) async throws(Problem) -> Settings {
        try await self.perform(on: name) { channel throws(ChannelError) in try await channel.settings() }
    }

    private func configure(
        _ request: Request,
        _ change: @escaping @Sendable (Settings) throws(ValidationError) -> Settings
    ) async throws(Problem) -> Reply {
        let name = try request.channel()
        let condition = Precondition(request)
        let result = try await self.perform(on: name) { channel throws(ChannelError) in
            // What is demanded of the old settings is asked in the channel's own turn, so that none can come in between.
            try await channel.configure { settings throws(SettingsRefusal) in
                guard condition.holds(for: settings.entityTag) else { throw .changed }
                do throws(ValidationError) { return try change(settings) } catch { throw .invalid(error) }
            }
        }
        switch result {
        case .success(let settings): return .response(.settings(settings))
        case .failure(.changed): throw Problem(.preconditionFailed, "The settings are not those that If-Match names.")
        case .failure(.invalid(let error)): throw Problem(.invalidSettings, error.issues)
        }
    }
}

/// Why settings stayed as they were.
private enum SettingsRefusal: Error {
    case invalid(ValidationError)
    case changed
}

extension Settings {
    /// A strong entity tag: the settings' own text, hashed with FNV-1a, since equal settings are the same.
    fileprivate var entityTag: String {
        let hash = self.encoded.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return "\"" + String(hash, radix: 16) + "\""
    }
}

extension Response {
    /// An answer about settings: the channel's own, what holds, who decided what, and which colours are hard to see.
    fileprivate static func settings(_ settings: Settings) -> Self {
        let response = Self.json { writer in
            writer.object { writer in
                writer.member("settings", settings)
                writer.member("effective", settings.effective)
                writer.member(
                    "sources",
                    object: { writer in
                        for (name, source) in settings.sources { writer.member(name, source) }
                    }
                )
                writer.warnings(settings.warnings)
            }
        }
        return response.adding("ETag", settings.entityTag)
    }
}
