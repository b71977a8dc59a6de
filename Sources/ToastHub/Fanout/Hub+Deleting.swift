import EventLoop
package import ToastCore

extension Hub {
    /// Deletes a channel as ``Channel/delete()`` does, and everything cached about it.
    ///
    /// - Parameters:
    ///   - name: The channel.
    ///   - fanouts: All fan-outs, which may have cached pages of the channel's log.
    /// - Throws: The errors of ``Channel/delete()``.
    package func delete(_ name: ChannelName, _ fanouts: [Fanout]) async throws(ChannelError) {
        _ = try await self.perform(.delete, on: name)
        self.counters.attempts.forget(name)
        for fanout in fanouts { fanout.loop.execute { fanout.assumeIsolated { $0.forgetPages(of: name) } } }
    }
}
