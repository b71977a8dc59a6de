import MicroHTTP
import Testing
import ToastCore

@testable import ToastServer

@Suite struct ProblemResponseTests {
    @Test func `a problem has the members of RFC 9457`() async throws {
        let server = try await TestServer()
        let response = try await server.send("GET", "/v1/nothing", ["X-Request-Id": "abc-1"])
        #expect(response["Content-Type"] == "application/problem+json")
        #expect(response["Cache-Control"] == "no-store")
        #expect(response["X-Request-Id"] == "abc-1")
        #expect(response.json["type"] == "urn:toastd:problem:not-found")
        #expect(response.json["title"] == "There is no such resource.")
        #expect(response.json["status"] == 404)
        #expect(response.json["instance"] == "urn:toastd:request:abc-1")
    }

    @Test func `a request's id is escaped in the URN`() async throws {
        let server = try await TestServer()
        let response = try await server.send("GET", "/v1/presets/x", ["X-Request-Id": "a%b"])
        #expect(response.json["instance"] == "urn:toastd:request:a%25b")
    }

    @Test(arguments: ProblemType.allCases)
    func `every type has a status of its kind and a title that is a sentence`(type: ProblemType) {
        let response = Problem(type).response()
        #expect((400...503).contains(response.status))
        #expect(type.title.hasSuffix("."))
        #expect(type.uri == "urn:toastd:problem:" + type.name)
    }

    @Test func `a problem has its own fields in the header`() {
        let problem = Problem(from: HTTPError.methodNotAllowed([.get, .options]))
        #expect(problem.response().headers.contains { $0.name == "Allow" && $0.value == "GET, OPTIONS" })
    }

    @Test func `several faults of one limit are the limit's problem`() {
        let long = ValidationIssue(pointer: "/a", detail: "x", past: .text)
        let other = ValidationIssue(pointer: "/b", detail: "y")
        #expect(Problem(.invalidToast, [long, long]).type == .textTooLong)
        #expect(Problem(.invalidToast, [long, other]).type == .invalidToast)
        #expect(Problem(.invalidToast, [long, other]).detail == "x")
    }
}
