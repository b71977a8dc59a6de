import MicroHTTP
import ToastAccess
import ToastCore
import ToastFormats
import ToastHub

// Making, listing and removing the hooks of a channel.

extension API {
    /// Answers `GET /v1/channels/{channel}/hooks`.
    func listHooks(_ request: Request, _: Caller) async throws(Problem) -> Reply {
        let channel = try request.channel()
        try await self.refreshHooks()
        let hooks = self.hub.hooks.hooks(of: channel)
        return .object { writer in
            writer.array("hooks") { writer in
                for hook in hooks { writer.object { hook.writeMembers(to: &$0) } }
            }
        }
    }

    /// Answers `GET /v1/channels/{channel}/hooks/{hook}`.
    func getHook(_ request: Request, _: Caller) async throws(Problem) -> Reply {
        let (channel, name) = (try request.channel(), try request.hook())
        try await self.refreshHooks()
        guard let hook = self.hub.hooks.hook(name, of: channel) else { throw Problem(.hookNotFound) }
        return .object { hook.writeMembers(to: &$0) }
    }

    /// Reads the hooks that other nodes have stored.
    func refreshHooks() async throws(Problem) {
        do throws(StoreError) { try await self.hub.refreshHooks() } catch { throw Problem(from: error) }
    }

    /// Answers `PUT /v1/channels/{channel}/hooks/{hook}`.
    func setHook(_ request: Request, _: Caller) async throws(Problem) -> Reply {
        let (channel, name) = (try request.channel(), try request.hook())
        try self.checkMemory()
        let json = try request.json(depth: self.limits.depth)
        let mapping: HookMapping
        do throws(ValidationError) {
            mapping = try HookMapping(json: json, limits: self.limits)
        } catch {
            throw Problem(.invalidHook, error.issues)
        }
        let (hook, secret) = try await self.changeHooks { () throws(Hooks.ChangeError) in
            // `null` removes the secret.
            let keepsSecret = json["signingSecret"] == nil
            return try await self.hub.hooks.set(mapping, of: name, in: channel, keepsSigningSecret: keepsSecret)
        }
        let response = Response.object(secret == nil ? 200 : 201) { writer in
            hook.writeMembers(to: &writer)
            guard let secret else { return }
            writer.member("secret", secret)
            writer.member("path", "/v1/hooks/\(name.rawValue)/\(secret)")
        }
        guard secret != nil else { return .response(response) }
        return .response(response.adding("Location", "/v1/channels/\(channel.rawValue)/hooks/\(name.rawValue)"))
    }

    /// Answers `DELETE /v1/channels/{channel}/hooks/{hook}`.
    func removeHook(_ request: Request, _: Caller) async throws(Problem) -> Reply {
        let (channel, name) = (try request.channel(), try request.hook())
        let removed = try await self.changeHooks { () throws(Hooks.ChangeError) in
            try await self.hub.hooks.remove(name, of: channel)
        }
        guard !removed.isEmpty else { throw Problem(.hookNotFound) }
        return .noContent
    }

    /// Removes the hooks of a channel that is deleted; returns them.
    func removeHooks(of channel: ChannelName) async throws(Problem) -> [Hook] {
        try await self.changeHooks { () throws(Hooks.ChangeError) in try await self.hub.hooks.remove(of: channel) }
    }

    private func changeHooks<Value>(
        _ change: () async throws(Hooks.ChangeError) -> Value
    ) async throws(Problem) -> Value {
        do throws(Hooks.ChangeError) {
            return try await change()
        } catch {
            switch error {
            case .tooMany:
                let detail = "A channel has at most \(Hooks.mostOfChannel) hooks, and a server \(Hooks.most)."
                throw Problem(.tooManyHooks, detail)
            case .store(let error): throw Problem(from: error)
            }
        }
    }
}

extension Request {
    /// The hook that the path names.
    fileprivate func hook() throws(Problem) -> HookName {
        guard let name = self.parameters["hook"].flatMap(HookName.init) else {
            throw Problem(.invalidParameter, "A hook's name has 1 to 64 letters, digits, hyphens or underscores.")
        }
        return name
    }
}

extension Hook {
    /// Writes everything about the hook but its secrets.
    fileprivate func writeMembers(to writer: inout JSONWriter) {
        writer.member("name", self.name.rawValue)
        writer.member("channel", self.channel)
        self.mapping.writeMembers(to: &writer)
        if self.mapping.format.isSigned { writer.member("isSigned", self.mapping.signingSecret != nil) }
    }
}
