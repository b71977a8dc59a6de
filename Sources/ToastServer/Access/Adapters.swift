/// The routes of other systems that a server has beside its own.
package struct Adapters: Sendable {
    /// Whether there are those of ntfy, whose topics are the first segment of a path.
    package var ntfy = false

    /// Whether there are those of Gotify, below `/gotify`.
    package var gotify = false

    /// The secret that Mercure's publishers sign their tokens with; nil without a route for them.
    package var mercureKey: [UInt8]?

    package init() {}
}
