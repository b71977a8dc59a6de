/// How many connections to one address the letters of a group may have together.
public struct ConnectionSharing: Hashable, Sendable {
    /// The group's name.
    public let group: String

    /// The most connections.
    public let limit: Int

    /// A bound on the connections of a group.
    public init(group: String, limit: Int) {
        self.group = group
        self.limit = limit
    }
}

/// What is posted, and where.
public struct OutgoingRequest: Sendable {
    /// An http or https URL.
    public let url: String

    /// Header fields in order; neither names nor values hold line ends.
    public let headers: [(name: String, value: String)]

    /// The body.
    public let body: [UInt8]

    /// With which letters it shares connections; nil when it is alone.
    public let sharing: ConnectionSharing?

    /// A letter.
    public init(
        url: String,
        headers: [(name: String, value: String)],
        body: [UInt8],
        sharing: ConnectionSharing? = nil
    ) {
        self.url = url
        self.headers = headers
        self.body = body
        self.sharing = sharing
    }
}

/// What became of a letter.
public enum Receipt: Hashable, Sendable {
    /// The other side answered, with a status and perhaps with the wish to be left alone for some seconds.
    case answered(status: Int, retryAfter: Int?)

    /// Its name leads to an address that nothing may be sent to.
    case forbidden(address: String)

    /// Its name leads to an address to which its group has as many connections as it may have: nothing was sent.
    case crowded(address: String)

    /// No answer came; the text is for the log and contains nothing of the request.
    case failed(String)

    /// The poster was closed meanwhile.
    case closed
}

/// Who posts letters.
public protocol WebhookSender: Sendable {
    /// Posts a letter once, and returns when it was answered or has failed, in bounded time.
    func post(_ letter: OutgoingRequest) async -> Receipt
}
