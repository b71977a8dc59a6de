package import ToastCore

// What all processes that share the store know alike.

extension Hub {
    /// Takes catalogs, hooks and default settings that other processes have stored; does nothing where there are no
    /// others.
    ///
    /// Call it before these are shown or changed, and from time to time for the sake of all other requests.
    package func refreshDocuments() async throws(StoreError) {
        guard self.gate != nil else { return }
        try await self.catalogs.reload()
        try await self.hooks.reload()
        if try await self.defaults.reload() { await self.applyDefaults() }
    }

    /// Takes the hooks that other processes have stored; does nothing where there are no others.
    package func refreshHooks() async throws(StoreError) {
        if self.gate != nil { try await self.hooks.reload() }
    }

    /// Makes all loaded channels apply the current ``defaults``; returns when they have.
    ///
    /// Without waiting, a loop could answer a request that came after the change by the defaults before it.
    package func applyDefaults() async {
        for registry in self.registries { await registry.applyDefaults() }
    }
}
