import MicroHTTP
import ToastServer

// How the descriptors of the process are shared out.

extension ToastService {
    /// The default limit on a loop's connections that are not streams: each may hold a head and 12 KiB more.
    private static let connectionLimit = 4096

    /// The descriptors for the store, the loops and the listening sockets.
    var reservedDescriptors: Int { min(256, SystemLimits.descriptors / 4) }

    /// The descriptors for the streams and the other connections of a loop.
    var descriptorsOfLoop: Int { max(16, (SystemLimits.descriptors - self.reservedDescriptors) / self.settings.loops) }

    /// The most connections of a loop that are not streams; at least a few, so that it can work at all.
    func connectionLimit(within room: Int) -> Int {
        let count = self.settings.maxConnections
        guard count > 0 else { return min(room, Self.connectionLimit) }
        return min(room, max(4, (count + self.settings.loops - 1) / self.settings.loops))
    }

    /// The most connections of one source.
    ///
    /// By default at most half of a loop's, so that others find room even if the kernel gives all connections of one
    /// source to the same loop.
    func connectionQuota(ofLoop limit: Int) -> ConnectionQuota {
        let (count, proxies) = (self.settings.maxConnectionsPerSource, self.settings.trustedProxies.blocks)
        guard !self.settings.has(LimitSettings.table.maxConnectionsPerSource) else {
            return ConnectionQuota(limit: count, sparing: proxies)
        }
        return ConnectionQuota(limit: min(count, max(1, limit / 2)), sparing: proxies + Address.loopback)
    }
}
