import Synchronization
import ToastAccess
import ToastCore

/// How many streams there may be, waiting publishers and long-polls among them; 0 is as many as come.
public struct StreamQuotas: Hashable, Sendable {
    /// All together; descriptors are a limit of their own.
    public var inAll = 0

    /// From one source.
    public var perSource = 1000

    /// Whether streams of the same machine are not counted by their source.
    public var sparesLocal = true

    /// Of one channel.
    public var perChannel = 0

    /// The usual quotas.
    public init() {}
}

/// Counts the streams of all loops: one for the whole server.
public final class StreamQuotaCounter: Sendable {
    private struct State {
        var quotas = StreamQuotas()
        var count = 0
        var sources: [Source: Int] = [:]
        var channels: [ChannelName: Int] = [:]
    }

    private let state = Mutex(State())

    init() {}

    /// Goes by these quotas from now on; streams that are there stay.
    public func adopt(_ quotas: StreamQuotas) {
        self.state.withLock { $0.quotas = quotas }
    }

    /// Counts a stream that is about to be opened.
    ///
    /// - Throws: Which quota is used up; then it is not counted.
    func enter(from source: Source) throws(StreamError) {
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

    /// A stream is gone.
    func leave(from source: Source) {
        self.state.withLock { state in
            state.count -= 1
            let count = (state.sources[source] ?? 1) - 1
            state.sources[source] = count > 0 ? count : nil
        }
    }

    /// Counts a stream that is about to hear a channel.
    ///
    /// - Throws: That the channel has as many as it may have; then it is not counted.
    func join(_ channel: ChannelName) throws(StreamError) {
        try self.state.withLock { state throws(StreamError) in
            guard state.quotas.perChannel == 0 || state.channels[channel, default: 0] < state.quotas.perChannel else {
                throw .tooManyStreamsOfChannel
            }
            state.channels[channel, default: 0] += 1
        }
    }

    /// A stream no longer hears a channel.
    func part(from channel: ChannelName) {
        self.state.withLock { state in
            let count = (state.channels[channel] ?? 1) - 1
            state.channels[channel] = count > 0 ? count : nil
        }
    }
}
