/// A request to send.
package struct OutgoingRequest: Sendable {
    /// The method, in capitals.
    package let method: String

    /// An http or https URL, without user information.
    package let url: String

    /// Header fields in order; neither names nor values hold line ends.
    package var headers: [(name: String, value: String)]

    /// The body; nil for none.
    package var body: [UInt8]?

    /// The bound on connections that it shares with other webhook deliveries; nil for none.
    package let sharing: ConnectionSharing?

    /// A request; a POST without a body unless said otherwise.
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
    /// The group's name.
    package let group: String

    /// The most connections.
    package let limit: Int

    /// A bound of `limit` connections.
    package init(group: String, limit: Int) {
        self.group = group
        self.limit = limit
    }
}
