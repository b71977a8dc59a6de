import EventLoop
import Glibc
import MicroHTTP
import ToastCore

/// Why the server does not start, and what would help.
enum StartError: Error, CustomStringConvertible {
    case listen(Address, SystemError)
    case store(path: String, StoreError)
    /// It cannot use the NATS cluster of these servers.
    case cluster([String], StoreError)
    /// It cannot use the file with the key that all nodes share: its path, and why.
    case clusterKey(String, String)
    /// It cannot use the file with the secret of Mercure's publishers: its path, and why.
    case mercureKey(String, String)
    /// The wall clock shows a time that an ``Instant`` cannot hold.
    case wallClock

    var description: String {
        switch self {
        case .listen(let address, let reason):
            let advice =
                switch reason.code {
                case EADDRINUSE: " Another program listens there: end that one, or name another address with --listen."
                case EADDRNOTAVAIL: " It is no address of this machine: name another one with --listen."
                default: ""
                }
            return "Nothing can be served at http://\(address) (\(reason)).\(advice)"
        case .store(let path, let reason):
            let head = "The store \(path) cannot be used. \(reason)"
            guard case .corrupt = reason else { return head }
            return "\(head)\nNothing was changed. What exactly is wrong: toastd store check --store sqlite:\(path)\n"
                + Self.recovery(of: path)
        case .cluster(let servers, let reason):
            return "The NATS cluster at \(servers.joined(separator: ", ")) cannot be used. \(reason)"
        case .clusterKey(let path, let reason):
            return "The cluster key \(path) cannot be used: \(reason)."
        case .mercureKey(let path, let reason):
            return "The secret of Mercure's publishers in \(path) cannot be used: \(reason)."
        case .wallClock:
            return "The clock of this machine is set before 1970 or after 2261, so no time can be told. Set it, then "
                + "start again."
        }
    }

    /// What to do with a damaged database.
    static func recovery(of path: String) -> String {
        """
        The way out: stop toastd, move \(path), \(path)-wal and \(path)-shm away, then put a file that
        `toastd store backup` made at \(path), and start again. Without a backup a new store begins there,
        and all consumers start over.
        """
    }
}
