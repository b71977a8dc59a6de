/// The time that a presented toast has left.
///
/// It belongs to its toast and ends with it, so no timer of an earlier toast can end a later one (NoticeUI bugs 2 and 4
/// in `docs/engine.md`).
enum Countdown: Hashable, Sendable {
    /// The toast has no end. Entered by presentation or an update; left by an update or the toast's dismissal.
    case indefinite

    /// The toast ends at an instant. Left by a hold, an update, or the toast's dismissal.
    case running(until: Instant)

    /// The toast is held, with this time left. Left when the last hold ends, by an update, or by the toast's dismissal.
    case frozen(Interval)

    /// A countdown that starts at an instant, or is frozen because the toast is held.
    init(_ remaining: Interval?, from instant: Instant, isHeld: Bool) {
        switch (remaining, isHeld) {
        case (nil, _): self = .indefinite
        case (let remaining?, true): self = .frozen(remaining)
        case (let remaining?, false): self = .running(until: instant + remaining)
        }
    }

    /// The time left at an instant; never negative, `nil` when the toast has no end.
    func remaining(at instant: Instant) -> Interval? {
        switch self {
        case .indefinite: nil
        case .running(let end): max(.zero, end - instant)
        case .frozen(let remaining): remaining
        }
    }
}
