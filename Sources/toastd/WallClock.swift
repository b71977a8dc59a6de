import Foundation
import ToastCore

/// The clock of the machine, for a server that starts.
enum WallClock {
    /// Now.
    ///
    /// - Throws: That the clock is set to a time that the server cannot count with.
    static func atStart() throws(WallClockRefusal) -> Instant {
        guard let now = Instant(wallClock: Date().timeIntervalSince1970) else { throw WallClockRefusal() }
        return now
    }
}

/// The wall clock is set to a time that the server cannot count with.
struct WallClockRefusal: Error, CustomStringConvertible {
    var description: String {
        "The clock of this machine is set before 1970 or behind 2261, so no time can be told. Set it, then start again."
    }
}
