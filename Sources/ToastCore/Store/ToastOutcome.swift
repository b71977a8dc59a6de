/// How a toast ended, as it is kept with the idempotency keys under which it was published.
///
/// It lasts as long as they do, however many toasts end after it.
public struct ToastOutcome: Hashable, Sendable {
    /// The toast.
    public let id: ToastID

    /// The toast as it ended: JSON in UTF-8, a secret of the core.
    public let document: [UInt8]

    /// The most bytes that are kept of a toast with all that it says.
    ///
    /// Of a longer one what few toasts have is left out: its data, appearance, image and actions. What is left are texts, which
    /// have bounds of their own.
    public static let maximumLength = 16_384

    /// An outcome as a store reads it.
    public init(id: ToastID, document: [UInt8]) {
        self.id = id
        self.document = document
    }

    /// The outcome of a toast that was dismissed.
    public init(_ toast: Toast) {
        self.init(id: toast.id, document: Self.encoded(toast))
        guard self.document.count > Self.maximumLength else { return }
        self.init(id: toast.id, document: Self.encoded(toast.withoutDetails))
    }

    /// The toast as it ended; `nil` when what was stored makes no sense.
    public var toast: Toast? {
        guard let json = try? JSON(stored: self.document) else { return nil }
        return try? Toast(json: json)
    }

    private static func encoded(_ toast: Toast) -> [UInt8] {
        var writer = JSONWriter()
        toast.write(to: &writer)
        return writer.bytes
    }
}

extension Toast {
    /// The toast without the members that few toasts have.
    fileprivate var withoutDetails: Toast {
        var draft = self.content.draft
        draft.box = .empty
        var toast = self
        toast.content = ToastContent(draft, Settings().effective)
        return toast
    }
}
