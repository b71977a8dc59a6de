package import ToastCore

/// A change of a channel's settings and webhooks; nothing is changed when either is invalid.
package struct SettingsChange: Sendable {
    package enum Operation: Sendable {
        /// Replace them by a document.
        case replace(JSON)
        /// Merge a document into them (RFC 7396).
        case merge(JSON)
        /// Replace only the theme.
        case replaceTheme(JSONObject)
        /// Remove all of the channel's own settings.
        case reset
    }

    package let operation: Operation

    /// The new webhooks; `nil` to leave them unchanged.
    package let webhooks: WebhookList?

    /// The errors in the document's webhooks; reported together with those in its settings.
    package let issues: [ValidationIssue]

    package let precondition: Precondition

    package init(
        _ operation: Operation,
        webhooks: WebhookList?,
        issues: [ValidationIssue],
        if precondition: Precondition
    ) {
        self.operation = operation
        self.webhooks = webhooks
        self.issues = issues
        self.precondition = precondition
    }

    /// The new settings.
    ///
    /// - Throws: All errors in the document.
    func settings(replacing old: Settings) throws(ValidationError) -> Settings {
        let new: Settings
        do throws(ValidationError) {
            new =
                switch self.operation {
                case .replace(let document): try old.cleared.applying(document)
                case .merge(let document): try old.applying(document)
                case .replaceTheme(let theme):
                    try old.applying(["theme": .null]).applying(["theme": theme.isEmpty ? .null : .object(theme)])
                case .reset: old.cleared
                }
        } catch {
            throw ValidationError(issues: error.issues + self.issues)
        }
        guard self.issues.isEmpty else { throw ValidationError(issues: self.issues) }
        return new
    }
}
