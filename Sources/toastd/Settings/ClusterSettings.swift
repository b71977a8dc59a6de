import NATS
import Sealing
import ToastCore
import ToastStore

/// How a process uses a NATS cluster: the settings of `toastd serve` that `toastd store copy` takes, too.
struct ClusterSettings: SettingsTable {
    static let table = Self()

    let clusterKeyFile = Setting(path: "A file with a secret, 32 bytes or more, that all nodes of a cluster have.")
    let natsCredentials = Setting(path: "A file with a NATS user's JWT and seed, as nsc writes it.")
    let natsAuthorities = Setting(path: "A file with the authorities that sign the NATS servers' certificates.")
    let natsCertificate = Setting(path: "A file with this node's certificate for the NATS servers.")
    let natsKey = Setting(path: "A file with the key of that certificate.")
    let natsReplicas = Setting(3, in: 1...5, "How many NATS servers keep each message; for streams that are new.")
}

extension ServerSettings {
    /// The settings of ``ClusterSettings`` only: all others have no value.
    ///
    /// - Throws: All faults of these settings, or why the file cannot be read.
    init(ofCluster flags: [String: String]) throws(SettingsError) {
        var reader = try SettingsReader(flags)
        self.init(&reader, of: ClusterSettings.self)
        guard reader.faults.isEmpty else { throw SettingsError(faults: reader.faults) }
    }

    /// How to open the store of a cluster whose nodes share a key.
    func jetStreamOptions(_ key: ClusterKey, prefix: String, _ retention: Retention) -> JetStreamOptions {
        var options = JetStreamOptions(key: key)
        options.prefix = prefix
        options.replicas = self.natsReplicas
        options.retention = retention
        options.connection.credentialsFile = self.natsCredentials
        options.connection.authoritiesFile = self.natsAuthorities
        options.connection.certificateFile = self.natsCertificate
        options.connection.keyFile = self.natsKey
        return options
    }
}
