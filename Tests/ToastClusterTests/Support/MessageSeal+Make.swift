import Sealing
import ToastCluster

extension MessageSeal {
    /// The seal of a cluster with a key of its own.
    static func make(_ secret: UInt8 = 1) throws -> Self {
        Self(key: try ClusterKey(fileContent: Array(secret..<secret + 32)))
    }
}
