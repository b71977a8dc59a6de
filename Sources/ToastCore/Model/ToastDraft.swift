/// A toast as a publisher sent it: valid, but without an id, a time, or the settings of a channel.
public struct ToastDraft: Equatable, Sendable {
    /// What the toast is about.
    public var role = Role.info

    /// The title.
    public var title = ToastTitle.automatic

    /// The message; `nil` only when the publisher sent a title.
    public var message: Text?

    /// The style; `nil` for the channel's.
    public var style: StyleName?

    /// The placement; `nil` for the channel's.
    public var placement: Placement?

    /// How long it stays; `nil` for the channel's.
    public var duration: ToastDuration?

    /// The haptic feedback; `nil` for the channel's.
    public var haptic: Haptic?

    /// Whether it replaces the content of the living toast with its reuse identifier, whatever the deduplication is.
    public internal(set) var replacesPresent = false

    /// Whether the channel decides the title, because none was sent.
    var isTitleOpen = true

    /// Whether the channel decides a missing `expiresAfter`: only while the toast is new.
    var isWaitOpen = true

    var box = DetailsBox.empty

    /// The members that few toasts have.
    public var details: ToastDetails {
        get { self.box.details }
        set { self.box = DetailsBox(newValue) }
    }

    /// The toast's own appearance; `nil` for the channel's.
    public var appearance: JSONObject? { self.box.appearance }

    /// The reuse identifier; read for every toast, so without copying all details.
    public var reuseIdentifier: String? { self.box.reuseIdentifier }

    /// Reads an object with at least a `message` or a `title`; unknown members are ignored, because senders evolve.
    ///
    /// - Throws: Everything that is wrong with it.
    public init(json: JSON, limits: Limits = .standard) throws(ValidationError) {
        var issues = Issues(limits: limits)
        try self.init(json, &issues)
    }

    /// Reads a toast as ``init(json:limits:)`` does, and adds warnings about what is ignored.
    public init(json: JSON, limits: Limits, adding warnings: inout [Warning]) throws(ValidationError) {
        var issues = Issues(limits: limits)
        try self.init(json, &issues)
        if !issues.warnings.isEmpty { warnings += issues.warnings }
    }

    private init(_ json: JSON, _ issues: inout Issues) throws(ValidationError) {
        if let object = issues.object(json) {
            var reader = DraftReader(draft: Self(), isPatch: false)
            reader.read(object, &issues)
            self = reader.finished(&issues)
        }
        try issues.check()
    }

    /// A toast that is only a message, as `text/plain` carries it; white space around it is dropped.
    public init(message: String, limits: Limits = .standard) throws(ValidationError) {
        var issues = Issues(limits: limits)
        self.message = issues.text(.string(message.trimmed))
        try issues.check()
    }

    /// The draft that a patch makes of this one; throws everything that is wrong with it.
    public func applying(_ patch: ToastPatch) throws(ValidationError) -> Self {
        var issues = Issues(limits: patch.limits)
        var reader = DraftReader(draft: self, isPatch: true)
        reader.read(patch.members, &issues)
        var result = reader.finished(&issues)
        try issues.check()
        if result.box.isPending, patch.endsPendingActions {
            result.details.actions = result.details.actions.map { $0.with(isPending: false) }
        }
        return result
    }

    /// An empty draft, which is not valid yet.
    init() {}
}
