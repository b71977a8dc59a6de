import Foundation
package import ToastCore

extension Instant {
    /// The wall clock, which may be set to any time while the server runs.
    ///
    /// Credentials expire by it; channels and their toasts use ``HubClock``.
    package static var wallClock: Self { Self(clampingWallClock: Date().timeIntervalSince1970) }
}
