/// A toast as a publisher sent it: valid, but without a name, a time, or the settings of a channel.
@dynamicMemberLookup
public struct ToastDraft: Hashable, Sendable {
    /// What the toast is about.
    public var role = Role.info

    /// The title.
    public var title = ToastTitle.automatic

    /// The message; `nil` only when there is a title of the publisher's.
    public var message: Text?

    /// The look; `nil` for the channel's.
    public var style: StyleName?

    /// Where it stands; `nil` for the channel's.
    public var placement: Placement?

    /// How long it stays; `nil` for the channel's.
    public var duration: ToastDuration?

    /// What can be felt; `nil` for the channel's.
    public var haptic: Haptic?

    /// Whether the title is the channel's business, because nobody named one.
    var isTitleOpen = true

    /// Whether a wait that is not said is the channel's to decide: so it is when a toast is new, and never again.
    var isWaitOpen = true

    var box = DetailsBox.empty

    /// The members that few toasts have.
    public var details: ToastDetails {
        get { self.box.details }
        set { self.box = DetailsBox(newValue) }
    }

    /// How this one toast looks; `nil` for as the channel says.
    public var appearance: JSONObject? { self.box.appearance }

    /// What makes it the same as another toast, whatever they say; asked of every toast, and so not by way of all details.
    public var reuseIdentifier: String? { self.box.reuseIdentifier }

    /// Whether what is behind it is dimmed; `nil` for the channel's.
    public var dimsBackground: Bool? { self.box.dimming }

    /// One of the members that few toasts have.
    public subscript<Member>(dynamicMember member: KeyPath<ToastDetails, Member>) -> Member {
        self.details[keyPath: member]
    }

    /// Reads a toast; members that are not known are ignored, because senders evolve.
    ///
    /// - Parameters:
    ///   - json: An object with at least a `message` or a `title`.
    ///   - limits: How much it may hold.
    /// - Throws: Everything that is wrong with it.
    public init(json: JSON, limits: Limits = .standard) throws(ValidationError) {
        var issues = Issues(limits: limits)
        try self.init(json, &issues)
    }

    /// Reads a toast as ``init(json:limits:)`` does, and tells what in it is ignored.
    ///
    /// - Parameters:
    ///   - json: An object with at least a `message` or a `title`.
    ///   - limits: How much it may hold.
    ///   - warnings: To which is added what is ignored; pointers lead from the toast.
    /// - Throws: Everything that is wrong with it.
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
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - limits: How long it may be.
    /// - Throws: The issue, when the message is empty or too long.
    public init(message: String, limits: Limits = .standard) throws(ValidationError) {
        var issues = Issues(limits: limits)
        self.message = issues.text(.string(message.trimmed))
        try issues.check()
    }

    /// The toast that the patch makes of this one.
    ///
    /// - Parameter patch: The members to change.
    /// - Returns: The changed draft.
    /// - Throws: Everything that is wrong with the result.
    public func applying(_ patch: ToastPatch) throws(ValidationError) -> Self {
        var issues = Issues(limits: patch.limits)
        var reader = DraftReader(draft: self, isPatch: true)
        reader.read(patch.members, &issues)
        var result = reader.finished(&issues)
        try issues.check()
        if result.box.isPending, patch.settlesActions {
            result.details.actions = result.details.actions.map(\.settled)
        }
        return result
    }

    /// A draft with nothing in it, which is not valid yet.
    init() {}
}

extension String {
    /// Whether nothing but white space is in the text.
    var isBlank: Bool {
        // Most texts begin with a visible ASCII character.
        if let first = self.utf8.first, (0x21...0x7E).contains(first) { return false }
        // ECMAScript, and so the contract, counts the mark of byte order among white space.
        return self.unicodeScalars.allSatisfy { $0.properties.isWhitespace || $0 == "\u{FEFF}" }
    }

    /// The text without the white space around it.
    var trimmed: String {
        // Most texts begin and end with a visible ASCII character, and are as they should be.
        let isVisible: (UInt8) -> Bool = { (0x21...0x7E).contains($0) }
        if let first = self.utf8.first, let last = self.utf8.last, isVisible(first), isVisible(last) { return self }
        let isBlank: (Unicode.Scalar) -> Bool = \.properties.isWhitespace
        let start = self.unicodeScalars.drop(while: isBlank)
        let end = start.lastIndex { !isBlank($0) }
        return end.map { String(start[...$0]) } ?? ""
    }
}
