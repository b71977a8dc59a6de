/// A request to send.
package struct OutgoingRequest: Sendable {
    /// The method, in capitals.
    package let method: String

    /// An http or https URL, without user information.
    package let url: String

    /// Header fields in order; neither names nor values hold line ends.
    package var headers: [(name: String, value: String)]

    package var body: [UInt8]?

    /// The bound on connections that it shares with other webhook deliveries; nil for none.
    package let sharing: ConnectionSharing?

    package init(
        _ method: String = "POST",
        url: String,
        headers: [(name: String, value: String)],
        body: [UInt8]? = nil,
        sharing: ConnectionSharing? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.sharing = sharing
    }
}

/// A bound on the connections to one address that the requests of a group have together.
package struct ConnectionSharing: Hashable, Sendable {
    package let group: String
    package let limit: Int

    package init(group: String, limit: Int) {
        self.group = group
        self.limit = limit
    }
}
