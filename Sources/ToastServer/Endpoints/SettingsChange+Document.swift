import ToastCore
import ToastHub

extension SettingsChange {
    /// A change by a document that a request carries.
    ///
    /// Settings go into events, snapshots and streams; webhooks have secrets, so they are taken out of the document
    /// here, and `operation` gets the rest. `standard` are the webhooks when the document has none; nil keeps the
    /// channel's present ones. `owner` is the name of the principal that sent the document.
    init(
        _ document: JSON,
        webhooks standard: WebhookList?,
        owner: String,
        _ limits: Limits,
        if precondition: Precondition,
        _ operation: (JSON) -> Operation
    ) {
        guard var members = document.object, let webhooks = members["webhooks"] else {
            self.init(operation(document), webhooks: standard, issues: [], if: precondition)
            return
        }
        members["webhooks"] = nil
        var (list, issues): (WebhookList?, [ValidationIssue]) = (nil, [])
        do throws(ValidationError) {
            list = try WebhookList(json: webhooks, owner: owner, limits: limits)
        } catch {
            issues = error.issues
        }
        self.init(operation(.object(members)), webhooks: list, issues: issues, if: precondition)
    }
}
