package import NATS
package import Sealing
package import ToastCore

/// How a store uses a NATS cluster.
package struct JetStreamOptions: Sendable {
    /// What all streams and subjects begin with: letters, digits, hyphens and underscores.
    package var prefix = "toastd"

    /// How many servers keep each message; used when the streams are created.
    package var replicas = 3

    /// Seals the secrets of webhooks, and the document of hooks.
    let secrets: Sealer

    /// The fingerprint of the cluster key, by which processes notice that they have different keys.
    let fingerprint: String

    /// How long events, records and deliveries are kept.
    package var retention = Retention.standard

    /// How long a request may take before it is sent again.
    package var answerTimeout = Duration.seconds(2)

    /// How long a change is tried before it is given up as undecided, and a read as unavailable.
    package var patience = Duration.seconds(10)

    /// How to connect; ``JetStreamStore/open(_:_:tell:)`` sets the servers.
    package var connection = ConnectionOptions(servers: [])

    /// Whether this process copies another store into the cluster, and may open one into which a copy was begun.
    package var isCopyTarget = false

    /// Options with defaults, and the key that all nodes share.
    package init(key: ClusterKey) {
        self.secrets = key.sealer(for: .webhooks)
        self.fingerprint = key.fingerprint
    }

    /// How long the tombstone of a channel is kept: longer than any change of a former owner is under way.
    static let tombstoneAge = Duration.seconds(24 * 3600)

    /// The most batches that are open at a time in one stream; the server refuses the 51st.
    static let openBatches = 40

    /// The most messages of a batch; the server refuses the 1001st.
    static let longestBatch = 900

    /// The most bytes of a snapshot that is stored with events.
    ///
    /// Half of ``ConnectionOptions/maximumBytes``, which limits the whole batch.
    static let largestSnapshot = 32 << 20

    /// The most messages of a batch that is stored after an append.
    ///
    /// So few that a client may send them however long they are: a message has at most 1 MiB by default, and what waits
    /// to be sent at most ``ConnectionOptions/maximumBytes``.
    static let lateBatch = 50
}
