import Testing

@testable import MicroHTTP

@Suite struct AddressTests {
    @Test(
        arguments: [
            ("127.0.0.1:8080", "127.0.0.1", 8080), ("localhost:0", "localhost", 0), ("[::1]:80", "::1", 80),
        ] as [(String, String, UInt16)]
    )
    func `an address is read, and written as in a URL`(text: String, host: String, port: UInt16) {
        #expect(Address(text) == Address(host: host, port: port))
        #expect(Address(text)?.description == text)
    }

    @Test(arguments: [
        "", "host", "host:", ":80", "::1:80", "[]:80", "host:+80", "host:-80", "host: 80", "host:65536", "host:http",
    ])
    func `a text that is no address is refused`(text: String) {
        #expect(Address(text) == nil)
    }
}
