import Testing

@testable import MicroHTTP

@Suite struct RouterTests {
    private let router: Router

    init() {
        var router = Router { error in
            switch error {
            case .methodNotAllowed(let methods):
                Response(status: 405).adding("Allow", methods.map(\.rawValue).joined(separator: ", "))
            default: Response(status: 404)
            }
        }
        router.on(.get, "/") { _ in Self.answer("root") }
        router.on(.get, "/v1/channels/{channel}") { request in
            Self.answer("channel \(request.parameters["channel"] ?? "")")
        }
        router.on(.get, "/v1/channels/all") { _ in Self.answer("all") }
        router.on(.patch, "/v1/channels/{channel}/toasts/{toast}") { request in
            Self.answer("\(request.parameters["channel"] ?? "") \(request.parameters["toast"] ?? "")")
        }
        router.otherwise(where: { $0.path == ["page"] }) { _ in Self.answer("fallback") }
        self.router = router
    }

    @Test(arguments: [
        ("/", "root"), ("/v1/channels/ops", "channel ops"), ("/v1/channels/a%20b", "channel a b"),
        ("/v1/channels/all", "all"), ("/page", "fallback"), ("/v1/channels/", "fallback"), ("/v1", "fallback"),
    ])
    func `a path leads to the handler of its pattern, and a literal segment wins`(
        path: String,
        body: String
    ) async throws {
        let response = try await self.ask(.get, path)
        #expect(String(decoding: response.body, as: UTF8.self) == body)
    }

    @Test func `a pattern may have several parameters`() async throws {
        let response = try await self.ask(.patch, "/v1/channels/ops/toasts/7")
        #expect(String(decoding: response.body, as: UTF8.self) == "ops 7")
    }

    @Test func `HEAD is answered like GET`() async throws {
        #expect(try await self.ask(.head, "/v1/channels/ops").status == 200)
    }

    @Test(arguments: [
        (Method.post, "/v1/channels/ops", 405, "GET, HEAD, OPTIONS" as String?),
        (.options, "/v1/channels/ops", 204, "GET, HEAD, OPTIONS"),
        (.get, "/v1/channels/ops/toasts/7", 405, "PATCH, OPTIONS"), (.post, "/page", 405, "GET, HEAD, OPTIONS"),
        (.options, "/page", 204, "GET, HEAD, OPTIONS"), (.post, "/nothing", 404, nil),
    ])
    func `a missing handler means 404 or 405`(method: Method, path: String, status: Int, allow: String?) async throws {
        let response = try await self.ask(method, path)
        #expect(response.status == status)
        #expect(response.headers.first { $0.name == "Allow" }?.value == allow)
    }

    @Test func `a request has its identifier before its handler or any answer`() async throws {
        var router = Router { _ in Response(status: 404) }
        router.makeID = { _ in "r1" }
        router.answered = { request, response in response.adding("X-Request-Id", request.id) }
        router.on(.get, "/") { request in Self.answer(request.id) }
        let target = try #require(Target("/nothing".utf8))
        let response = try Self.response(of: await router.handle(Request(method: .post, target: target)))
        #expect(response.headers.map(\.value) == ["r1"])
    }

    private static func answer(_ text: String) -> Reply {
        .response(Response(status: 200, body: Array(text.utf8)))
    }

    private static func response(of reply: Reply) throws -> Response {
        let response: Response? = if case .response(let response) = reply { response } else { nil }
        return try #require(response)
    }

    private func ask(_ method: Method, _ path: String) async throws -> Response {
        let target = try #require(Target(path.utf8))
        return try Self.response(of: await self.router.handle(Request(method: method, target: target)))
    }
}
