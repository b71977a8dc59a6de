import Logging
import ToastAccess

/// Where the authenticator's rules come from: the access file, and the key set that it names.
///
/// What was read last stays in force until something else was read whole.
actor AccessSource {
    /// Says whether a principal still has the rights it was given.
    typealias Judgement = @Sendable (Principal) -> Bool

    /// The access file.
    nonisolated let path: String

    private let authenticator: Authenticator
    private nonisolated let fetcher: KeySetFetcher
    private let logger: Logger
    private var file = AccessFile()
    private var keySet: KeySet?
    /// Why the last fetch failed; nil when it did not.
    private var failure: AccessError?

    /// How soon a URL is looked at again that could not be read, in seconds.
    private static let retrySeconds = 10

    init(path: String, _ authenticator: Authenticator, _ logger: Logger) throws(LibcurlError) {
        self.path = path
        self.authenticator = authenticator
        self.fetcher = try KeySetFetcher()
        self.logger = logger
    }

    /// Reads the access file, and a key set that is a file.
    ///
    /// Of a key set at a URL, what was fetched before counts, if the URL is the same.
    ///
    /// - Returns: Who may go on.
    /// - Throws: What makes no sense; then all stays as it was.
    func readFile() async throws(AccessError) -> Judgement {
        let file = try AccessFile(contentsOf: self.path)
        var keySet: KeySet?
        if let jwks = file.tokens?.jwks {
            if let path = jwks.path(beside: self.path) {
                keySet = try await KeySet(contentsOf: path)
            } else if jwks.url == self.file.tokens?.jwks?.url {
                keySet = self.keySet
            }
        }
        let judgement = try await self.authenticator.adopt(file.adding(keySet))
        if let keySet, keySet != self.keySet { self.report(keySet) }
        self.file = file
        self.keySet = keySet
        return judgement
    }

    /// Fetches the key set, if it is at a URL.
    ///
    /// - Returns: Who may go on; nil when nothing has changed.
    func fetchKeySet() async -> Judgement? {
        guard let url = self.file.tokens?.jwks?.url else { return nil }
        do throws(AccessError) {
            let keySet = try await KeySet(parsing: try await self.fetcher.fetch(url), from: url)
            if self.failure != nil { self.logger.notice("the key set can be read again") }
            self.failure = nil
            guard keySet != self.keySet else { return nil }
            let judgement = try await self.authenticator.adopt(self.file.adding(keySet))
            self.report(keySet)
            self.keySet = keySet
            return judgement
        } catch {
            // A provider that is down for long is told of once.
            if error != self.failure {
                let kept = "\(self.keySet?.keys.count ?? 0)"
                self.logger.error(
                    "the key set cannot be read, its keys stay as they were",
                    metadata: ["error": "\(error)", "keys": "\(kept)"]
                )
            }
            self.failure = error
            return nil
        }
    }

    /// When to fetch the key set again; nil when it is not fetched.
    var pause: Duration? {
        guard let jwks = self.file.tokens?.jwks, jwks.url != nil else { return nil }
        let seconds = jwks.refreshSeconds ?? AccessFile.KeySetPlace.refreshSeconds
        return .seconds(self.failure != nil ? min(seconds, Self.retrySeconds) : seconds)
    }

    /// Ends the fetch that is under way, so that what waits behind it comes at once.
    nonisolated func interrupt() {
        self.fetcher.interrupt()
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
