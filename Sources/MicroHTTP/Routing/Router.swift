/// Finds the handler of a request by its path and method.
///
/// Patterns are paths in which a segment in braces takes any one segment: `/v1/channels/{channel}`. A literal
/// segment wins over a parameter. `HEAD` is answered wherever `GET` is, `OPTIONS` wherever anything is.
public struct Router: Sendable {
    private struct Node {
        /// Few, so that looking one up compares them.
        var literals: [(segment: String, node: Int)] = []
        var parameter: Int?
        /// The parameters on the way to here.
        var parameters = PathParameters()
        /// As few.
        var handlers: [(method: Method, action: Action)] = []
    }

    /// A handler in a type of its own: a bare function in a collection is called by way of two others that only move its
    /// arguments, each with a frame of its own.
    private struct Action {
        let handler: Handler
    }

    /// The tree; the root is the first.
    private var nodes = [Node()]
    private var fallback: Handler?
    private var isKnown: @Sendable (Target) -> Bool = { _ in false }
    private let describe: @Sendable (HTTPError) -> Response

    /// Names each request before anything else is done with it.
    public var name: @Sendable (HeaderFields) -> String = { _ in "" }

    /// Sees each answer that the router gives by itself, and may add to it.
    public var answered: @Sendable (Request, Response) -> Response = { $1 }

    /// A router without routes.
    ///
    /// - Parameter describe: Makes the answer to a request that has no handler.
    public init(describe: @escaping @Sendable (HTTPError) -> Response) {
        self.describe = describe
    }

    /// Sends requests of that method and path to a handler.
    public mutating func on(_ method: Method, _ pattern: String, _ handler: @escaping Handler) {
        var node = 0
        for (index, segment) in pattern.split(separator: "/", omittingEmptySubsequences: false).dropFirst().enumerated()
        {
            // The root path has one empty segment, which stands for no segment at all.
            guard !(segment.isEmpty && pattern == "/") else { break }
            node = self.child(of: node, for: String(segment), at: index)
        }
        precondition(self.action(of: node, method) == nil, "\(method.rawValue) \(pattern) has two handlers.")
        self.nodes[node].handlers.append((method, Action(handler: handler)))
    }

    /// Sends `GET` requests for paths without a route to a handler.
    ///
    /// - Parameters:
    ///   - isKnown: Whether something is at a path: there other methods are not allowed, and anywhere else nothing is found.
    ///   - handler: What answers.
    public mutating func otherwise(where isKnown: @escaping @Sendable (Target) -> Bool, _ handler: @escaping Handler) {
        self.isKnown = isKnown
        self.fallback = handler
    }

    /// Answers a request with the handler of its path and method.
    public func handle(_ request: Request) async -> Reply {
        var request = request
        switch self.way(of: &request) {
        case .handler(let handler): return await handler(request)
        case .answer(let response): return .response(self.answered(request, response))
        }
    }

    /// Where a request goes.
    private enum Way {
        case handler(Handler)
        case answer(Response)
    }

    /// Finds a request's way, and names it and its parameters.
    ///
    /// Never inlined: what it needs would become part of the frame that waits for the handler.
    @inline(never)
    private func way(of request: inout Request) -> Way {
        request.name = self.name(request.headers)
        guard let index = self.find(request.target.path) else { return self.wayElsewhere(request) }
        request.parameters = self.nodes[index].parameters.filled(by: request.target.path)
        if let handler = self.handler(of: index, request.method) { return .handler(handler) }
        let allowed = self.methods(of: index)
        return .answer(request.method == .options ? Self.options(allowed) : self.describe(.methodNotAllowed(allowed)))
    }

    /// The methods that a resource knows; none when nothing is there.
    public func methods(at target: Target) -> [Method] {
        if let node = self.find(target.path) { return self.methods(of: node) }
        return self.isKnown(target) ? Self.readOnly : []
    }

    /// What can be done with what has no route.
    private static let readOnly: [Method] = [.get, .head, .options]

    private func wayElsewhere(_ request: Request) -> Way {
        if let fallback = self.fallback, request.method == .get || request.method == .head { return .handler(fallback) }
        guard self.isKnown(request.target) else { return .answer(self.describe(.notFound)) }
        return .answer(
            request.method == .options ? Self.options(Self.readOnly) : self.describe(.methodNotAllowed(Self.readOnly))
        )
    }

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

    private static func options(_ allowed: [Method]) -> Response {
        Response(status: 204).adding("Allow", allowed.map(\.rawValue).joined(separator: ", "))
    }
}
