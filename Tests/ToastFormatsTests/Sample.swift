import ToastCore
import ToastFormats

/// A request that a test makes.
func input(
    _ body: String,
    type: String? = "application/json",
    fields: [String: String] = [:],
    query: [(name: String, value: String)] = []
) -> FormatInput {
    FormatInput(contentType: type, field: { fields[$0] }, query: query, body: Array(body.utf8))
}

extension HookFormat {
    /// The only toast that the format makes of a document.
    func toast(_ body: String, type: String = "application/json", fields: [String: String] = [:]) throws -> MappedToast
    {
        let toasts = try HookMapping(self).toasts(of: input(body, type: type, fields: fields)).toasts
        guard let toast = toasts.first, toasts.count == 1 else { throw NotOne(count: toasts.count) }
        return toast
    }
}

/// A format did not make exactly one toast.
struct NotOne: Error {
    let count: Int
}

extension MappedToast {
    var title: String? { self.draft.title.text?.text }
    var message: String? { self.draft.message?.text }
    var link: String? { self.draft.details.link?.rawValue }
    var image: String? { self.draft.details.image?["url"]?.string }
    var actions: [String] { self.draft.details.actions.map { "\($0.title.text) \($0.url?.rawValue ?? "-")" } }
    var dropped: [String] { self.warnings.map(\.pointer) }
}
