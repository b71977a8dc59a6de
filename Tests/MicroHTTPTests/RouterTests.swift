import Testing

@testable import MicroHTTP

@Suite struct RouterTests {
    private let router: Router

    init() {
        var router = Router()
        router.elsewhere = { .response(Response(status: 200).adding("Allow", Self.list($1))) }
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
        (Method.post, "/v1/channels/ops", "GET, HEAD, OPTIONS" as String?),
        (.options, "/v1/channels/ops", "GET, HEAD, OPTIONS"), (.get, "/v1/channels/ops/toasts/7", "PATCH, OPTIONS"),
        (.post, "/page", "GET, HEAD, OPTIONS"), (.options, "/page", "GET, HEAD, OPTIONS"), (.post, "/nothing", nil),
    ])
    func `a request without a handler is answered by the methods of its resource`(
        method: Method,
        path: String,
        allow: String?
    ) async throws {
        let response = try await self.ask(method, path)
        #expect(response.headers.first { $0.name == "Allow" }?.value == allow)
    }

    @Test func `a request without a handler has its identifier`() async throws {
        var router = Router()
        router.makeID = { _ in "r1" }
        router.elsewhere = { request, _ in Self.answer(request.id) }
        let target = try #require(Target("/nothing".utf8))
        let response = try Self.response(of: await router.handle(Request(method: .post, target: target)))
        #expect(String(decoding: response.body, as: UTF8.self) == "r1")
    }

    private static func list(_ methods: [Method]) -> String { methods.map(\.rawValue).joined(separator: ", ") }

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
