/// How much one document may contain; what exceeds a limit is refused, never cut.
public struct Limits: Hashable, Sendable {
    /// The longest document, in bytes, checked where the request is read; also the longest `data` in its stored form.
    public var documentBytes = 65_536

    /// The longest text that people read, in code points: a message, a title, a default, an argument.
    public var textLength = 4096

    /// The longest name that machines read, in code points: a key, a reuse identifier.
    public var nameLength = 256

    /// The longest URL, in code points.
    public var urlLength = 2048

    /// The most actions of a toast.
    public var actions = 3

    /// The most arguments of a localized text.
    public var arguments = 16

    /// How many arrays and objects may be nested.
    public var depth = JSON.standardDepthLimit

    /// The longest idempotency key, in bytes; checked where the request is read.
    public var idempotencyKeyBytes = 255

    /// The most webhooks of a channel.
    public var webhooks = 8

    /// The most toasts of one request.
    public var batch = 100

    /// The longest duration or expiry: a year; what should stay longer is indefinite.
    public var longest = Interval(seconds: 365 * 86_400)

    /// Whether the service wrote the document, so that the members that only the server writes are read.
    var isRecord = false

    /// The limits unless the configuration says otherwise.
    public static let standard = Self()

    /// No limits: for stored documents that are read back.
    static let none = {
        var limits = Self()
        (limits.textLength, limits.nameLength, limits.urlLength) = (.max, .max, .max)
        (limits.actions, limits.arguments, limits.webhooks) = (.max, .max, .max)
        limits.longest = Interval(nanoseconds: .max)
        limits.isRecord = true
        return limits
    }()
}
