import MicroHTTP
import ToastAccess
import ToastCore
import ToastHub

/// The reader of toasts in a response: principal, language, and the catalogs.
///
/// A response without localized texts does not depend on the language, and has no `Content-Language`.
struct ResponseLocale: Sendable {
    let principal: Principal
    let lexicon: Lexicon
    let language: LanguageTag
    /// The epoch of the store: after a power failure, lost revisions are used again, so a revision identifies a state
    /// only together with the epoch.
    private let epoch: Epoch

    /// A reader with a known language, or with the server's own if it is nil.
    init(_ principal: Principal, in language: LanguageTag?, _ lexicon: Lexicon, _ epoch: Epoch) {
        self.principal = principal
        self.epoch = epoch
        self.lexicon = lexicon
        self.language = language ?? lexicon.defaultLanguage
    }

    /// The sender of a request, with the best language for its `Accept-Language`.
    init(_ request: Request, _ principal: Principal, _ hub: Hub) {
        let lexicon = hub.catalogs.lexicon
        let language = lexicon.bestMatch(acceptLanguage: request.acceptLanguage)
        self.init(principal, in: language, lexicon, hub.epoch)
    }

    /// As much of a toast as the reader may see, with its texts in the reader's language.
    ///
    /// `isNew` says that the reader's own request made it.
    func toast(_ toast: Toast, isNew: Bool = false) -> ShownToast {
        ShownToast(self.lexicon.translated(toast, to: self.language), to: self.principal, isNew: isNew)
    }

    /// The strong entity tag of a toast.
    ///
    /// It changes with the store's epoch, the toast's revision and its state; in another language than that of the
    /// events, also with the catalogs.
    func entityTag(of toast: Toast) -> String {
        var tag = ByteBuffer(capacity: 64)
        tag.append(UInt8(ascii: "\""))
        tag.digits(UInt64(clamping: toast.revision))
        tag.append(UInt8(ascii: "-"))
        tag.append(toast.state.rawValue)
        tag.append(UInt8(ascii: "-"))
        tag.append(self.epoch.rawValue)
        tag.append(self.version(isLocalized: toast.content.hasLocalizedText))
        tag.append(UInt8(ascii: "\""))
        return tag.text
    }

    /// The strong entity tag of a list of toasts; `version` has to change with the list.
    func entityTag(_ version: String, _ toasts: [Toast]) -> String {
        "\"" + version + self.version(isLocalized: Self.areLocalized(toasts)) + "\""
    }

    /// The part of an entity tag that changes with the catalogs; empty in the language of the events.
    private func version(isLocalized: Bool) -> String {
        guard isLocalized, self.language != self.lexicon.defaultLanguage else { return "" }
        return "-\(self.language).\(self.lexicon.digest(of: self.language).hexadecimal)"
    }

    /// A response with a toast, its entity tag, and the warnings about the request.
    func response(
        _ toast: Toast,
        isNew: Bool = false,
        status: Int = 200,
        warnings: [Warning] = []
    ) -> Response {
        let response = Response.json(status) { writer in
            self.toast(toast, isNew: isNew).write(to: &writer) { $0.warnings(warnings) }
        }
        return self.marking(response.adding("ETag", self.entityTag(of: toast)), [toast])
    }

    /// The response with the fields that say that it depends on the reader (RFC 9110 §12.5.5), and its language.
    func marking(_ response: consuming Response, _ toasts: [Toast]) -> Response {
        response.addHeader("Vary", "Accept-Language")
        if Self.areLocalized(toasts) { response.addHeader("Content-Language", self.language.rawValue) }
        return response
    }

    /// Whether any of the toasts has localized texts.
    static func areLocalized(_ toasts: [Toast]) -> Bool {
        toasts.contains(where: \.content.hasLocalizedText)
    }
}

extension UInt64 {
    /// The number in lower-case hexadecimal digits.
    var hexadecimal: String { String(self, radix: 16) }
}
