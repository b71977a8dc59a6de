/// A request to a server that its user named: what a program's own commands send.
public struct Call: Sendable {
    /// The method, in capitals.
    public var method: String

    /// An http or https URL, without user information.
    public var url: String

    /// Header fields in order; neither names nor values hold line ends.
    public var headers: [(name: String, value: String)]

    /// The body; `nil` for none.
    public var body: [UInt8]?

    /// For how many seconds nothing may come.
    public var patience: Int

    /// Whether a proxy of the environment has no part in it.
    public var isDirect = false

    /// A call.
    public init(
        _ method: String,
        _ url: String,
        headers: [(name: String, value: String)] = [],
        body: [UInt8]? = nil,
        patience: Int = 30
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.patience = patience
    }
}

/// How an answer begins.
public struct ReplyHead: Sendable {
    /// The status.
    public let status: Int

    /// Header fields in order, with names in small letters.
    public let headers: [(name: String, value: String)]

    /// The value of a field; `nil` when it is not there.
    public subscript(name: String) -> String? { self.headers.first { $0.name == name }?.value }
}

/// Why a call has no answer, or not all of it.
public enum CallError: Error, Hashable, Sendable {
    /// Nothing was sent: nobody is there, or nobody who can be trusted. The text is curl's.
    case unreachable(String)

    /// The request was sent, and perhaps done. The text is curl's.
    case cut(String)

    /// ``CurlCaller/interrupt()`` was called.
    case interrupted
}
