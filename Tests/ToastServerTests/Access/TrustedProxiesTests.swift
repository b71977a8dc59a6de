import InternetAddresses
import Testing

@testable import MicroHTTP
@testable import ToastServer

@Suite struct TrustedProxiesTests {
    private func source(_ fields: (String, String)...) throws -> String? {
        try self.source(fields)
    }

    private func source(_ fields: [(String, String)]) throws -> String? {
        var headers = HeaderFields()
        for (name, value) in fields { headers.append(name: name.utf8, value: value.utf8) }
        let target = try #require(Target("/".utf8))
        let peer = try #require(IPAddress("10.0.0.1"))
        let proxies = TrustedProxies([try #require(AddressBlock("10.0.0.0/8"))])
        return proxies.source(of: Request(method: .get, target: target, headers: headers, peer: peer))?.description
    }

    /// U+0600 and the comma after it are one `Character` (GB9b of UAX 29), which is not equal to a comma.
    @Test(arguments: ["198.51.100.7", "\u{600}", "198.51.100.7\u{600}", "\"", "for=\"[2001:db8::1]", "unknown"])
    func nothingThatAClientSaysHidesWhatTheProxyAdds(claim: String) throws {
        #expect(try self.source(("x-forwarded-for", "\(claim), 203.0.113.9")) == "203.0.113.9")
        #expect(try self.source(("x-forwarded-for", "\(claim),203.0.113.9")) == "203.0.113.9")
        #expect(try self.source(("forwarded", "\(claim), for=203.0.113.9")) == "203.0.113.9")
    }

    /// The source is then not the proxy's address, which may be this machine's.
    @Test(arguments: [
        [("x-forwarded-for", "198.51.100.7"), ("forwarded", "for=203.0.113.9")], [("forwarded", "for=unknown")],
        [("forwarded", "for=_hidden;proto=https")], [("forwarded", "proto=https")], [("x-forwarded-for", "nonsense")],
        [("x-forwarded-for", "198.51.100.7, notToastd")], [("x-forwarded-for", "198.51.100.7, notToastd, 10.0.0.2")],
    ])
    func whatATrustedProxySaysWithoutSenseIsNoSource(fields: [(String, String)]) throws {
        #expect(try self.source(fields) == nil)
    }

    @Test func whoSaysNothingIsTheirOwnSource() throws {
        #expect(try self.source() == "10.0.0.1")
    }

    @Test func anAddressEndsWhereItsTextEnds() {
        #expect(IPAddress("203.0.113.9\0.example") == nil)
        #expect(AddressBlock("203.0.113.0\0/24") == nil)
    }
}
