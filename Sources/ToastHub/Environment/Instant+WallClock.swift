import Foundation
package import ToastCore

extension Instant {
    /// The wall clock, which may be set to any time while the server runs.
    ///
    /// Credentials end by it; channels and their toasts have the time of ``HubClock``.
    package static var wallClock: Self { Self(clampingWallClock: Date().timeIntervalSince1970) }
}
