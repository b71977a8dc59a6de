public import ToastCore

/// Why a channel did not do what it was asked.
public enum ChannelError: Error, Equatable, Sendable {
    /// The engine refused: the caller can do something about it.
    case refused(EngineError)

    /// The channel's settings are not those that the request demands.
    case settingsChanged

    /// The new settings make no sense.
    case invalidSettings(ValidationError)

    /// Nothing was stored: the same request may succeed later.
    case unavailable(StoreError)

    /// The idempotency key was used for another request.
    case keyReused

    /// There are as many channels in memory as there may be: come back later.
    case tooManyChannels

    /// The process takes as much memory as it may: come back later.
    case outOfMemory

    /// As many idempotency keys of the channel are remembered as may be, each the only one of its owner.
    case tooManyKeys

    /// A request with the same idempotency key is under way.
    case keyInUse
}
