import ToastCore
import ToastStore

/// Why the server does not start with its store, and the way out.
struct StoreRefusal: Error, CustomStringConvertible {
    let path: String
    let reason: StoreError

    var description: String {
        let head = "The store \(self.path) cannot be used. \(self.reason)"
        guard case .corrupt = self.reason else { return head }
        return "\(head)\nNothing was changed. What exactly is wrong: toastd store check --store sqlite:\(self.path)\n"
            + Self.wayOut(of: self.path)
    }

    /// What to do with a database that is damaged.
    static func wayOut(of path: String) -> String {
        """
        The way out: stop toastd, move \(path), \(path)-wal and \(path)-shm away, then put a file that
        `toastd store backup` made at \(path), and start again. Without a backup a new store begins there,
        and all consumers start over.
        """
    }
}
