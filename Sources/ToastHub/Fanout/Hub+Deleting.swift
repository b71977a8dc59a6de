import EventLoop
package import ToastCore

extension Hub {
    /// Deletes a channel as ``Channel/delete()`` does, and the cached pages of its log.
    ///
    /// `fanouts` are those of all loops.
    ///
    /// - Throws: The errors of ``Channel/delete()``.
    package func delete(_ name: ChannelName, _ fanouts: [Fanout]) async throws(ChannelError) {
        _ = try await self.perform(.delete, on: name)
        for fanout in fanouts { fanout.execute { $0.pages.removeAll(of: name) } }
    }
}
