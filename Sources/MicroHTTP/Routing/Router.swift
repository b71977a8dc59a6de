/// Finds the handler of a request by its path and method.
///
/// Patterns are paths in which a segment in braces takes any one segment: `/v1/channels/{channel}`. A literal
/// segment wins over a parameter. `HEAD` is answered wherever `GET` is, `OPTIONS` wherever anything is.
public struct Router: Sendable {
    private struct Node {
        /// So few that a lookup compares them one by one.
        var literals: [(segment: String, node: Int)] = []
        var parameter: Int?
        /// The parameters on the way to this node.
        var parameters = PathParameters()
        /// Few too, so a lookup compares them one by one.
        var handlers: [(method: Method, action: Action)] = []
    }

    /// A handler in a struct, because a bare function in a collection is called through two reabstraction thunks, each
    /// with an async frame.
    private struct Action {
        let handler: Handler
    }

    /// The tree; the root is the first.
    private var nodes = [Node()]
    private var fallback: Handler?
    private var isKnown: @Sendable (Target) -> Bool = { _ in false }

    /// Makes the identifier of each request before anything else is done with it.
    public var makeID: @Sendable (HeaderFields) -> String = { _ in "" }

    /// Answers a request without a handler; the methods are those of its resource, none when there is no resource.
    public var elsewhere: @Sendable (Request, [Method]) -> Reply = { _, _ in .response(Response(status: 404)) }

    /// A router without routes.
    public init() {}

    /// Adds a route: requests of this method and path go to a handler.
    public mutating func on(_ method: Method, _ pattern: String, _ handler: @escaping Handler) {
        var node = 0
        // The root path has no segments.
        let segments = pattern == "/" ? [] : pattern.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (index, segment) in segments.enumerated() {
            node = self.child(of: node, for: String(segment), at: index)
        }
        precondition(self.action(of: node, method) == nil, "\(method.rawValue) \(pattern) has two handlers.")
        self.nodes[node].handlers.append((method, Action(handler: handler)))
    }

    /// Sets the handler of `GET` requests for paths without a route.
    ///
    /// - Parameters:
    ///   - isKnown: Whether a path has a resource: other methods then get 405; at any other path they get 404.
    ///   - handler: The handler.
    public mutating func otherwise(where isKnown: @escaping @Sendable (Target) -> Bool, _ handler: @escaping Handler) {
        self.isKnown = isKnown
        self.fallback = handler
    }

    /// Answers a request by the handler of its path and method.
    public func handle(_ request: Request) async -> Reply {
        let (request, handler) = self.route(request)
        if let handler { return await handler(request) }
        return self.elsewhere(request, self.methods(at: request.target))
    }

    /// Finds the handler of a request, and gives the request its identifier and parameters.
    ///
    /// Never inlined: its locals would become part of the async frame that waits for the handler.
    @inline(never)
    private func route(_ request: Request) -> (Request, Handler?) {
        let node = self.find(request.target.path)
        let parameters = node.map { self.nodes[$0].parameters.filled(by: request.target.path) } ?? PathParameters()
        let routed = request.routed(as: self.makeID(request.headers), with: parameters)
        return (routed, self.handler(of: routed, at: node))
    }

    private func handler(of request: Request, at node: Int?) -> Handler? {
        if let node, let handler = self.handler(of: node, request.method) { return handler }
        let isRead = request.method == .get || request.method == .head
        // A route such as `/{topic}` that only takes POST does not hide the file of that name.
        return isRead && (node == nil || self.isKnown(request.target)) ? self.fallback : nil
    }

    /// The methods of a resource; none when there is no resource.
    public func methods(at target: Target) -> [Method] {
        let isKnown = self.isKnown(target)
        guard let node = self.find(target.path) else { return isKnown ? Self.readOnly : [] }
        let routed = self.methods(of: node)
        return isKnown ? Method.allCases.filter { routed.contains($0) || Self.readOnly.contains($0) } : routed
    }

    /// The methods of resources without a route.
    private static let readOnly: [Method] = [.get, .head, .options]

    private mutating func child(of node: Int, for segment: String, at index: Int) -> Int {
        let parameters = self.nodes[node].parameters
        if segment.hasPrefix("{") {
            if let parameter = self.nodes[node].parameter { return parameter }
            let name = String(segment.dropFirst().dropLast())
            self.nodes.append(Node(parameters: parameters.adding(name, at: index)))
            self.nodes[node].parameter = self.nodes.count - 1
            return self.nodes.count - 1
        }
        if let child = self.literal(segment, of: node) { return child }
        self.nodes.append(Node(parameters: parameters))
        self.nodes[node].literals.append((segment, self.nodes.count - 1))
        return self.nodes.count - 1
    }

    private func find(_ path: [String]) -> Int? {
        var node = 0
        for segment in path {
            if let child = self.literal(segment, of: node) {
                node = child
            } else if let parameter = self.nodes[node].parameter, !segment.isEmpty {
                node = parameter
            } else {
                return nil
            }
        }
        return self.nodes[node].handlers.isEmpty ? nil : node
    }

    private func literal(_ segment: String, of node: Int) -> Int? {
        self.nodes[node].literals.first { $0.segment == segment }?.node
    }

    private func handler(of node: Int, _ method: Method) -> Handler? {
        (self.action(of: node, method) ?? (method == .head ? self.action(of: node, .get) : nil))?.handler
    }

    private func action(of node: Int, _ method: Method) -> Action? {
        self.nodes[node].handlers.first { $0.method == method }?.action
    }

    private func methods(of node: Int) -> [Method] {
        Method.allCases.filter { $0 == .options || self.handler(of: node, $0) != nil }
    }
}
