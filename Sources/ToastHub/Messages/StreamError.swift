/// Why a stream was not opened.
package enum StreamError: Error, Equatable, Sendable {
    /// The channel could not be joined.
    case channel(ChannelError)

    /// The server's limit of streams is reached; retry later.
    case tooManyStreams

    /// The limit of streams from one source is reached; close some.
    case tooManyStreamsOfSource

    /// The channel's limit of streams is reached; retry later.
    case tooManyStreamsOfChannel

    /// The server is stopping; retry later.
    case draining

    /// The limit of channels of one stream is reached.
    case tooManyChannels

    /// The caller lost its permissions after they were checked; use another credential.
    case permissionsEnded

    /// There is not enough memory for the stream's first frames; retry later.
    case outOfMemory
}
