import InternetAddresses
import Testing

@Suite struct IPAddressTests {
    @Test(arguments: [
        ("2001:0DB8:0:0:0:0:0:0001", "2001:db8::1"), ("2001:db8::1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
        ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"), ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
        ("0:0:0:0:0:0:0:0", "::"), ("0:0:0:0:0:0:0:1", "::1"), ("fe80:0:0:0:0:0:0:0", "fe80::"),
        ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"), ("0:2:3:4:5:6:7:0", "0:2:3:4:5:6:7:0"),
    ])
    func `an IPv6 address is written as RFC 5952 asks`(text: String, written: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.description == written)
        #expect(IPAddress(written) == address)
    }

    @Test(arguments: ["192.0.2.1", "::ffff:192.0.2.1", "::FFFF:c000:201"])
    func `an IPv4 address is written alike in each of its forms`(text: String) {
        #expect(IPAddress(text)?.description == "192.0.2.1")
    }
}
