/// What can go wrong.
public enum ToastdError: Error, Sendable, Hashable {
    /// The server refused the request.
    ///
    /// `type` is the name without `urn:toastd:problem:`; correct the request.
    case problem(status: Int, type: String, detail: String)
    /// The server could not be reached.
    ///
    /// Try again later.
    case connectionLost(String)
    /// The answer is not one of this API: the URL is that of another server, or of a proxy's page.
    ///
    /// Or no request was sent, because the URL is no address of a server, or a name or an id is empty, `.` or `..`.
    case unexpectedAnswer(String)

    /// Whether the server may answer the same request later: it is busy, stops, or is being restarted.
    var isPassing: Bool {
        switch self {
        // With this type, the server is still storing the first request that had the idempotency key.
        case .problem(_, "idempotency-key-in-use", _): true
        case .problem(let status, _, _): [429, 502, 503, 504].contains(status)
        case .connectionLost: true
        case .unexpectedAnswer: false
        }
    }
}
