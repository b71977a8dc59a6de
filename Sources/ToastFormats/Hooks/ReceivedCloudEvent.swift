import CombiningMarks
package import ToastCore

/// An event of CloudEvents 1.0 over HTTP (github.com/cloudevents/spec, http-protocol-binding.md).
package struct ReceivedCloudEvent: Sendable {
    private let id: String
    private let source: String
    private let type: String
    private let subject: String?
    private let data: JSON?
    /// The JSON Pointer to the event in the document; empty when the document is the event or its data.
    private let place: String
    /// The JSON Pointer to its data.
    private let dataPlace: String

    /// The events of a request: one, or those of a batch.
    package static func events(of input: FormatInput) throws(FormatError) -> [Self] {
        switch input.mediaType {
        case "application/cloudevents+json": return [try Self(try input.json(), at: "", input.limits)]
        case "application/cloudevents-batch+json":
            guard let values = try input.json().array, !values.isEmpty, values.count <= input.limits.batch else {
                throw .invalid("", "A list of 1 to \(input.limits.batch) events is expected.")
            }
            return try values.enumerated().map { index, value throws(FormatError) in
                try Self(value, at: "/\(index)", input.limits)
            }
        default:
            return [try Self(inFieldsOf: input)]
        }
    }

    /// The key under which a sender repeats these events: source and id make an event's name.
    package static func repetitionKey(of events: [Self]) -> String {
        events.map { "\($0.source)\n\($0.id)" }.joined(separator: "\n").sha256
    }

    private init(_ json: JSON, at place: String, _ limits: Limits) throws(FormatError) {
        guard let event = json.object else { throw .invalid(place, "An event is expected.") }
        func attribute(_ name: String) throws(FormatError) -> String {
            guard let text = event.text(name) else { throw .invalid("\(place)/\(name)", "A text is expected.") }
            return text
        }
        guard try attribute("specversion").hasPrefix("1.") else {
            throw .invalid("\(place)/specversion", "1.0 is expected.")
        }
        self.id = try attribute("id")
        self.source = try attribute("source")
        self.type = try attribute("type")
        self.subject = event.text("subject")
        self.data = try Self.data(of: event, at: place, limits)
        self.place = place
        self.dataPlace = place + (Self.hasBytes(event) ? "/data_base64" : "/data")
    }

    /// Whether the data are bytes in base64, as some SDKs send them (§3.1.1 of the JSON format).
    private static func hasBytes(_ event: JSONObject) -> Bool { (event["data_base64"] ?? .null) != .null }

    private static func data(of event: JSONObject, at place: String, _ limits: Limits) throws(FormatError) -> JSON? {
        guard Self.hasBytes(event) else { return event["data"] }
        guard (event["data"] ?? .null) == .null else {
            throw .invalid("\(place)/data_base64", "An event has either data or data_base64.")
        }
        guard let code = event["data_base64"]?.string?.trimmed, let bytes = Array(code.utf8).decodedBase64 else {
            throw .invalid("\(place)/data_base64", "Base64 is expected.")
        }
        if let json = try? JSON(parsing: bytes, depthLimit: limits.depth) { return json }
        return Self.data(of: bytes)
    }

    /// The data of bytes: their text, or an empty list when they are no text; ``toast(over:_:)`` warns of a list.
    private static func data(of bytes: [UInt8]) -> JSON { String(received: bytes).map(JSON.string) ?? .array([]) }

    private init(inFieldsOf input: FormatInput) throws(FormatError) {
        /// The text of an attribute, without percent escapes (§3.1.3.2); nil when it is blank or no valid text.
        func optional(_ name: String) -> String? {
            let bytes = input.field("ce-" + name)?.utf8.percentDecoded
            guard let text = bytes.flatMap({ String(received: $0) })?.trimmed, !text.isEmpty else { return nil }
            return text
        }
        func attribute(_ name: String) throws(FormatError) -> String {
            guard let text = optional(name) else {
                throw .invalid("", "The field ce-\(name) is expected: \(String.rule)")
            }
            return text
        }
        guard try attribute("specversion").hasPrefix("1.") else {
            throw .invalid("", "ce-specversion: 1.0 is expected.")
        }
        self.id = try attribute("id")
        self.source = try attribute("source")
        self.type = try attribute("type")
        self.subject = optional("subject")
        (self.place, self.dataPlace) = ("", "")
        guard !input.body.isEmpty else {
            self.data = nil
            return
        }
        let isJSON = input.mediaType.map { $0 == "application/json" || $0.hasSuffix("+json") } ?? true
        self.data = isJSON ? try input.json() : Self.data(of: input.body)
    }

    /// The JSON Pointer to the attribute that is the title if the data has none; empty if it is a header field.
    private var titlePlace: String {
        self.dataPlace.isEmpty ? "" : self.place + (self.subject == nil ? "/type" : "/subject")
    }

    /// The toast of the event: its data when that has a message or a title, else its subject or type.
    ///
    /// Errors and warnings point into the document of the request.
    package func toast(over defaults: JSONObject = [:], _ limits: Limits) throws(FormatError) -> MappedToast {
        if let data = self.data?.object, data.hasToastText {
            do throws(FormatError) {
                return try MappedToast(foreign: data, over: defaults, limits).inside(self.dataPlace)
            } catch {
                guard case .invalidToast(let error) = error else { throw error }
                throw .invalidToast(ValidationError(issues: error.issues.map { $0.inside(self.dataPlace) }))
            }
        }
        var toast = ToastMapping(limits)
        toast.title(self.subject ?? self.type, at: self.titlePlace)
        if let text = self.data?.readable {
            toast.message(text, at: self.dataPlace)
        } else if let data = self.data, data != .null {
            toast.drop(self.dataPlace, "It has neither a message nor a title; it is dropped.")
        }
        return try toast.draft(over: defaults)
    }
}

extension MappedToast {
    /// The same toast, when its document is a part of another one.
    fileprivate func inside(_ place: String) -> Self {
        Self(draft: self.draft, warnings: self.warnings.map { $0.inside(place) })
    }
}
