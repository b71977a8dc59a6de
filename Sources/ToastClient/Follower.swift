package import ToastCore

/// Follows channels: reconnects by itself, and misses no event.
package struct Follower: Sendable {
    package enum Report: Sendable {
        /// An event, and its text as the server wrote it: one line.
        case event(JSON, text: String)

        /// The connection was lost; the next attempt is in this number of seconds.
        case lost(seconds: Double)

        /// Nothing, for about a second.
        case nothing
    }

    private let client: Client
    private let path: String
    /// The cursor after which the stream continues; nil for the present.
    private var cursor: String?

    /// The seconds to wait unless the server asks for another time; the default of EventSource, too.
    private static let defaultPause = 3.0

    private static let longestPause = 30.0

    /// The longest wait that a server may ask for, in seconds.
    private static let longestRequestedPause = 3600.0

    /// After this silence, in seconds, the connection counts as lost: by default the server sends a comment every 15 s.
    private static let patience = 90

    /// A follower of channels.
    ///
    /// `events` has the types of events, none for all. With `isAudience` the follower counts as audience, so that
    /// waiting toasts are presented. The stream begins after `cursor`, or at the present.
    package init(
        _ client: Client,
        channels: [ChannelName],
        events: [String],
        isAudience: Bool,
        cursor: String?
    ) {
        self.client = client
        self.cursor = cursor
        var query = channels.count == 1 ? [] : channels.map { "channel=\($0)" }
        if !events.isEmpty { query.append("events=\(events.joined(separator: ",").percentEncoded)") }
        if !isAudience { query.append("audience=0") }
        let path = channels.count == 1 ? "/v1/channels/\(channels[0])/stream" : "/v1/stream"
        self.path = query.isEmpty ? path : "\(path)?\(query.joined(separator: "&"))"
    }

    /// Follows until `tell` returns false.
    ///
    /// - Throws: Why the first attempt failed; later only errors that a retry cannot mend.
    package mutating func run(_ tell: (Report) -> Bool) throws(ClientError) {
        var hasBegun = false
        var failures = 0
        while true {
            var connection = FollowerConnection(cursor: self.cursor)
            do throws(ClientError) {
                try self.client.stream(self.path, headers: self.headers, patience: Self.patience) { bytes in
                    connection.take(bytes, tell)
                }
            } catch  where error.isTemporary && (hasBegun || connection.hasBegun) {
                connection.pause = max(connection.pause ?? 0, error.retryAfter.map(Double.init) ?? 0)
            }
            guard !connection.isEnough else { return }
            // A retry would receive the same event.
            guard !connection.isFlooded else { throw .notToastd(self.client.server) }
            failures = connection.hasBegun ? 0 : failures + 1
            hasBegun = true
            self.cursor = connection.cursor
            let pause = Self.pause(connection.pause, failures: failures)
            guard tell(.lost(seconds: pause)) else { return }
            try self.client.pause(seconds: pause)
        }
    }

    private var headers: [(name: String, value: String)] {
        [("Cache-Control", "no-store")] + (self.cursor.map { [("Last-Event-ID", $0)] } ?? [])
    }

    /// The time to wait: as long as the server asked, longer after each failure, with jitter.
    static func pause(_ requested: Double?, failures: Int) -> Double {
        let wanted = requested.flatMap { $0 > 0 ? $0 : nil } ?? Self.defaultPause
        let first = min(wanted, Self.longestRequestedPause)
        let pause = min(first * Double(1 << min(failures, 6)), max(first, Self.longestPause))
        return pause * .random(in: 0.9...1.1)
    }
}

struct FollowerConnection {
    /// The cursor after which the next connection continues.
    var cursor: String?
    /// The seconds that the server asks its consumers to wait.
    var pause: Double?
    /// Whether an event has arrived.
    private(set) var hasBegun = false
    /// Whether `tell` has returned false.
    private(set) var isEnough = false
    /// Whether an event was longer than toastd sends.
    var isFlooded: Bool { self.reader.isFlooded }
    private var reader = EventStreamReader()

    init(cursor: String?) {
        self.cursor = cursor
    }

    /// Takes the next bytes; returns whether to continue.
    mutating func take(_ bytes: [UInt8], _ tell: (Follower.Report) -> Bool) -> Bool {
        for item in self.reader.read(bytes) {
            switch item {
            case .retry(let milliseconds):
                self.pause = Double(milliseconds) / 1000
            case .position(let id):
                if !id.isEmpty { self.cursor = id }
            case .event(let data, let id):
                self.hasBegun = true
                let json = try? JSON(parsing: Array(data.utf8), depthLimit: 64, limitsMarks: false)
                guard let event = json else { continue }
                if event["type"] == "shutdown", let seconds = event["retry"]?.number { self.pause = seconds }
                self.isEnough = !tell(.event(event, text: data))
                guard !self.isEnough else { return false }
                // After the report, so that an event that was not reported comes again.
                if !id.isEmpty { self.cursor = id }
            }
        }
        guard !self.reader.isFlooded else { return false }
        if bytes.isEmpty { self.isEnough = !tell(.nothing) }
        return !self.isEnough
    }
}
