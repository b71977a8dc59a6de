/// A permission on a channel.
package enum Scope: String, CaseIterable, Hashable, Sendable, Codable {
    /// Post toasts, and change or dismiss them as a program does.
    case publish

    /// See toasts, settings and events.
    case subscribe

    /// Dismiss toasts, press their actions, hold them, as a person does.
    case respond

    /// Change settings, webhooks and catalogs, and read the server's metrics.
    case manage

    /// By a number: the synthesized hash is of the raw value, so every check of a permission would hash a string.
    package func hash(into hasher: inout Hasher) {
        switch self {
        case .publish: hasher.combine(0 as UInt8)
        case .subscribe: hasher.combine(1 as UInt8)
        case .respond: hasher.combine(2 as UInt8)
        case .manage: hasher.combine(3 as UInt8)
        }
    }
}
