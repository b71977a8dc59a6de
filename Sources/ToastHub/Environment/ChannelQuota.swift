import Synchronization

/// The limits of channels, shared by all loops.
final class ChannelQuota: Sendable {
    /// The maximum number of channels in memory per loop.
    let perLoop = Atomic(Int.max)

    /// The maximum number of idempotency keys per channel.
    let keys = Atomic(Int.max)

    /// The maximum number of queued toasts per channel.
    let queue = Atomic(Int.max)

    /// The memory limit of the process, in bytes.
    let memory = Atomic(Int.max)

    /// Whether the process exceeds that limit.
    let isShort = Atomic(false)
}
