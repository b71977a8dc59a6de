import Foundation

/// What a stream asks for.
public struct StreamOptions: Sendable {
    /// A cursor: the stream continues after it.
    public var since: String?
    /// Only events of these types; nil for all.
    ///
    /// Without `presented` among them, the stream is no viewer, whatever `isAudience` says.
    public var events: [String]?
    /// Whether somebody sees the toasts: without a viewer a channel presents none.
    public var isAudience: Bool
    /// Whether the person uses assistive technology, so that toasts stay longer.
    public var isAssistive: Bool
    /// How many times longer than others the person wants to see toasts, from 1 to 10.
    public var scale: Double?
    /// The language of texts, such as `de`.
    public var language: String?

    /// Makes options; what is left out is as the server has it.
    public init(
        since: String? = nil,
        events: [String]? = nil,
        isAudience: Bool = true,
        isAssistive: Bool = false,
        scale: Double? = nil,
        language: String? = nil
    ) {
        self.since = since
        self.events = events
        self.isAudience = isAudience
        self.isAssistive = isAssistive
        self.scale = scale
        self.language = language
    }
}

/// The events of a channel, or of several, without end.
///
/// A lost connection is opened again and continues after the last event, so that no event is missed. A snapshot with
/// `isReset` says that the server no longer has the missed ones.
///
/// It throws a `ToastdError` only if the server refuses the stream, or answers with something else than a stream; and
/// what `ToastServer.Token` throws. In a cancelled task it ends. An event that cannot be read is left out.
public struct ToastEvents: AsyncSequence, Sendable {
    /// What the sequence gives.
    public typealias Element = ToastEvent

    let updates: StreamUpdates

    /// Each iterator opens a connection of its own.
    public func makeAsyncIterator() -> Iterator { Iterator(updates: self.updates.makeAsyncIterator()) }

    /// Reads the events of one connection after another.
    public struct Iterator: AsyncIteratorProtocol {
        var updates: StreamUpdates.Iterator

        /// The next event; nil when the task is cancelled.
        public mutating func next() async throws -> ToastEvent? {
            while let update = try await self.updates.next() {
                if case .event(let event) = update { return event }
            }
            return nil
        }
    }
}

/// The events of a stream, and when its connection is opened and lost.
struct StreamUpdates: AsyncSequence, Sendable {
    enum Element: Sendable, Hashable {
        case connected
        case event(ToastEvent)
        case disconnected
    }

    let server: ToastServer
    /// The request for the stream, without its options.
    let stream: Call
    let options: StreamOptions

    func makeAsyncIterator() -> Iterator { Iterator(updates: self) }

    struct Iterator: AsyncIteratorProtocol {
        private let updates: StreamUpdates
        private var parts: AnswerParts.Iterator?
        private var reader = EventReader()
        private var waiting: [Element] = []
        private var cursor: String?
        /// Of several channels, those that have not begun on this connection, with `snapshot` or `resumed`.
        private var awaited: Set<String> = []
        /// Whether a channel of this connection has begun with `reset`.
        private var isReset = false
        /// Connections in a row that brought no event.
        private var failures = 0
        /// Seconds before the next connection, if the server said so or the last one failed.
        private var pause: Double?

        init(updates: StreamUpdates) {
            self.updates = updates
            self.cursor = updates.options.since
        }

        mutating func next() async throws -> Element? {
            while !Task.isCancelled {
                if !self.waiting.isEmpty {
                    let update = self.waiting.removeFirst()
                    self.note(update)
                    return update
                }
                self.cursor = self.reader.position ?? self.cursor
                do {
                    try await self.read()
                } catch  where Task.isCancelled {
                    // Also an error of the token, whose closure may have been cancelled in its own way.
                    return nil
                }
            }
            return nil
        }

        /// Reads what the connection brings next, and opens one if there is none.
        private mutating func read() async throws {
            // Outside of `do`, so that an error of the token does not count as a lost connection.
            if self.parts == nil { try await self.connect() }
            do {
                switch try await self.parts?.next() {
                case .head(let head): try await self.begin(head)
                case .body(let data): self.waiting += self.reader.feed(data).map { .event($0) }
                case nil:
                    let pause = Swift.max(ToastServer.delay(self.failures, asked: nil), self.reader.retry)
                    self.lose(after: ToastServer.bounded(pause))
                }
            } catch let error as ToastdError where error.isPassing {
                self.lose(after: ToastServer.delay(self.failures, asked: nil))
            }
        }

        /// Opens a connection, after the pause that is due.
        private mutating func connect() async throws {
            if let pause = self.pause {
                self.pause = nil
                try await Task.sleep(for: .seconds(pause))
            }
            self.reader = EventReader()
            self.awaited = Set(self.updates.stream.query.filter { $0.name == "channel" }.map(\.value))
            self.isReset = false
            let request = try await self.updates.server.request(self.call())
            self.parts = self.updates.server.transport.send(request).makeAsyncIterator()
        }

        private mutating func begin(_ head: AnswerHead) async throws {
            guard head.status == 200 else { return try await self.refused(head) }
            // Another answer has no events, so it would be opened again without end.
            guard head.type == "text/event-stream" else {
                self.parts = nil
                throw ToastdError.unexpectedAnswer(
                    "The answer is not a stream of events, but has the type \"\(head.type)\"."
                )
            }
            self.waiting.append(.connected)
        }

        private mutating func refused(_ head: AnswerHead) async throws {
            var body = Data()
            while case .body(let data) = try await self.parts?.next() { body += data }
            let refusal = ToastdError.problem(ToastProblem(head, body))
            guard refusal.isPassing else { throw refusal }
            self.lose(after: ToastServer.delay(self.failures, asked: head.retryAfter))
        }

        private mutating func lose(after pause: Double) {
            // What a stopping server asked for comes first.
            self.pause = self.pause ?? pause
            self.parts = nil
            self.failures += 1
            self.waiting.append(.disconnected)
        }

        private mutating func note(_ update: Element) {
            guard case .event(let event) = update else { return }
            self.failures = 0
            self.cursor = self.position(after: event) ?? self.cursor
            if case .shutdown(let retry) = event.kind { self.pause = ToastServer.bounded(retry) }
        }

        /// The cursor after an event; nil if it may lack one of several channels.
        private mutating func position(after event: ToastEvent) -> String? {
            if case .snapshot(_, _, _, isReset: true) = event.kind { self.isReset = true }
            switch event.kind {
            case .snapshot, .resumed: if let channel = event.channel { self.awaited.remove(channel) }
            default: break
            }
            // After a power failure of the server, a cursor has no place in the channels that begin later: from there
            // they would begin with `reset`, though perhaps nothing is lost. As long as none has lost events, only the
            // cursor of `resumed` is in doubt.
            let isPartial = !self.awaited.isEmpty && (self.isReset || event.kind == .resumed)
            return isPartial ? nil : event.cursor
        }

        private func call() -> Call {
            let options = self.updates.options
            var call = self.updates.stream
            // Comments come every 15 seconds ± 20 %: a stream that is silent for longer than two of them is dead.
            call.timeout = 40
            call.headers = ["Accept": "text/event-stream", "Cache-Control": "no-store"]
            if let events = options.events { call.query.append(("events", events.joined(separator: ","))) }
            if !options.isAudience { call.query.append(("audience", "0")) }
            if options.isAssistive { call.query.append(("assistive", "1")) }
            if let scale = options.scale { call.query.append(("scale", "\(scale)")) }
            if let language = options.language { call.query.append(("language", language)) }
            if let cursor = self.cursor { call.query.append(("since", cursor)) }
            return call
        }
    }
}
