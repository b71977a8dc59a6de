/// Why a store did not do what it was asked.
public enum StoreError: Error, Hashable, Sendable {
    /// The channel stands at another offset than expected: load it again and decide anew.
    case conflict(current: Offset)

    /// Nothing was written, and a later attempt may succeed: the disk is full, read-only or failing. The text
    /// is for the log.
    case unavailable(String)

    /// What was read makes no sense: a person has to look at it. The text is for the log.
    case corrupt(String)

    /// As many channels are kept as may be, and this would be one more: come back when one was forgotten.
    case tooManyChannels
}

extension StoreError: CustomStringConvertible {
    /// The reason in a sentence.
    public var description: String {
        switch self {
        case .conflict(let current): "The channel stands at offset \(current.rawValue)."
        case .unavailable(let reason), .corrupt(let reason): reason
        case .tooManyChannels: "As many channels are kept as may be."
        }
    }
}
