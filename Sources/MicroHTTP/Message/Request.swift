public import InternetAddresses

/// A request as a handler gets it: whole, with its body.
public struct Request: Sendable {
    /// What to do.
    public let method: Method

    /// With what.
    public let target: Target

    /// The header fields.
    public let headers: HeaderFields

    /// The body; empty when there is none.
    ///
    /// Never longer than the server's limit.
    public let body: [UInt8]

    /// Where the connection comes from; nil when that is not known.
    public let peer: IPAddress?

    /// The name of the request: for logs, for the answer, and for whoever asks about it later.
    public var name = ""

    /// The values of the path pattern's parameters by name; filled in by the router.
    public internal(set) var parameters = PathParameters()

    /// A request, as tests make them.
    public init(
        method: Method,
        target: Target,
        headers: HeaderFields = HeaderFields(),
        body: [UInt8] = [],
        peer: IPAddress? = nil
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.peer = peer
    }
}

/// What the parameters of a path pattern stand for in a request's path.
///
/// There are three at most, so looking one up walks over them.
public struct PathParameters: Sendable {
    /// Which segments they are: the same for all requests of a route.
    private var places: [(name: String, segment: Int)] = []
    private var path: [String] = []

    /// The segment that a parameter stands for; nil when the pattern does not have it.
    public subscript(_ name: String) -> String? {
        self.places.first { $0.name == name }.map { self.path[$0.segment] }
    }

    /// These and one more.
    func adding(_ name: String, at segment: Int) -> Self {
        var parameters = self
        parameters.places.append((name, segment))
        return parameters
    }

    /// What they stand for in a path, which has all of their segments.
    func filled(by path: [String]) -> Self {
        var parameters = self
        parameters.path = path
        return parameters
    }
}
