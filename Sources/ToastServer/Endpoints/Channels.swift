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
    func listChannels(_ request: Request, _ visitor: Visitor) async throws(Problem) -> Reply {
        let caller = visitor.principal
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

    private func summary(of name: ChannelName) async throws(Problem) -> ChannelSummary {
        try await self.perform(on: name) { channel throws(ChannelError) in try await channel.summary() }
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
                    writer.member(named: transport.rawValue, summary.audience[transport] ?? 0)
                }
            }
            writer.member("cursor", summary.cursor.description)
        }
    }
}
