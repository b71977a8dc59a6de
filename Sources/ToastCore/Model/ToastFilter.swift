/// Selects the toasts that match all members that are set.
public struct ToastFilter: Hashable, Sendable {
    /// Their reuse identifier.
    public var reuseIdentifier: String?

    /// The publisher's title as consumers read it: in the server's language if it is localized.
    public var title: String?

    /// The message as consumers read it.
    public var message: String?

    /// Their placement.
    public var placement: Placement?

    /// A filter; an empty one selects all toasts.
    public init(
        reuseIdentifier: String? = nil,
        title: String? = nil,
        message: String? = nil,
        placement: Placement? = nil
    ) {
        self.reuseIdentifier = reuseIdentifier
        self.title = title
        self.message = message
        self.placement = placement
    }

    /// Whether it selects all toasts.
    public var isAnything: Bool { self == Self() }

    /// Whether it selects a toast.
    public func matches(_ content: ToastContent) -> Bool {
        func holds(_ demanded: String?, _ text: @autoclosure () -> String?) -> Bool {
            demanded == nil || demanded.hasSameBytes(as: text())
        }
        return (self.placement == nil || self.placement == content.placement)
            && holds(self.reuseIdentifier, content.box.reuseIdentifier)
            && holds(self.message, content.message?.text) && holds(self.title, content.title.text?.text)
    }
}
