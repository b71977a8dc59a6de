/// An instant at which something happens without a command.
struct Deadline: Comparable, Sendable {
    /// What happens; at the same instant, in this order.
    enum Kind: Int, Sendable {
        /// A hold ends.
        case release
        /// The time of a toast on screen is over.
        case timeout
        /// A toast has been on screen long enough to be read, and a newer one waits for its place.
        case replacement
        /// A queued toast has waited too long.
        case expiry
        /// The `notBefore` of a queued toast has come.
        case arrival
    }

    let at: Instant

    let kind: Kind

    static func < (left: Self, right: Self) -> Bool {
        (left.at, left.kind.rawValue) < (right.at, right.kind.rawValue)
    }
}
