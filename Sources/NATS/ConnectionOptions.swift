/// How to connect to NATS.
public struct ConnectionOptions: Sendable {
    /// Addresses of servers, such as `nats://10.0.0.1:4222` or `tls://nats.example:4222`.
    ///
    /// The client learns the other servers of the cluster from these.
    public var servers: [String]
    /// The name under which the servers list the connection.
    public var name = "toastd"
    /// A file with a user's JWT and its seed.
    public var credentialsFile: String?
    /// A file with the certificates of the authorities that are trusted; nil means the system's.
    public var authoritiesFile: String?
    /// A file with the client's certificate and the chain behind it; needs ``keyFile`` too.
    public var certificateFile: String?
    /// A file with the client's private key.
    public var keyFile: String?
    /// Whether every connection must use TLS, even if the server does not ask for it: there is a file of certificates,
    /// or an address begins with `tls:`.
    var requiresTLS: Bool {
        self.authoritiesFile != nil || self.certificateFile != nil
            || self.servers.contains { $0.lowercased().hasPrefix("tls:") }
    }
    /// How long a server may take to let the client in.
    public var connectTimeout: Duration = .seconds(2)
    /// The pause after all servers were tried in vain, doubled each time, plus up to half as much at random.
    public var reconnectPause: Duration = .milliseconds(100)
    /// The longest pause, without its random part.
    public var longestReconnectPause: Duration = .seconds(2)
    /// The time between pings to the server; the connection is given up when two have no answer.
    public var pingInterval: Duration = .seconds(2)
    /// The oldest server that is accepted; only tests that show faults of older servers change it.
    public var minimumVersion = ServerVersion(major: 2, minor: 12, patch: 0)
    /// How many requests of a ``NATSClient`` may wait for answers; more are refused with ``NATSError/overloaded``.
    public var maximumRequests = 100_000
    /// How many bytes the waiting requests may have together, and how many may wait to be written; more are refused.
    public var maximumBytes = 64 << 20
    /// How many bytes may wait for the handler of a subscription; messages beyond that are dropped.
    public var maximumUnhandledBytes = 256 << 20

    /// Options with defaults.
    public init(servers: [String]) { self.servers = servers }
}

/// What happens to a connection.
public enum ConnectionEvent: Equatable, Sendable {
    /// The connection was lost; requests fail at once until ``connected(server:)``.
    case disconnected
    /// Requests are served, for the first time or again.
    case connected(server: ServerVersion)
    /// The server that the client reconnected to is not accepted; the connection is closed.
    case refused(NATSError)
    /// A fault that does not end the connection, such as a missing permission; the text is for the log.
    case problem(String)
    /// The connection is over, by ``NATSConnection/close()``, or because all servers refuse the credentials.
    case closed
}

/// The version of a server.
public struct ServerVersion: Comparable, Sendable, CustomStringConvertible {
    private let numbers: [Int]

    /// A version with these numbers.
    public init(major: Int, minor: Int, patch: Int) { self.numbers = [major, minor, patch] }

    /// Reads `2.12.8` or `2.14.0-RC.1`; nil when it is malformed.
    public init?(_ text: String) {
        let release = text.prefix { $0 != "-" && $0 != "+" }
        let parts = release.split(separator: ".", omittingEmptySubsequences: false)
        self.numbers = parts.compactMap { Int($0) }
        guard parts.count == 3, self.numbers.count == 3 else { return nil }
    }

    /// The version as servers write it.
    public var description: String { self.numbers.map(String.init).joined(separator: ".") }

    /// Whether one version came before another.
    public static func < (left: ServerVersion, right: ServerVersion) -> Bool {
        left.numbers.lexicographicallyPrecedes(right.numbers)
    }
}

extension Duration {
    /// Whole nanoseconds.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = self.components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    /// Whole milliseconds, at least 1.
    var milliseconds: Int64 { max(1, self.nanoseconds / 1_000_000) }
}
