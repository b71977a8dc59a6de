import InternetAddresses
import Testing

@testable import MicroHTTP

@Suite struct ConnectionQuotaTests {
    private static func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }

    @Test func aSourceHasSoMany() throws {
        let quota = ConnectionQuota(limit: 2)
        let (one, other) = (try Self.address("192.0.2.1"), try Self.address("192.0.2.2"))
        quota.enter(one)
        #expect(quota.hasRoom(for: one))
        quota.enter(one)
        #expect(!quota.hasRoom(for: one))
        #expect(quota.hasRoom(for: other))
        quota.leave(one)
        #expect(quota.hasRoom(for: one))
    }

    @Test func aSubscriberOfIPv6IsOneSource() throws {
        let quota = ConnectionQuota(limit: 1)
        quota.enter(try Self.address("2001:db8:0:1::1"))
        let (same, other) = (try Self.address("2001:db8:0:1:ffff::2"), try Self.address("2001:db8:0:2::1"))
        #expect(!quota.hasRoom(for: same))
        #expect(quota.hasRoom(for: other))
    }

    @Test func bothSpellingsOfAnAddressAreOneSource() throws {
        let quota = ConnectionQuota(limit: 1)
        quota.enter(try Self.address("192.0.2.1"))
        let mapped = try Self.address("::ffff:192.0.2.1")
        #expect(!quota.hasRoom(for: mapped))
    }

    @Test func proxiesAndWhoHasNoAddressAreNotCounted() throws {
        let proxies = "10.0.0.0/8"
        let quota = ConnectionQuota(limit: 1, sparing: [try #require(AddressBlock(proxies))])
        let proxy = try Self.address("10.1.2.3")
        for address in [proxy, nil] {
            quota.enter(address)
            quota.enter(address)
            #expect(quota.hasRoom(for: address))
            quota.leave(address)
        }
    }

    @Test func noLimitIsNone() throws {
        let quota = ConnectionQuota()
        let address = try Self.address("192.0.2.1")
        for _ in 0..<100 { quota.enter(address) }
        #expect(quota.hasRoom(for: address))
    }
}
