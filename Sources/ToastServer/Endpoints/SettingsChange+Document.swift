import ToastCore
import ToastHub

extension SettingsChange {
    /// A change by a document that a request carries.
    ///
    /// Settings go into events, snapshots and streams; webhooks have secrets, so they are taken out of the document
    /// here.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - standard: What the webhooks are to be when it does not name them; `nil` to leave them alone.
    ///   - owner: The name of the principal who sent it.
    ///   - limits: How many webhooks there may be.
    ///   - precondition: What the request demands of the present settings.
    ///   - operation: What is done with the rest of the document.
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
