public import InternetAddresses

/// A request as a handler gets it: complete, with its body.
///
/// A class, because each async frame on its way keeps a reference to it; a struct would be copied into each.
public final class Request: Sendable {
    /// The method.
    public let method: Method

    /// The target.
    public let target: Target

    /// The header fields.
    public let headers: HeaderFields

    /// The body; empty when there is none.
    ///
    /// Never longer than the server's limit.
    public let body: [UInt8]

    /// The client's address; nil when it is not known.
    public let peer: IPAddress?

    private let probe: PeerProbe?

    /// Tells, on any thread, whether the client has closed its half of the connection, or all of it, while the request
    /// waits for an answer.
    public var hasPeerLeft: @Sendable () -> Bool {
        guard let probe = self.probe else { return { false } }
        return { probe.hasLeft }
    }

    /// The request identifier, in logs and in the response; empty until the request is routed.
    public let id: String

    /// The values of the path pattern's parameters by name; none until the request is routed.
    public let parameters: PathParameters

    init(
        method: Method,
        target: Target,
        headers: HeaderFields = HeaderFields(),
        body: [UInt8] = [],
        peer: IPAddress? = nil,
        probe: PeerProbe? = nil,
        id: String = "",
        parameters: PathParameters = PathParameters()
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.peer = peer
        self.probe = probe
        self.id = id
        self.parameters = parameters
    }

    /// The request as the router passes it on.
    func routed(as id: String, with parameters: PathParameters) -> Request {
        Request(
            method: self.method,
            target: self.target,
            headers: self.headers,
            body: self.body,
            peer: self.peer,
            probe: self.probe,
            id: id,
            parameters: parameters
        )
    }
}

/// The values of a path pattern's parameters in a request's path.
///
/// There are three at most, so a lookup compares them one by one.
public struct PathParameters: Sendable {
    /// The index of each parameter's segment: the same for all requests of a route.
    private var places: [(name: String, segment: Int)] = []
    private var path: [String] = []

    /// The value of a parameter; nil when the pattern does not have it.
    public subscript(_ name: String) -> String? {
        self.places.first { $0.name == name }.map { self.path[$0.segment] }
    }

    /// These and one more.
    func adding(_ name: String, at segment: Int) -> Self {
        var parameters = self
        parameters.places.append((name, segment))
        return parameters
    }

    /// These with the values from a path, which has all of their segments.
    func filled(by path: [String]) -> Self {
        var parameters = self
        parameters.path = path
        return parameters
    }
}
