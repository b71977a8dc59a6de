/// Which routes of other systems a server has beside its own.
package struct Adapters: Sendable {
    /// Whether it has ntfy's routes, where the first segment of a path is a topic.
    package var ntfy = false

    /// Whether it has Gotify's routes, below `/gotify`.
    package var gotify = false

    /// The secret with which Mercure's publishers sign their tokens; nil when there is no route for them.
    package var mercureKey: [UInt8]?

    package init() {}
}
