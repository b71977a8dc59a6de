package import ToastCore

// Documents that all processes with the same store share.

extension Hub {
    /// Takes catalogs, hooks and default settings that other nodes have stored; does nothing without a cluster.
    ///
    /// Call it before these are shown or changed, and from time to time for the sake of all other requests.
    package func refreshDocuments() async throws(StoreError) {
        guard self.gate != nil else { return }
        try await self.catalogs.reload()
        try await self.hooks.reload()
        if try await self.defaults.reload() { await self.applyDefaults() }
    }

    /// Takes the hooks that other nodes have stored; does nothing without a cluster.
    package func refreshHooks() async throws(StoreError) {
        if self.gate != nil { try await self.hooks.reload() }
    }

    /// Makes all loaded channels apply the current ``defaults``; returns when they have.
    ///
    /// If the caller did not wait, a loop could answer a later request by the old defaults.
    package func applyDefaults() async {
        for registry in self.registries { await registry.applyDefaults() }
    }
}
