package import ToastCore

/// Why a channel did not carry out a request.
package enum ChannelError: Error, Equatable, Sendable {
    /// The engine rejected the command; the caller can correct it.
    case refused(EngineError)

    /// The channel's settings do not meet the request's precondition.
    case settingsChanged

    /// The new settings are invalid.
    case invalidSettings(ValidationError)

    /// The store failed: the same request may succeed later. After ``StoreError/undecided(_:)`` it may have succeeded.
    case store(StoreError)

    /// The idempotency key was used for another request.
    case keyReused

    /// The limit of channels in memory is reached; retry later.
    case tooManyChannels

    /// The memory limit of the process is reached; retry later.
    case outOfMemory

    /// The channel's limit of idempotency keys is reached, and each stored key is its owner's only one.
    case tooManyKeys

    /// A request with the same idempotency key is under way.
    case keyInUse

    /// The listener that would join has left.
    package static var listenerLeft: Self { .store(.unavailable("The client has left.")) }
}
