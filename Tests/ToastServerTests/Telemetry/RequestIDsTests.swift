import Testing

@testable import ToastServer

@Suite struct RequestIDsTests {
    @Test func `no id is made twice`() {
        let ids = RequestIDs()
        #expect(Set((0..<10_000).map { _ in ids.next() }).count == 10_000)
        #expect(RequestIDs.isID(ids.next()))
    }
}
