/// Why a store did not do what it was asked.
public enum StoreError: Error, Hashable, Sendable {
    /// The channel is at another offset than expected, or has other webhooks, because another process has changed it:
    /// nothing was written. Load it again and decide anew.
    case conflict(current: Offset)

    /// The change may be stored or not, and the store cannot find out: an answer was lost on its way.
    ///
    /// The sender asks again under the same idempotency key, and gets the answer of what was stored. Never thrown by a
    /// store inside this process, such as those in memory and in SQLite. The text is for the log.
    case undecided(String)

    /// Nothing was written, and a later attempt may succeed: the disk is full, read-only or failing. The text
    /// is for the log.
    case unavailable(String)

    /// Stored data is invalid: a person has to look at it. The text is for the log.
    case corrupt(String)

    /// The limit of channels is reached: try again when one was forgotten.
    case tooManyChannels
}

extension StoreError: CustomStringConvertible {
    /// The reason in a sentence.
    public var description: String {
        switch self {
        case .conflict(let current): "The channel stands at offset \(current.rawValue)."
        case .undecided(let reason), .unavailable(let reason), .corrupt(let reason): reason
        case .tooManyChannels: "The limit of stored channels is reached."
        }
    }
}
