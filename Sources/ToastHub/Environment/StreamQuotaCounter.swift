import Synchronization
import ToastAccess
import ToastCore

/// The maximum numbers of streams, waiting publishers and long-polls included; 0 is unlimited.
package struct StreamQuotas: Hashable, Sendable {
    /// In total; the number of descriptors is a separate limit.
    package var inAll = 0

    /// Of one client address.
    package var perSource = 1000

    /// Whether streams from the local machine are exempt from the limit per source.
    package var sparesLocal = true

    /// Of one channel.
    package var perChannel = 0

    package init() {}
}

/// Counts the streams of all loops; one instance for the whole server.
package final class StreamQuotaCounter: Sendable {
    private struct State {
        var quotas = StreamQuotas()
        var count = 0
        var sources: [Source: Int] = [:]
        var channels: [ChannelName: Int] = [:]
    }

    private let state = Mutex(State())

    init() {}

    /// Sets new quotas; existing streams stay.
    package func adopt(_ quotas: StreamQuotas) {
        self.state.withLock { $0.quotas = quotas }
    }

    /// Counts a stream before it is opened.
    ///
    /// - Throws: The quota that is exhausted; then the stream is not counted.
    func countStream(from source: Source) throws(StreamError) {
        try self.state.withLock { state throws(StreamError) in
            guard state.quotas.inAll == 0 || state.count < state.quotas.inAll else { throw .tooManyStreams }
            let isCounted = state.quotas.perSource > 0 && !(state.quotas.sparesLocal && source.isLocal)
            guard !isCounted || state.sources[source, default: 0] < state.quotas.perSource else {
                throw .tooManyStreamsOfSource
            }
            state.count += 1
            state.sources[source, default: 0] += 1
        }
    }

    func uncountStream(from source: Source) {
        self.state.withLock { state in
            state.count -= 1
            let count = (state.sources[source] ?? 1) - 1
            state.sources[source] = count > 0 ? count : nil
        }
    }

    /// Counts a stream before it joins a channel.
    ///
    /// - Throws: `tooManyStreamsOfChannel`; then the stream is not counted.
    func countSubscription(to channel: ChannelName) throws(StreamError) {
        try self.state.withLock { state throws(StreamError) in
            guard state.quotas.perChannel == 0 || state.channels[channel, default: 0] < state.quotas.perChannel else {
                throw .tooManyStreamsOfChannel
            }
            state.channels[channel, default: 0] += 1
        }
    }

    func uncountSubscription(to channel: ChannelName) {
        self.state.withLock { state in
            let count = (state.channels[channel] ?? 1) - 1
            state.channels[channel] = count > 0 ? count : nil
        }
    }
}
