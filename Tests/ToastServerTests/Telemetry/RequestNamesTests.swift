import Testing

@testable import ToastServer

@Suite struct RequestNamesTests {
    @Test func `names do not come twice`() {
        let names = RequestNames()
        #expect(Set((0..<10_000).map { _ in names.next() }).count == 10_000)
        #expect(RequestNames.isName(names.next()))
    }
}
