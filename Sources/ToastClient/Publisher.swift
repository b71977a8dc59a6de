public import ToastCore

/// Posts a toast, and waits for what becomes of it.
public struct Publisher: Sendable {
    /// What became of a toast.
    public enum End: Hashable, Sendable {
        /// It went: with an action, or without.
        case dismissed(JSON)

        /// It is still there.
        case open
    }

    private let client: Client
    private let path: String

    /// How long one request waits: proxies end what is quiet for a minute.
    private static let longestWait = 45

    /// How long it rests before it asks again behind a failure: at first, and at most.
    private static let (firstRest, longestRest) = (1.0, 10.0)

    /// For how long it repeats the publication: a server knows the key for an hour at least, and would post the toast anew
    /// when it has forgotten it.
    private static let repetition = Duration.seconds(3000)

    /// How often it looks at the toast behind that, in seconds.
    private static let lookInterval = 5.0

    /// For how many seconds nothing may come when everything is to end.
    private static let lastPatience = 5

    /// A publisher to a channel.
    public init(_ client: Client, channel: ChannelName) {
        self.client = client
        self.path = "/v1/channels/\(channel)/toasts"
    }

    /// Posts a toast, or several.
    ///
    /// - Parameters:
    ///   - document: The toast, or a list.
    ///   - key: What makes it safe to post it twice.
    /// - Returns: What the server made of it.
    /// - Throws: Why it made nothing of it.
    public func publish(_ document: JSON, key: String?) throws(ClientError) -> JSON {
        try self.client.ask("POST", self.path, headers: Self.headers(key), body: document)
    }

    /// Waits until a toast is gone, through restarts of the server.
    ///
    /// The publication is repeated with its key, and each time the server waits for the same toast; later the toast is
    /// looked at now and then.
    ///
    /// - Parameters:
    ///   - document: What was posted.
    ///   - key: The key that it was posted with.
    ///   - seconds: For how long; nil for as long as it takes.
    /// - Returns: The toast, when it is gone.
    /// - Throws: Why there is no telling.
    public func awaitEnd(of document: JSON, key: String, seconds: Double?) throws(ClientError) -> End {
        let clock = ContinuousClock()
        let start = clock.now
        let deadline = seconds.map { start + .seconds($0) }
        var posted: JSON?
        var rest = Self.firstRest
        while true {
            let left = deadline.map { ($0 - clock.now) / .seconds(1) } ?? .infinity
            guard left > 0 else { return .open }
            let wait = Int(min(left.rounded(.up), Double(Self.longestWait)))
            let began = clock.now
            do throws(ClientError) {
                if let posted, began - start > Self.repetition {
                    rest = Self.lookInterval
                    if let end = try self.look(at: posted) { return .dismissed(end) }
                } else {
                    let toast = try self.client.ask(
                        "POST",
                        self.path,
                        headers: Self.headers(key) + [("Prefer", "wait=\(wait)")],
                        body: document,
                        patience: wait + 15
                    )
                    if toast["state"] == "dismissed" { return .dismissed(toast) }
                    posted = toast
                    // An answer before its time: the server is about to stop, or the toast is gone for so long that it is
                    // forgotten.
                    guard clock.now - began < .seconds(wait) / 2 else {
                        rest = Self.firstRest
                        continue
                    }
                    if let end = try self.look(at: toast) { return .dismissed(end) }
                }
            } catch  where error.isTemporary {
                rest = max(rest, Double(error.retryAfter ?? 0))
            }
            let pause = min(rest, deadline.map { ($0 - clock.now) / .seconds(1) } ?? rest)
            try self.client.pause(seconds: max(0, pause))
            rest = min(rest * 2, Self.longestRest)
        }
    }

    /// Takes a toast back.
    ///
    /// - Parameter toast: The toast.
    /// - Returns: The toast as it ended, which may have been before.
    /// - Throws: Why it is still there.
    public func withdraw(_ toast: JSON) throws(ClientError) -> JSON {
        try self.client.ask("DELETE", self.path(of: toast), patience: Self.lastPatience)
    }

    /// Takes a toast back of which nobody knows whether it was posted.
    ///
    /// - Parameters:
    ///   - document: What was posted, perhaps.
    ///   - key: The key that it was posted with.
    /// - Throws: Why it may still be there.
    public func withdraw(_ document: JSON, key: String) throws(ClientError) {
        // The key finds the toast; if it had not arrived, it is gone before anybody has read it.
        for _ in 0..<Self.lastPatience * 5 {
            do throws(ClientError) {
                let posted = try self.client.ask(
                    "POST",
                    self.path,
                    headers: Self.headers(key),
                    body: document,
                    patience: Self.lastPatience
                )
                _ = try self.withdraw(posted)
                return
            } catch  where error.isUnderWay {
                try self.client.pause(seconds: 0.2)
            }
        }
    }

    /// The toast as it is, when it is gone.
    private func look(at toast: JSON) throws(ClientError) -> JSON? {
        let toast = try self.client.ask("GET", self.path(of: toast))
        return toast["state"] == "dismissed" ? toast : nil
    }

    private func path(of toast: JSON) -> String { "\(self.path)/\((toast["id"]?.string ?? "").percentEncoded)" }

    private static func headers(_ key: String?) -> [(name: String, value: String)] {
        key.map { [("Idempotency-Key", $0)] } ?? []
    }
}
