import EventLoop
package import ToastCore

extension Hub {
    /// Deletes a channel as ``Channel/delete()`` does, and everything cached about it.
    ///
    /// `fanouts` are those of all loops: each may have cached pages of the channel's log.
    ///
    /// - Throws: The errors of ``Channel/delete()``.
    package func delete(_ name: ChannelName, _ fanouts: [Fanout]) async throws(ChannelError) {
        _ = try await self.perform(.delete, on: name)
        self.deliveryAttempts.forget(name)
        for fanout in fanouts { fanout.execute { $0.pages.removeAll(of: name) } }
    }
}
