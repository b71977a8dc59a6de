/// Finds the handler of a request by its path and method.
///
/// Patterns are paths in which a segment in braces takes any one segment: `/v1/channels/{channel}`. A literal
/// segment wins over a parameter. `HEAD` is answered wherever `GET` is, `OPTIONS` everywhere.
public struct Router: Sendable {
    private struct Node {
        /// Few, so that looking one up compares them.
        var literals: [(segment: String, node: Int)] = []
        var parameter: (name: String, node: Int)?
        var handlers: [Method: Action] = [:]
    }

    /// A handler in a type of its own: a bare function in a dictionary is called by way of two others that only move its
    /// arguments, each with a frame of its own.
    private struct Action {
        let handler: Handler
    }

    /// The tree; the root is the first.
    private var nodes = [Node()]
    private var fallback: Handler?
    private let describe: @Sendable (HTTPError) -> Response

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
        for segment in pattern.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            // The root path has one empty segment, which stands for no segment at all.
            guard !(segment.isEmpty && pattern == "/") else { break }
            node = self.child(of: node, for: String(segment))
        }
        let isNew = self.nodes[node].handlers.updateValue(Action(handler: handler), forKey: method) == nil
        precondition(isNew, "\(method.rawValue) \(pattern) has two handlers.")
    }

    /// Sends `GET` requests for paths without a route to a handler.
    public mutating func otherwise(_ handler: @escaping Handler) {
        self.fallback = handler
    }

    /// Answers a request with the handler of its path and method.
    public func handle(_ request: Request) async -> Reply {
        var request = request
        guard let index = self.find(request.target.path, &request.parameters) else {
            return await self.handleElsewhere(request)
        }
        let node = self.nodes[index]
        if let handler = self.handler(of: node, request.method) { return await handler(request) }
        let allowed = self.methods(of: node)
        guard request.method == .options else { return self.answer(request, self.describe(.methodNotAllowed(allowed))) }
        return self.answer(request, Self.options(allowed))
    }

    /// The methods that a resource knows; none when nothing is there.
    public func methods(at target: Target) -> [Method] {
        var parameters = PathParameters()
        if let node = self.find(target.path, &parameters) { return self.methods(of: self.nodes[node]) }
        return self.fallback == nil ? [] : [.get, .head, .options]
    }

    private func handleElsewhere(_ request: Request) async -> Reply {
        guard let fallback = self.fallback else { return self.answer(request, self.describe(.notFound)) }
        switch request.method {
        case .get, .head: return await fallback(request)
        case .options: return self.answer(request, Self.options([.get, .head, .options]))
        case .post, .put, .patch, .delete: return self.answer(request, self.describe(.notFound))
        }
    }

    private func answer(_ request: Request, _ response: Response) -> Reply {
        .response(self.answered(request, response))
    }

    private mutating func child(of node: Int, for segment: String) -> Int {
        if segment.hasPrefix("{") {
            if let parameter = self.nodes[node].parameter { return parameter.node }
            self.nodes.append(Node())
            self.nodes[node].parameter = (String(segment.dropFirst().dropLast()), self.nodes.count - 1)
            return self.nodes.count - 1
        }
        if let child = self.literal(segment, of: node) { return child }
        self.nodes.append(Node())
        self.nodes[node].literals.append((segment, self.nodes.count - 1))
        return self.nodes.count - 1
    }

    private func find(_ path: [String], _ parameters: inout PathParameters) -> Int? {
        var node = 0
        for segment in path {
            if let child = self.literal(segment, of: node) {
                node = child
            } else if let parameter = self.nodes[node].parameter, !segment.isEmpty {
                parameters.add(parameter.name, segment)
                node = parameter.node
            } else {
                return nil
            }
        }
        return self.nodes[node].handlers.isEmpty ? nil : node
    }

    private func literal(_ segment: String, of node: Int) -> Int? {
        self.nodes[node].literals.first { $0.segment == segment }?.node
    }

    private func handler(of node: Node, _ method: Method) -> Handler? {
        (node.handlers[method] ?? (method == .head ? node.handlers[.get] : nil))?.handler
    }

    private func methods(of node: Node) -> [Method] {
        Method.allCases.filter { $0 == .options || self.handler(of: node, $0) != nil }
    }

    private static func options(_ allowed: [Method]) -> Response {
        Response(status: 204).adding("Allow", allowed.map(\.rawValue).joined(separator: ", "))
    }
}
