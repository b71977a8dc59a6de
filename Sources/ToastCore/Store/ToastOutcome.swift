/// How a toast ended, as it is kept with the idempotency keys under which it was published.
///
/// It is kept as long as the keys, however many toasts end after it.
public struct ToastOutcome: Hashable, Sendable {
    /// The toast.
    public let id: ToastID

    /// The toast as it ended: JSON in UTF-8, private to ToastCore.
    public let document: [UInt8]

    /// The longest document with all members, in bytes.
    ///
    /// A longer one is stored without data, appearance, image and actions. The other members have lower bounds.
    public static let maximumLength = 16_384

    /// An outcome as a store reads it.
    public init(id: ToastID, document: [UInt8]) {
        self.id = id
        self.document = document
    }

    /// The outcome of a toast that was dismissed.
    public init(_ toast: Toast) {
        self.init(id: toast.id, document: toast.encoded)
        guard self.document.count > Self.maximumLength else { return }
        self.init(id: toast.id, document: toast.withoutLongMembers.encoded)
    }

    /// The toast as it ended; `nil` when the document is invalid.
    public var toast: Toast? {
        guard let json = try? JSON(stored: self.document) else { return nil }
        return try? Toast(json: json)
    }
}

extension Toast {
    /// The toast without the members that can be long.
    fileprivate var withoutLongMembers: Toast {
        var draft = self.content.draft
        (draft.details.data, draft.details.appearance, draft.details.image) = (nil, nil, nil)
        draft.details.actions = []
        var toast = self
        toast.content = ToastContent(draft, Settings().effective)
        return toast
    }
}
