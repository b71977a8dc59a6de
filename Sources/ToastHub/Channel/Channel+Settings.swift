import ToastCore

extension Channel {
    /// The channel's own settings and its webhooks.
    var configuration: Configuration {
        Configuration(settings: self.engine.settings, webhooks: self.webhookState.webhooks)
    }

    /// Changes the channel's settings and its webhooks; concurrent changes of either wait.
    ///
    /// - Throws: `settingsChanged`, `invalidSettings`; `store` when not everything could be stored, and then the
    ///   same request completes it.
    @inline(never)
    func configure(_ change: SettingsChange) async throws(ChannelError) -> Configuration {
        try await self.beginChangingConfiguration()
        defer { self.webhookState.end() }
        if !self.isLoaded { try await self.load() }
        let old = self.configuration
        guard change.precondition.holds(for: old.entityTag) else { throw .settingsChanged }
        let settings: Settings
        do throws(ValidationError) {
            settings = try change.settings(replacing: old.settings)
        } catch {
            throw .invalidSettings(error)
        }
        if settings != old.settings { try self.applyOutsideCommand(.configure(settings)) }
        try await self.awaitStorage()
        guard let list = change.webhooks else { return Configuration(settings: settings, webhooks: old.webhooks) }
        do throws(ChannelError) {
            let (webhooks, fresh) = try await self.replaceWebhooks(with: list)
            return Configuration(settings: settings, webhooks: webhooks, fresh: fresh)
        } catch .store(let error) where settings != old.settings {
            throw .store(.undecided("The settings are stored, and the webhooks are not: \(error)"))
        }
    }
}
