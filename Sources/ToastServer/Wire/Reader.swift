import MicroHTTP
import ToastCore
import ToastHub

/// Whoever reads toasts in an answer: in which language, and from which catalogs.
///
/// Only localized texts depend on it, so an answer without any is the same for all readers, and says no language.
struct Reader: Sendable {
    let lexicon: Lexicon
    let language: LanguageTag

    /// The reader of an answer: the best language for its `Accept-Language`.
    init(_ request: Request, _ catalogs: Catalogs) {
        self.lexicon = catalogs.lexicon
        let fields = request.headers.list("accept-language")
        self.language = self.lexicon.bestMatch(acceptLanguage: fields.isEmpty ? nil : fields.joined(separator: ","))
    }

    /// A toast with its texts in the reader's language.
    func toast(_ toast: Toast) -> Toast {
        self.lexicon.translated(toast, to: self.language)
    }

    /// The strong entity tag of a toast: it is the same as long as its revision and its state are, and in another
    /// language than that of the events as long as the catalogs are, too.
    func entityTag(of toast: Toast) -> String {
        var tag = ByteBuffer(capacity: 64)
        tag.append(UInt8(ascii: "\""))
        tag.digits(UInt64(clamping: toast.revision))
        tag.append(UInt8(ascii: "-"))
        tag.append(toast.state.rawValue)
        tag.append(self.version(isLocalized: toast.content.hasLocalizedText))
        tag.append(UInt8(ascii: "\""))
        return tag.text
    }

    /// The strong entity tag of something that holds toasts.
    func entityTag(_ version: String, _ toasts: [Toast]) -> String {
        "\"" + version + self.version(isLocalized: Self.areLocalized(toasts)) + "\""
    }

    /// What an entity tag says of the texts; nothing in the language of the events.
    private func version(isLocalized: Bool) -> String {
        guard isLocalized, self.language != self.lexicon.defaultLanguage else { return "" }
        return "-\(self.language).\(self.lexicon.digest(of: self.language).hexadecimal)"
    }

    /// An answer with a toast and its entity tag, and the warnings about what was sent.
    func response(_ toast: Toast, status: Int = 200, warnings: [ContrastWarning] = []) -> Response {
        let response = Response.json(status) { writer in
            self.toast(toast).write(to: &writer) { $0.warnings(warnings) }
        }
        return self.marking(response.adding("ETag", self.entityTag(of: toast)), [toast])
    }

    /// Says of an answer that it depends on the reader (RFC 9110 §12.5.5), and in which language its texts are.
    func mark(_ response: inout Response, _ toasts: [Toast]) {
        response.addHeader("Vary", "Accept-Language")
        if Self.areLocalized(toasts) { response.addHeader("Content-Language", self.language.rawValue) }
    }

    /// The same answer with these fields.
    func marking(_ response: consuming Response, _ toasts: [Toast]) -> Response {
        self.mark(&response, toasts)
        return response
    }

    /// Whether any of them depends on the reader.
    static func areLocalized(_ toasts: [Toast]) -> Bool {
        toasts.contains(where: \.content.hasLocalizedText)
    }
}

extension UInt64 {
    /// The number in lower-case hexadecimal digits.
    var hexadecimal: String { String(self, radix: 16) }
}
