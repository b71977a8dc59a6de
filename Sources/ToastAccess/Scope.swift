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
}
