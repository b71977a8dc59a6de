/// How much one document may hold; what is past a limit is refused, never cut.
public struct Limits: Hashable, Sendable {
    /// The longest document, in bytes; whoever reads the request checks it.
    public var documentBytes = 65_536

    /// The longest text that people read, in code points: a message, a title, a default, an argument.
    public var textLength = 4096

    /// The longest name that machines read, in code points: an action's id, a key, a reuse identifier.
    public var nameLength = 256

    /// The longest URL, in code points.
    public var urlLength = 2048

    /// The most actions of a toast.
    public var actions = 3

    /// The most arguments of a localized text.
    public var arguments = 16

    /// The most arrays and objects within each other.
    public var depth = 16

    /// The longest idempotency key, in bytes; whoever reads the request checks it.
    public var idempotencyKeyBytes = 255

    /// The most webhooks of a channel.
    public var webhooks = 8

    /// The most toasts of one request.
    public var batch = 100

    /// The longest duration or expiry: a year; what should stay longer is indefinite.
    public var longest = Interval(seconds: 365 * 86_400)

    /// Whether the document is one that the service wrote, in which its own members count.
    var isRecord = false

    /// The limits of a server that was not told otherwise.
    public static let standard = Self()

    /// The standard limits.
    public init() {}

    /// No limits: for what was accepted before and is read back.
    static let none = {
        var limits = Self()
        (limits.textLength, limits.nameLength, limits.urlLength) = (.max, .max, .max)
        (limits.actions, limits.arguments, limits.webhooks) = (.max, .max, .max)
        limits.longest = Interval(nanoseconds: .max)
        limits.isRecord = true
        return limits
    }()
}
