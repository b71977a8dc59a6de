public import ToastCore

/// Follows channels: comes back by itself when it is cut off, and misses nothing.
public struct Follower: Sendable {
    /// What a follower tells.
    public enum Report: Sendable {
        /// An event, and its text as the server wrote it: one line.
        case event(JSON, text: String)

        /// The connection is gone; the next try is in so many seconds.
        case lost(seconds: Double)

        /// Nothing, for about a second.
        case nothing
    }

    private let client: Client
    private let path: String
    /// Behind which event the stream goes on; nil for where it is.
    private var cursor: String?

    /// What EventSource does, too, when no server says otherwise.
    private static let standardRest = 3.0

    private static let longestRest = 30.0

    /// What a server may wish for at most.
    private static let longestWish = 3600.0

    /// There is a comment every 15 seconds unless its operator says otherwise; whoever hears nothing for longer has lost
    /// the connection without being told.
    private static let patience = 90

    /// A follower of channels.
    ///
    /// - Parameters:
    ///   - client: The server.
    ///   - channels: Their names.
    ///   - events: Which types of events to hear of; all when it is empty.
    ///   - isAudience: Whether somebody sees what comes, so that toasts that wait are presented.
    ///   - cursor: Behind which event to begin; nil for what is there now.
    public init(
        _ client: Client,
        channels: [ChannelName],
        events: [String],
        isAudience: Bool = true,
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

    /// Follows until the other side has enough, which it says by `false`.
    ///
    /// - Throws: Why there is nothing to follow: at first whatever it is, later only what no other try will mend.
    public mutating func run(_ tell: (Report) -> Bool) throws(ClientError) {
        var hasBegun = false
        var failures = 0
        while true {
            var session = Session(cursor: self.cursor)
            do throws(ClientError) {
                try self.client.stream(self.path, headers: self.headers, patience: Self.patience) { bytes in
                    session.take(bytes, tell)
                }
            } catch  where error.isTemporary && (hasBegun || session.hasBegun) {
                session.rest = max(session.rest ?? 0, error.retryAfter.map(Double.init) ?? 0)
            }
            guard !session.isEnough else { return }
            // The same would come again.
            guard !session.isFlooded else { throw .nonsense(self.client.server) }
            failures = session.hasBegun ? 0 : failures + 1
            hasBegun = true
            self.cursor = session.cursor
            let rest = Self.rest(session.rest, failures: failures)
            guard tell(.lost(seconds: rest)) else { return }
            try self.client.pause(seconds: rest)
        }
    }

    private var headers: [(name: String, value: String)] {
        [("Cache-Control", "no-store")] + (self.cursor.map { [("Last-Event-ID", $0)] } ?? [])
    }

    /// How long to stay away: as long as the server said, longer with each failure, and not all at the same moment.
    static func rest(_ wish: Double?, failures: Int) -> Double {
        let first = wish.map { $0 > 0 ? min($0, Self.longestWish) : Self.standardRest } ?? Self.standardRest
        let rest = min(first * Double(1 << min(failures, 6)), max(first, Self.longestRest))
        return rest * .random(in: 0.9...1.1)
    }
}

/// One connection of a follower.
private struct Session {
    /// Behind which event the next one goes on.
    var cursor: String?
    /// How many seconds the server wants its consumers to stay away.
    var rest: Double?
    /// Whether an event came.
    private(set) var hasBegun = false
    /// Whether the other side has enough.
    private(set) var isEnough = false
    /// Whether an event came that no server of ours sends: one without an end.
    var isFlooded: Bool { self.reader.isFlooded }
    private var reader = EventStreamReader()

    init(cursor: String?) {
        self.cursor = cursor
    }

    /// Takes the next bytes, and returns whether to go on.
    mutating func take(_ bytes: [UInt8], _ tell: (Follower.Report) -> Bool) -> Bool {
        for item in self.reader.read(bytes) {
            switch item {
            case .retry(let milliseconds):
                self.rest = Double(milliseconds) / 1000
            case .event(_, let data, let id):
                self.hasBegun = true
                guard let event = try? JSON(parsing: Array(data.utf8), depthLimit: 64) else { continue }
                if event["type"] == "shutdown", let seconds = event["retry"]?.number { self.rest = seconds }
                self.isEnough = !tell(.event(event, text: data))
                guard !self.isEnough else { return false }
                // Behind the telling: what was not told comes again.
                if !id.isEmpty { self.cursor = id }
            }
        }
        guard !self.reader.isFlooded else { return false }
        if bytes.isEmpty { self.isEnough = !tell(.nothing) }
        return !self.isEnough
    }
}
