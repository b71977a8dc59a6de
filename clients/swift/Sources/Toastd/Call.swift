import Foundation

/// A request as a value.
struct Call: Sendable {
    let method: String
    /// Segments, not yet percent-encoded.
    let path: [String]
    var query: [(name: String, value: String)] = []
    var headers: [String: String] = [:]
    var body: Data?
    /// Seconds without a byte, after which the connection is given up.
    var timeout = 20.0

    /// Whether repeating it does no harm.
    ///
    /// Publishing has an idempotency key, and dismissing, changing and holding a toast twice is the same as once.
    var isRepeatable = true

    /// Until then it is repeated, and asks the server to wait for as long as is left.
    var until: ContinuousClock.Instant?

    /// From then on it is not sent again, because the server may have forgotten its idempotency key.
    ///
    /// The clock also counts the time for which the machine is suspended.
    var notAfter: ContinuousClock.Instant?

    /// For so many seconds one request waits: proxies close connections that are idle for a minute.
    static let longestWait = 45.0

    /// A call with a JSON body.
    static func sending(
        _ method: String,
        _ path: [String],
        _ document: some Encodable,
        as type: String = "application/json"
    ) throws -> Call {
        var call = Call(method: method, path: path)
        call.headers["Content-Type"] = type
        let encoder = JSONEncoder()
        // In one order, so that a repeated request is the same request.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        call.body = try encoder.encode(document)
        return call
    }

    /// A publication under an idempotency key, so that it can be repeated; an empty key is replaced by a new one.
    static func publishing(_ path: [String], _ document: some Encodable, _ key: String) throws -> Call {
        var call = try Call.sending("POST", path, document)
        call.headers["Idempotency-Key"] = key.isEmpty ? UUID().uuidString : key
        return call
    }

    /// The same call, which the server carries out only if the toast has this revision; nil for any.
    func expecting(_ revision: Int?) -> Call {
        guard let revision else { return self }
        var call = self
        call.headers["If-Match"] = "\"\(revision)\""
        return call
    }

    func url(on server: URL) throws -> URL {
        // RFC 3986, section 2.3: characters that never need encoding.
        let unreserved = CharacterSet(
            charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
        )
        let encoded = { (text: String) in text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "" }
        // Proxies and URL libraries resolve these, so that another resource would be meant: to delete the toast `..`
        // would delete all toasts of the channel.
        if let name = self.path.first(where: { ["", ".", ".."].contains($0) }) {
            throw ToastdError.unexpectedAnswer("\"\(name)\" is no name of a channel, toast, action or holder.")
        }
        let refusal = ToastdError.unexpectedAnswer(
            "\(server) is no address of a server: it needs http:// or https://, and a host."
        )
        // A URL session fails with any other address as if the server were away.
        guard var parts = URLComponents(url: server, resolvingAgainstBaseURL: true),
            let scheme = parts.scheme?.lowercased(), ["http", "https"].contains(scheme), parts.host?.isEmpty == false
        else { throw refusal }
        let base = parts.percentEncodedPath.hasSuffix("/") ? parts.percentEncodedPath : parts.percentEncodedPath + "/"
        parts.percentEncodedPath = base + self.path.map(encoded).joined(separator: "/")
        if !self.query.isEmpty {
            parts.percentEncodedQuery = self.query.map { "\($0.name)=\(encoded($0.value))" }.joined(separator: "&")
        }
        guard let url = parts.url else { throw refusal }
        return url
    }
}
