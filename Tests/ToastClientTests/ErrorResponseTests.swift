import Testing
import ToastCore

@testable import ToastClient

@Suite struct ErrorResponseTests {
    @Test func anInvalidDocumentHasTheTitleAndEachPointer() {
        let body = """
            {"type":"urn:toastd:problem:invalid-toast","title":"The toast is not valid.","status":422,"detail":"d",
             "errors":[{"pointer":"/role","detail":"is unknown"},{"pointer":"","detail":"is empty"}]}
            """
        let response = ErrorResponse(status: 422, mediaType: "application/problem+json", body: Array(body.utf8))
        #expect(
            response.lines == [
                "The toast is not valid. (422 invalid-toast)", "  /role: is unknown", "  the document: is empty",
            ]
        )
    }

    @Test func aProblemWithoutFaultsHasItsDetailAndTheRetry() {
        let body =
            #"{"type":"urn:toastd:problem:queue-full","title":"Full.","status":429,"detail":"1000 wait.","retryAfter":7}"#
        let response = ErrorResponse(
            status: 429,
            mediaType: "application/problem+json; charset=utf-8",
            body: Array(body.utf8)
        )
        #expect(response.lines == ["Full. (429 queue-full)", "  1000 wait.", "  Try again in 7 s."])
        #expect(response.isTemporary)
    }

    @Test func theBodyOfAnotherProgramIsNotShown() {
        let page = ErrorResponse(status: 502, mediaType: "text/html", body: Array("<h1>\u{1B}".utf8), retryAfter: 3)
        #expect(page.lines.first == "This is not how toastd answers. Is it behind that address? (status 502)")
        let moved = ErrorResponse(status: 301, mediaType: "", body: [], location: "https://elsewhere.example/\u{1B}")
        #expect(
            moved.lines == [
                "The server is elsewhere: https://elsewhere.example/\u{FFFD}. Name that with --server. (status 301)"
            ]
        )
        #expect(!moved.isTemporary)
    }
}
