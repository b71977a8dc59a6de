import Testing

@testable import HTTPClient

@Suite struct BlockingClientTests {
    @Test func `an interruption ends every request until the client may go on`() throws {
        let client = try BlockingClient()
        // Nothing listens at port 0.
        let request = OutgoingRequest("GET", url: "http://127.0.0.1:0/", headers: [])
        func failure() -> RequestError? {
            do throws(RequestError) {
                try client.perform(request) { _, _ in true }
                return nil
            } catch {
                return error
            }
        }
        client.interrupt()
        #expect(failure() == .interrupted)
        #expect(failure() == .interrupted)
        client.resume()
        guard case .unreachable? = failure() else {
            Issue.record("The client does not go on.")
            return
        }
    }
}
