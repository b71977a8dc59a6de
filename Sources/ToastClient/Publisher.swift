package import ToastCore

/// Posts toasts, and waits for their outcome.
package struct Publisher: Sendable {
    private let client: Client
    private let path: String

    /// How long one request waits, in seconds: proxies close connections that are idle for a minute.
    private static let longestWait = 45

    /// The first and the longest pause after a failure, and the longest that a server can ask for, in seconds.
    private static let (firstPause, longestPause, longestRequestedPause) = (1.0, 10.0, 3600.0)

    /// For how long the publication is repeated: a server keeps the key for at least an hour, and would post the toast
    /// again after that.
    private static let repetition = Duration.seconds(3000)

    /// The seconds between two reads of the toast after that.
    private static let pollInterval = 5.0

    /// The longest silence while the command ends, in seconds.
    private static let lastPatience = 5

    /// A publisher to a channel.
    package init(_ client: Client, channel: ChannelName) {
        self.client = client
        self.path = "/v1/channels/\(channel)/toasts"
    }

    /// Posts a toast or a list of toasts; returns the server's answer.
    package func publish(_ document: JSON, key: String?) throws(ClientError) -> JSON {
        try self.client.ask("POST", self.path, headers: Self.headers(key), body: document)
    }

    /// Waits until a toast is dismissed, at most `seconds`, also across restarts of the server.
    ///
    /// The publication is repeated with its key, and each time the server waits for the same toast. After
    /// ``repetition`` the toast is polled, which needs the permission to read it.
    ///
    /// - Returns: The toast as it ended; nil when it is not dismissed yet.
    /// - Throws: An error that a retry cannot mend.
    package func awaitEnd(
        of posted: JSON,
        postedAs document: JSON,
        key: String,
        seconds: Double?
    ) throws(ClientError) -> JSON? {
        let clock = ContinuousClock()
        let start = clock.now
        let deadline = seconds.map { start + .seconds($0) }
        var pause = Self.firstPause
        while true {
            let left = deadline.map { ($0 - clock.now) / .seconds(1) } ?? .infinity
            guard left > 0 else { return nil }
            let wait = Int(min(left.rounded(.up), Double(Self.longestWait)))
            let began = clock.now
            do throws(ClientError) {
                if began - start > Self.repetition {
                    pause = Self.pollInterval
                    if let end = try self.look(at: posted) { return end }
                } else {
                    let toast = try self.client.ask(
                        "POST",
                        self.path,
                        headers: Self.headers(key) + [("Prefer", "wait=\(wait)")],
                        body: document,
                        patience: wait + 15
                    )
                    if toast["state"] == "dismissed" { return toast }
                    // An early answer means that the server is about to stop, or that the toast ended so long ago that
                    // it is forgotten.
                    guard clock.now - began < .seconds(wait) / 2 else {
                        pause = Self.firstPause
                        continue
                    }
                    // Without the permission to read toasts, the publication is repeated.
                    do throws(ClientError) {
                        if let end = try self.look(at: toast) { return end }
                    } catch .refused(let response)
                        where ["not-permitted", "credentials-required"].contains(response.type)
                    {}
                }
            } catch  where error.isTemporary {
                pause = max(pause, min(Double(error.retryAfter ?? 0), Self.longestRequestedPause))
            }
            let rest = deadline.map { ($0 - clock.now) / .seconds(1) } ?? .infinity
            try self.client.pause(seconds: max(0, min(pause, rest)))
            pause = min(pause * 2, Self.longestPause)
        }
    }

    /// Withdraws a toast; returns it as it ended, perhaps before this call.
    package func withdraw(_ toast: JSON) throws(ClientError) -> JSON {
        try self.client.ask("DELETE", self.path(of: toast), patience: Self.lastPatience)
    }

    /// Withdraws a toast that may or may not have been posted.
    package func withdraw(_ document: JSON, key: String) throws(ClientError) {
        // The key finds the toast. If it had not arrived, this posts it and withdraws it at once.
        let deadline = ContinuousClock.now + .seconds(Self.lastPatience)
        while true {
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
            } catch  where error.isUnderWay && ContinuousClock.now < deadline {
                try self.client.pause(seconds: 0.2)
            }
        }
    }

    /// The toast if it was dismissed.
    private func look(at toast: JSON) throws(ClientError) -> JSON? {
        let toast = try self.client.ask("GET", self.path(of: toast))
        return toast["state"] == "dismissed" ? toast : nil
    }

    private func path(of toast: JSON) -> String { "\(self.path)/\((toast["id"]?.string ?? "").percentEncoded)" }

    private static func headers(_ key: String?) -> [(name: String, value: String)] {
        key.map { [("Idempotency-Key", $0)] } ?? []
    }
}
