import MicroHTTP
import ToastCore

/// The response that a client gets.
struct TestResponse: Sendable {
    let status: Int
    let body: [UInt8]
    /// Whether the connection became a stream: the response comes later, or as events.
    let isStream: Bool
    private let fields: [Response.Field]

    private init(status: Int, body: [UInt8], isStream: Bool, fields: [Response.Field]) {
        self.status = status
        self.body = body
        self.isStream = isStream
        self.fields = fields
    }

    init(_ response: Response) {
        self.init(status: response.status, body: response.body, isStream: false, fields: response.headers)
    }

    init(_ reply: Reply) {
        switch reply {
        case .response(let response): self.init(response)
        case .detach: self.init(status: 200, body: [], isStream: true, fields: [])
        }
    }

    /// The value of a header field; `nil` when the field is not there.
    subscript(_ name: String) -> String? {
        self.fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    /// The values of all header fields of a name, each split at commas.
    func list(_ name: String) -> [String] {
        self.fields.filter { $0.name.lowercased() == name.lowercased() }
            .flatMap { $0.value.split(separator: ",").map { $0.drop { $0 == " " } }.map(String.init) }
    }

    var text: String { String(decoding: self.body, as: UTF8.self) }

    /// The body as a JSON document; `null` when it is none.
    var json: JSON { (try? JSON(parsing: self.body, depthLimit: 32)) ?? .null }

    /// The last part of the problem's type, such as `not-found`; `nil` when the response carries no problem.
    var problem: String? {
        guard self["Content-Type"] == "application/problem+json", let type = self.json["type"]?.string,
            type.hasPrefix("urn:toastd:problem:")
        else { return nil }
        return String(type.dropFirst("urn:toastd:problem:".count))
    }

    /// The pointers of all faults that the problem names.
    var pointers: [String] { (self.json["errors"]?.array ?? []).compactMap { $0["pointer"]?.string } }
}
