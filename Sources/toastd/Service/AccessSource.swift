import HTTPClient
import Logging
import ToastAccess

/// Reads the authenticator's rules: the access file, and the key set that it names.
///
/// The last valid reading stays in force until the next one.
actor AccessSource {
    /// The access file.
    nonisolated let path: String

    private let authenticator: Authenticator

    /// Fetches the key set; interrupt its client so that work that waits for it goes on at once.
    nonisolated let fetcher: KeySetFetcher

    private let logger: Logger
    private var file = AccessFile()
    private var keySet: KeySet?
    /// Why the last fetch failed; nil when it succeeded.
    private var failure: AccessError?

    /// The seconds until a failed fetch is repeated.
    private static let retrySeconds = 10

    init(path: String, _ authenticator: Authenticator, _ logger: Logger) throws(LibcurlError) {
        self.path = path
        self.authenticator = authenticator
        self.fetcher = try KeySetFetcher(client: BlockingClient())
        self.logger = logger
    }

    /// Reads the access file, and its key set if that is a file.
    ///
    /// A fetched key set is kept if its URL is the same.
    func readFile() async throws(AccessError) {
        let file = try AccessFile(contentsOf: self.path)
        var keySet: KeySet?
        if let jwks = file.tokens?.jwks {
            if let path = jwks.path(beside: self.path) {
                keySet = try await KeySet(contentsOf: path)
            } else if jwks.url == self.file.tokens?.jwks?.url {
                keySet = self.keySet
            }
        }
        try await self.authenticator.adopt(file.adding(keySet))
        if let keySet, keySet != self.keySet { self.report(keySet) }
        self.file = file
        self.keySet = keySet
    }

    /// Fetches the key set if it is at a URL; returns whether it has changed.
    func fetchKeySet() async -> Bool {
        guard let url = self.file.tokens?.jwks?.url else { return false }
        do throws(AccessError) {
            let keySet = try await KeySet(parsing: try await self.fetcher.fetch(url), from: url)
            if self.failure != nil { self.logger.notice("the key set can be read again") }
            self.failure = nil
            guard keySet != self.keySet else { return false }
            try await self.authenticator.adopt(self.file.adding(keySet))
            self.report(keySet)
            self.keySet = keySet
            return true
        } catch {
            // A lasting failure is logged once.
            if error != self.failure {
                self.logger.error(
                    "the key set cannot be read, its keys stay as they were",
                    metadata: ["error": "\(error)", "keys": "\(self.keySet?.keys.count ?? 0)"]
                )
            }
            self.failure = error
            return false
        }
    }

    /// The time until the next fetch; nil when the key set is not fetched.
    var pause: Duration? {
        guard let jwks = self.file.tokens?.jwks, jwks.url != nil else { return nil }
        let seconds = jwks.refreshSeconds ?? AccessFile.KeySetPlace.refreshSeconds
        return .seconds(self.failure != nil ? min(seconds, Self.retrySeconds) : seconds)
    }

    private func report(_ keySet: KeySet) {
        for key in keySet.unusable {
            self.logger.warning(
                "a key of the key set is not used",
                metadata: ["key": "\(key.name)", "reason": "\(key.reason)"]
            )
        }
        let kids = keySet.keys.map(\.kid).joined(separator: ",")
        self.logger.notice("the key set was read", metadata: ["keys": "\(kids)"])
    }
}
