/// Which toasts are meant: those of which all holds that is said.
public struct ToastFilter: Hashable, Sendable {
    /// What makes them the same ones.
    public var reuseIdentifier: String?

    /// The publisher's title as consumers read it: in the server's language, where it is looked up.
    public var title: String?

    /// The message as consumers read it.
    public var message: String?

    /// Where they stand.
    public var placement: Placement?

    /// A filter; one that says nothing lets everything through.
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

    /// Whether every toast is meant.
    public var isAnything: Bool { self == Self() }

    /// Whether a toast is one of those that are meant.
    public func matches(_ content: ToastContent) -> Bool {
        func holds<Value: Equatable>(_ demanded: Value?, _ value: @autoclosure () -> Value?) -> Bool {
            demanded == nil || demanded == value()
        }
        return holds(self.placement, content.placement) && holds(self.reuseIdentifier, content.box.reuseIdentifier)
            && holds(self.message, content.message?.text) && holds(self.title, content.title.text?.text)
    }
}
