import Sealing
import Testing
import ToastCluster

extension MessageSeal {
    /// The seal of a cluster with a key of its own.
    static func make(_ secret: UInt8 = 1) throws -> Self {
        Self(key: try #require(ClusterKey(secret: Array(repeating: secret, count: 32))))
    }
}
