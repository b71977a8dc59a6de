import MicroHTTP
import ToastAccess
import ToastCore
import ToastHub

extension API {
    /// The most channels in one answer.
    private static let pageSize = 100

    /// Answers `GET /v1/channels`.
    ///
    /// Names only the channels that the caller may hear.
    func listChannels(_ request: Request, _ caller: Principal) async throws(Problem) -> Reply {
        guard !caller.grants.isEmpty else { throw Problem(lacking: .subscribe, caller) }
        let limit = try request.integer("limit", in: 1...Self.pageSize) ?? Self.pageSize
        let after = try request.target.value("after").map { text throws(Problem) in try Request.channel(text) }
        let names: [ChannelName]
        do throws(StoreError) {
            names = try await self.hub.store.channels(after: after, limit: limit + 1)
        } catch {
            throw Problem(from: ChannelError.unavailable(error))
        }
        var summaries: [(ChannelName, ChannelSummary)] = []
        for name in names.prefix(limit) where caller.may(.subscribe, on: name) {
            summaries.append((name, try await self.summary(of: name)))
        }
        return .response(
            .json { writer in
                writer.object { writer in
                    writer.name("channels")
                    writer.array { writer in
                        for (name, summary) in summaries { Self.write(name, summary, to: &writer) }
                    }
                    if names.count > limit { writer.member("next", names[limit - 1]) }
                }
            }
        )
    }

    /// Answers `GET /v1/channels/{channel}`.
    func getChannel(_ request: Request) async throws(Problem) -> Reply {
        let name = try request.channel()
        let summary = try await self.summary(of: name)
        return .response(.json { Self.write(name, summary, to: &$0) })
    }

    /// Answers `GET /v1/channels/{channel}/settings`.
    func getSettings(_ request: Request) async throws(Problem) -> Reply {
        let name = try request.channel()
        let settings = try await self.perform(on: name) { channel throws(ChannelError) in
            try await channel.settings()
        }
        let response = Self.response(settings)
        guard !request.hasMatch(settings.entityTag) else { return .response(.notModified(settings.entityTag)) }
        return .response(response)
    }

    /// Answers `PUT /v1/channels/{channel}/settings`.
    func replaceSettings(_ request: Request) async throws(Problem) -> Reply {
        let json = try request.json()
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

    private func configure(
        _ request: Request,
        _ change: @escaping @Sendable (Settings) throws(ValidationError) -> Settings
    ) async throws(Problem) -> Reply {
        let name = try request.channel()
        let result = try await self.perform(on: name) { channel throws(ChannelError) in
            try await channel.configure(change)
        }
        switch result {
        case .success(let settings): return .response(Self.response(settings))
        case .failure(let error): throw Problem(.invalidSettings, error.issues)
        }
    }

    private func summary(of name: ChannelName) async throws(Problem) -> ChannelSummary {
        try await self.perform(on: name) { channel throws(ChannelError) in try await channel.summary() }
    }

    private static func response(_ settings: Settings) -> Response {
        let response = Response.json { writer in
            writer.object { writer in
                writer.member("settings", settings)
                writer.member("effective", settings.effective)
            }
        }
        return response.adding("ETag", settings.entityTag)
    }

    private static func write(_ name: ChannelName, _ summary: ChannelSummary, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("name", name)
            writer.member("settings", summary.settings)
            writer.member("presented", summary.presented)
            writer.member("queued", summary.queued)
            writer.name("audience")
            writer.object { writer in
                for transport in Transport.allCases {
                    writer.member(transport.rawValue, summary.audience[transport] ?? 0)
                }
            }
            writer.member("cursor", summary.cursor.description)
        }
    }
}

extension Settings {
    /// A strong entity tag: the settings' own text, hashed with FNV-1a, since equal settings are the same.
    var entityTag: String {
        let hash = self.encoded.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return "\"" + String(hash, radix: 16) + "\""
    }
}
