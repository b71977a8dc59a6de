import Testing

@testable import HTTPClient
import InternetAddresses

@Suite struct AddressPolicyTests {
    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "93.184.215.14", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
        "126.255.255.255", "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0",
        "192.0.1.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255",
        "2606:4700:4700::1111", "2a00:1450:4001:80b::200e", "2001:4860:4860::8888", "2001:200::1", "2003::1",
        "::ffff:8.8.8.8", "64:ff9b::8.8.8.8",
    ])
    func `public addresses are allowed`(text: String) throws {
        #expect(AddressPolicy().allows(try #require(IPAddress(text))))
    }

    @Test(arguments: [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255", "127.0.0.1",
        "127.255.255.254", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1",
        "192.88.99.1", "192.168.1.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1",
        "239.255.255.255", "240.0.0.1", "255.255.255.255",
        "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:a9fe:a9fe", "64:ff9b::10.0.0.1",
        "64:ff9b::7f00:1", "64:ff9b:1::1", "100::1", "fc00::1", "fd12:3456::1", "fe80::1", "febf::1", "fec0::1",
        "ff02::1", "ff0e::1", "2001::1", "2001:0:53aa:64c:0:7eff:f5ff:fffe", "2001:20::1", "2001:db8::1",
        "2002:7f00:1::1", "2002:a00:1::", "3fff::1", "4000::1", "8000::1",
    ])
    func `addresses that are not of the public internet are refused`(text: String) throws {
        #expect(!AddressPolicy().allows(try #require(IPAddress(text))))
    }

    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1", true), ("127.0.0.1", "127.0.0.2", false), ("127.0.0.0/8", "127.9.9.9", true),
        ("127.0.0.0/8", "::ffff:127.0.0.1", true), ("127.0.0.0/8", "10.0.0.1", false), ("::1", "::1", true),
        ("::1/128", "127.0.0.1", false), ("fd00::/8", "fdff::1", true), ("fd00::/8", "fc00::1", false),
        ("0.0.0.0/0", "192.168.1.1", true), ("0.0.0.0/0", "::1", false), ("::/0", "::1", true),
        ("::/0", "10.0.0.1", true), ("10.1.2.0/23", "10.1.3.255", true), ("10.1.2.0/23", "10.1.4.0", false),
    ])
    func `an exception allows its block and nothing else`(block: String, address: String, isAllowed: Bool) throws {
        let policy = AddressPolicy(allowing: [try #require(AddressBlock(block))])
        #expect(policy.allows(try #require(IPAddress(address))) == isAllowed)
        #expect(policy.allows(try #require(IPAddress("1.1.1.1"))))
    }

    @Test(arguments: [
        "", "localhost", "10.0.0", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/08",
        "10.0.0.1/8", "10.0.0.0/8/8", "::/129", "fd00::1/8", "0x7f.1", "127.1", "::g", " 10.0.0.0/8", "1.2.3.4.5",
    ])
    func `a text that is no block is refused`(text: String) {
        #expect(AddressBlock(text) == nil)
    }

    @Test(arguments: ["10.0.0.0/8", "192.168.1.1/32", "0.0.0.0/0", "fc00::/7", "::/0", "::1/128"])
    func `a block is written as it is read`(text: String) {
        #expect(AddressBlock(text)?.description == text)
    }
}
