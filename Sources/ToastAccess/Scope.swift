/// What someone may do with a channel.
public enum Scope: String, CaseIterable, Hashable, Sendable, Codable {
    /// Post toasts, and change or dismiss them as a program does.
    case publish

    /// See toasts, settings and events.
    case subscribe

    /// Do what a person does with a toast: dismiss it, press its actions, hold it.
    case respond

    /// Change settings, webhooks and catalogs, and read the server's metrics.
    case manage

    /// By its place among them: by its word, each question for a right would hash a text.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .publish: hasher.combine(0 as UInt8)
        case .subscribe: hasher.combine(1 as UInt8)
        case .respond: hasher.combine(2 as UInt8)
        case .manage: hasher.combine(3 as UInt8)
        }
    }
}
