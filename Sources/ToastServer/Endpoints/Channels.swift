import MicroHTTP
import ToastAccess
import ToastCore
import ToastHub

extension API {
    /// The most channels in one answer.
    private static let pageSize = 100

    /// Answers `GET /v1/channels`.
    ///
    /// Names only the channels that the caller may subscribe to.
    func listChannels(_ request: Request, _ caller: Caller) async throws(Problem) -> Reply {
        let caller = caller.principal
        guard !caller.grants.isEmpty else { throw Problem(lacking: .subscribe, caller) }
        let limit = try request.integer("limit", in: 1...Self.pageSize) ?? Self.pageSize
        let after = try request.single("after").map { text throws(Problem) in try Request.channel(text) }
        let names: [ChannelName]
        do throws(StoreError) {
            names = try await self.names(of: limit + 1, behind: after, for: caller)
        } catch {
            throw Problem(from: error)
        }
        var (page, last) = (ListPage(), names.first)
        for name in names.prefix(limit) {
            if let summary = try await self.readableSummary(of: name) {
                guard page.add(JSONWriter.encodedObject { Self.write(name, summary, to: &$0) }) else { break }
            }
            last = name
        }
        return .object { writer in
            page.write("channels", to: &writer)
            if let last, last != names.last { writer.member("next", last) }
        }
    }

    /// The summary of a channel; `nil` when its stored data is damaged, so that the list omits it.
    private func readableSummary(of name: ChannelName) async throws(Problem) -> ChannelSummary? {
        let answer: ChannelAnswer
        do throws(ChannelError) {
            answer = try await self.hub.perform(.read(.summary), on: name)
        } catch .store(.corrupt) {
            return nil
        } catch {
            throw Problem(from: error)
        }
        return try answer.summary()
    }

    /// The names of the first channels after `place` that a caller may subscribe to.
    ///
    /// Other names are skipped: each query starts at the next name that the caller's grants allow.
    private func names(
        of limit: Int,
        behind place: ChannelName?,
        for caller: Principal
    ) async throws(StoreError) -> [ChannelName] {
        var (names, place): ([ChannelName], ChannelName?) = ([], place)
        while names.count < limit, let start = caller.start(of: .subscribe, after: place) {
            let next = try await self.hub.channels(after: start, limit: limit - names.count)
            let heard = next.prefix { caller.may(.subscribe, on: $0) }
            names += heard
            guard let last = next.dropFirst(heard.count).first ?? heard.last else { break }
            place = last
        }
        return names
    }

    /// Answers `GET /v1/channels/{channel}`.
    func getChannel(_ request: Request, _: Caller) async throws(Problem) -> Reply {
        let name = try request.channel()
        let summary = try await self.perform(.read(.summary), on: name).summary()
        return .object { Self.write(name, summary, to: &$0) }
    }

    /// Answers `DELETE /v1/channels/{channel}`.
    func deleteChannel(_ request: Request, _: Caller) async throws(Problem) -> Reply {
        let name = try request.channel()
        // First, because a request to a hook would make the channel anew.
        let hooks = try await self.removeHooks(of: name)
        do throws(ChannelError) {
            try await self.hub.delete(name, self.fanouts)
        } catch {
            // The channel stays, and its hooks with it: only their senders know the secrets.
            await self.restore(hooks, of: name, for: request)
            throw Problem(from: error)
        }
        return .noContent
    }

    /// Puts the hooks of a channel back; those that cannot be stored now are stored later.
    private func restore(_ hooks: [Hook], of channel: ChannelName, for request: Request) async {
        guard !hooks.isEmpty else { return }
        do throws(Hooks.ChangeError) {
            try await self.hub.hooks.restore(hooks)
        } catch {
            self.telemetry.report(
                "hooks could not be put back, which is tried again until the server stops",
                [
                    "request": request.id, "channel": channel.rawValue,
                    "hooks": hooks.map(\.name.rawValue).joined(separator: ","), "reason": error.description,
                ]
            )
        }
    }

    private static func write(_ name: ChannelName, _ summary: ChannelSummary, to writer: inout JSONWriter) {
        writer.member("name", name)
        writer.member("effective", summary.settings.effective)
        writer.member("presentedCount", summary.presented)
        writer.member("queuedCount", summary.queued)
        writer.object("audience") { writer in
            for transport in Transport.allCases {
                writer.member(named: transport.rawValue, summary.audience[transport] ?? 0)
            }
        }
        writer.member("cursor", summary.cursor.description)
    }
}
