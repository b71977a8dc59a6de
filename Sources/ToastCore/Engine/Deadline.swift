/// An instant at which time alone brings something about.
struct Deadline: Comparable, Sendable {
    /// What happens; of several things at one instant, in this order.
    enum What: Int, Sendable {
        /// A hold ends.
        case release
        /// A toast on screen has had its time.
        case timeout
        /// A toast on screen could be read, and a newer one waits for its place.
        case replacement
        /// A toast has waited too long.
        case expiry
    }

    /// When.
    let at: Instant

    /// What.
    let what: What

    static func < (left: Self, right: Self) -> Bool {
        (left.at, left.what.rawValue) < (right.at, right.what.rawValue)
    }
}
