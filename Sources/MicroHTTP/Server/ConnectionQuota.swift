public import InternetAddresses
import Synchronization

/// How many connections one source may have that are no streams: one object for the servers of all loops.
///
/// A source is an IPv4 address, or the first 64 bits of an IPv6 address. Sources that stand for many, such as a proxy, are
/// spared: their connections are not their own.
public final class ConnectionQuota: Sendable {
    /// The most connections of one source; 0 is as many as come.
    private let limit: Int
    private let spared: [AddressBlock]
    private let counts = Mutex<[IPAddress: Int]>([:])

    /// A quota.
    ///
    /// - Parameters:
    ///   - limit: The most connections of one source; 0 is as many as come.
    ///   - spared: Addresses that may have as many as come.
    public init(limit: Int = 0, sparing spared: [AddressBlock] = []) {
        self.limit = limit
        self.spared = spared
    }

    /// Whether a source may have one more connection.
    ///
    /// - Parameters:
    ///   - address: Where it comes from.
    ///   - newcomers: Addresses of connections that were accepted and not counted yet.
    /// - Returns: Whether it may.
    func hasRoom(for address: IPAddress?, beside newcomers: [IPAddress]) -> Bool {
        guard let source = self.source(address) else { return true }
        let count = self.counts.withLock { $0[source, default: 0] }
        return count + newcomers.count { $0.network == source } < self.limit
    }

    /// Counts a connection.
    func enter(_ address: IPAddress?) {
        guard let source = self.source(address) else { return }
        self.counts.withLock { $0[source, default: 0] += 1 }
    }

    /// A connection is gone.
    func leave(_ address: IPAddress?) {
        guard let source = self.source(address) else { return }
        self.counts.withLock { counts in
            let count = (counts[source] ?? 1) - 1
            counts[source] = count > 0 ? count : nil
        }
    }

    /// What the connections of an address are counted for; nil when they are not counted.
    private func source(_ address: IPAddress?) -> IPAddress? {
        guard self.limit > 0, let address, !self.spared.contains(where: { $0.contains(address) }) else { return nil }
        return address.network
    }
}
