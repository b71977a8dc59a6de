public import InternetAddresses
import Synchronization

/// How many connections that are not streams one source may have, over the servers of all loops.
///
/// A source is an IPv4 address, or the first 64 bits of an IPv6 address. Sources that carry the connections of many
/// clients, such as a proxy, are exempt.
public final class ConnectionQuota: Sendable {
    /// The most connections of one source; 0 for any number.
    private let limit: Int
    private let exempt: [AddressBlock]
    private let counts = Mutex<[IPAddress: Int]>([:])

    /// A quota: `limit` connections of one source (0 for any number); addresses in `exempt` may have any number.
    public init(limit: Int = 0, sparing exempt: [AddressBlock] = []) {
        self.limit = limit
        self.exempt = exempt
    }

    /// Whether a source may have one more connection.
    func hasRoom(for address: IPAddress?) -> Bool {
        guard let source = self.source(address) else { return true }
        return self.counts.withLock { $0[source, default: 0] } < self.limit
    }

    /// Counts a connection.
    func enter(_ address: IPAddress?) {
        guard let source = self.source(address) else { return }
        self.counts.withLock { $0[source, default: 0] += 1 }
    }

    /// Stops counting a connection.
    func leave(_ address: IPAddress?) {
        guard let source = self.source(address) else { return }
        self.counts.withLock { counts in
            let count = (counts[source] ?? 1) - 1
            counts[source] = count > 0 ? count : nil
        }
    }

    /// The source that the connections of an address count for; nil when they are not counted.
    private func source(_ address: IPAddress?) -> IPAddress? {
        guard self.limit > 0, let address, !self.exempt.contains(where: { $0.contains(address) }) else { return nil }
        return address.network
    }
}
