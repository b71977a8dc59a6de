import CombiningMarks
package import ToastCore

/// The parts of a request in another system's format that a mapping may look at.
package struct FormatInput: Sendable {
    /// The value of `Content-Type`; `nil` when there is none.
    package let contentType: String?

    /// The value of a header field, by its name in lower case.
    package let field: @Sendable (String) -> String?

    /// The parameters of the query, decoded.
    package let query: [(name: String, value: String)]

    package let body: [UInt8]

    /// How much a toast may hold.
    package let limits: Limits

    package init(
        contentType: String? = nil,
        field: @escaping @Sendable (String) -> String? = { _ in nil },
        query: [(name: String, value: String)] = [],
        body: [UInt8],
        limits: Limits = .standard
    ) {
        self.contentType = contentType
        self.field = field
        self.query = query
        self.body = body
        self.limits = limits
    }

    /// The media type in lower case, without parameters.
    package var mediaType: String? {
        self.contentType.map { String($0.prefix { $0 != ";" && $0 != " " && $0 != "\t" }).lowercased() }
    }

    package func json() throws(FormatError) -> JSON {
        do throws(JSONSyntaxError) {
            return try JSON(parsing: self.body, depthLimit: self.limits.depth)
        } catch {
            throw .notJSON(error)
        }
    }

    func object() throws(FormatError) -> JSONObject {
        guard let object = try self.json().object else { throw .invalid("", "An object is expected.") }
        return object
    }

    /// The fields of a form; `nil` when the body is none.
    package func form() throws(FormatError) -> [FormField]? {
        switch self.mediaType {
        case "application/x-www-form-urlencoded": try FormField.urlEncoded(self.body)
        case "multipart/form-data": try FormField.multipart(self.body, self.contentType ?? "")
        default: nil
        }
    }

    /// The members of the object in the body, or of a form.
    func members() throws(FormatError) -> JSONObject {
        guard let fields = try self.form() else { return try self.object() }
        return fields.object
    }

    /// The object in the body, or in a form's field whose value is a document.
    func object(inField name: String) throws(FormatError) -> JSONObject {
        guard let fields = try self.form() else { return try self.object() }
        guard let document = fields[name] else { throw .invalid("", "The form has no field \(name).") }
        return try Self(body: Array(document.utf8), limits: self.limits).object()
    }
}

/// Why a format makes no toast of a request.
package enum FormatError: Error, Equatable, Sendable {
    /// The body is no JSON document.
    case notJSON(JSONSyntaxError)

    /// A member is missing or wrong: its JSON Pointer, and what is expected.
    case invalid(String, String)

    /// Nothing in the document is text that a toast could show.
    case noText

    /// The toast that it makes is not valid.
    case invalidToast(ValidationError)

    /// The signature is missing, or of another secret.
    case wrongSignature
}
