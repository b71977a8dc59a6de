import EventLoop
package import ToastCore

// What the owner of channels does for other processes, without asking the gate again.

extension Hub {
    /// Whether this process believes that it decides for a channel: see ``ChannelGate/owns(_:)``.
    func owns(_ name: ChannelName) -> Bool { self.gate?.owns(name) ?? true }

    /// Carries out a request in this process, even if another one owns the channel.
    package func performHere(
        _ request: ChannelRequest,
        on name: ChannelName
    ) async throws(ChannelError) -> ChannelAnswer {
        try await self.registry(of: name).perform(request, on: name)
    }

    /// Replaces the listeners of an observer in those of its channels that are loaded.
    ///
    /// A channel that is not loaded has to be joined: see ``ChannelRequest/attend(_:)``.
    ///
    /// - Returns: The last stored event of each loaded channel.
    package func renew(
        _ counts: [ChannelName: ListenerCounts],
        of observer: any ChannelObserver
    ) async -> [ChannelName: Offset] {
        var stored: [ChannelName: Offset] = [:]
        for (home, counts) in Dictionary(grouping: counts, by: { self.home(of: $0.key) }) {
            for (name, offset) in await self.registries[home].renew(counts, of: observer) { stored[name] = offset }
        }
        return stored
    }

    /// Loads a channel again if its log has an event that this process does not know.
    ///
    /// `last` is the log's last event, as far as others know it; nil when it may be any.
    package func reload(_ name: ChannelName, knowing last: Offset? = nil) {
        self.registry(of: name).execute { $0.channelInMemory(name)?.assumeIsolated { $0.reload(knowing: last) } }
    }

    /// Removes all listeners of an observer from a channel.
    package func leaveHere(_ name: ChannelName, _ observer: any ChannelObserver) {
        self.registry(of: name).execute { $0.channelInMemory(name)?.assumeIsolated { $0.leave(observer) } }
    }

    /// Removes from memory the channels for which another process decides from now on.
    ///
    /// Nothing ends: toasts, holds and the streams of listeners go on by the decisions of the new owner. Listeners are
    /// forgotten, because they join there.
    ///
    /// - Parameter isLost: Whether another process decides for a channel.
    /// - Returns: The number of channels that have to stay a little longer, because a request or a commit is under
    ///   way; call again to remove these.
    package func release(where isLost: @escaping @Sendable (ChannelName) -> Bool) async -> Int {
        var left = 0
        for registry in self.registries { left += await registry.release(where: isLost) }
        return left
    }
}
