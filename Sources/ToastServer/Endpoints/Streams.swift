import EventLoop
import MicroHTTP
import ToastAccess
import ToastCore
import ToastHub

extension API {
    /// The longest and the usual wait of a long-poll, in seconds.
    private static let (longestPoll, usualPoll) = (60.0, 25.0)

    private static let subprotocol = "toastd.v1"

    /// Answers `GET /v1/channels/{channel}/stream` and `GET /v1/stream`.
    func stream(_ request: Request, _ caller: Caller) async throws(Problem) -> Reply {
        let listening = try self.listening(request, caller)
        // HEAD opens no stream.
        guard request.method != .head else { return .response(.reconnectLater()) }
        let head = self.eventStreamHead(for: request)
        do throws(StreamError) {
            return try await self.fanout.openEventStream(listening)
                .reply(head: head, otherwise: self.countingRefusal(.reconnectLater()))
        } catch {
            // A native EventSource gives up on any status but 200, so a temporary problem only says when to reconnect.
            let problem = Problem(from: error)
            if error == .tooManyChannels || error == .permissionsEnded { throw problem }
            self.meter.count(problem.type)
            return .response(.reconnectLater(after: problem.retryAfter))
        }
    }

    /// Answers `GET /v1/channels/{channel}/poll` and `GET /v1/poll`.
    func poll(_ request: Request, _ caller: Caller) async throws(Problem) -> Reply {
        let listening = try self.listening(request, caller)
        let preferred = Preferences(request).wait.map(Double.init)
        let asked = try request.number("wait", in: 0...Self.longestPoll)
        // HEAD does not wait.
        guard request.method != .head else { return .response(.json(encoded: [])) }
        let wait = asked ?? min(preferred ?? Self.usualPoll, Self.longestPoll)
        do throws(StreamError) {
            let outcome = try await self.fanout.openPoll(listening, wait: Interval(seconds: wait)) {
                body,
                closesConnection in
                self.lateAnswer(.json(encoded: body), to: request, closesConnection: closesConnection)
            }
            switch outcome {
            case .ready(let body): return .response(.json(encoded: body))
            case .waiting(let stream):
                return stream.reply(otherwise: self.countingRefusal(Problem(.tooManyStreams).response(to: request)))
            }
        } catch {
            throw Problem(from: error)
        }
    }

    /// Answers `GET /v1/channels/{channel}/socket` and `GET /v1/socket`.
    func socket(_ request: Request, _ caller: Caller) async throws(Problem) -> Reply {
        // HEAD opens no socket.
        guard request.method == .get else { throw .upgradeRequired() }
        let listening = try self.listening(request, caller, mayBeEmpty: true)
        let head = try Self.webSocketHead(for: request, subprotocol: Self.subprotocol)
        do throws(StreamError) {
            return try await self.fanout.openWebSocket(listening)
                .reply(head: head, otherwise: self.countingRefusal(Problem(.tooManyStreams).response(to: request)))
        } catch {
            throw Problem(from: error)
        }
    }

    /// Counts a stream for which the system has no descriptor; returns the response that its client gets instead.
    ///
    /// Called in an autoclosure, which is evaluated only then.
    func countingRefusal(_ response: Response) -> Response {
        self.meter.count(.tooManyStreams)
        return response
    }

    /// The stream that the request asks for.
    private func listening(
        _ request: Request,
        _ caller: Caller,
        mayBeEmpty: Bool = false
    ) throws(Problem) -> StreamRequest {
        let isComposite = request.parameters["channel"] == nil
        let channels = try self.channels(request, for: caller.principal)
        guard mayBeEmpty || !channels.isEmpty else {
            throw Problem(.invalidParameter, "channel: at least one channel is expected.")
        }
        var listening = StreamRequest(channels: channels, isComposite: isComposite)
        if let (name, text) = try Self.place(request) {
            guard let cursor = Cursor(text) else { throw Problem(.invalidParameter, "\(name): a cursor is expected.") }
            if isComposite, case .single = cursor.position {
                let detail = "this is a cursor of one channel, and the stream hears several."
                throw Problem(.invalidParameter, "\(name): \(detail)")
            }
            listening.cursor = cursor
        }
        listening.filter = try Self.filter(request)
        listening.languages = try Self.languages(request)
        listening.isAudience = try Self.flag("audience", in: request) ?? true
        listening.isAssistive = try Self.flag("assistive", in: request) ?? false
        listening.scale = try request.number("scale", in: 1...10) ?? 1
        listening.caller = caller
        listening.requestID = request.id
        listening.hasLeft = request.hasPeerLeft
        return listening
    }

    /// The channels that the request names, each once.
    private func channels(_ request: Request, for listener: Principal) throws(Problem) -> [ChannelName] {
        if let text = request.parameters["channel"] { return [try Self.channel(text, for: listener)] }
        var channels: [ChannelName] = []
        var known: Set<ChannelName> = []
        for text in request.target.values("channel") {
            let name = try Self.channel(text, for: listener)
            guard known.insert(name).inserted else { continue }
            guard channels.count < self.fanout.channelLimit else {
                throw Problem(.invalidParameter, "A stream hears at most \(self.fanout.channelLimit) channels.")
            }
            channels.append(name)
        }
        return channels
    }

    private static func channel(_ text: String, for listener: Principal) throws(Problem) -> ChannelName {
        let name = try Request.channel(text)
        try listener.need(.subscribe, on: name)
        return name
    }

    /// The text of the cursor to resume from, and the name of the field or parameter that has it.
    ///
    /// `Last-Event-ID` takes precedence: when an EventSource reconnects, its URL still has the first cursor.
    private static func place(_ request: Request) throws(Problem) -> (name: String, value: String)? {
        let texts = [("Last-Event-ID", request.headers["last-event-id"]), ("since", try request.single("since"))]
        return texts.lazy.compactMap { name, value in value.map { (name, $0) } }.first { !$0.1.isEmpty }
    }

    private static func filter(_ request: Request) throws(Problem) -> EventFilter {
        let lists = request.target.values("events")
        guard !lists.isEmpty else { return .all }
        let names = lists.joined(separator: ",").split(separator: ",")
        let types = names.compactMap { name in Webhook.eventTypes.first { $0.rawValue == name } }
        // An empty list is most likely a variable that was not filled in: a stream without events is of no use.
        guard !types.isEmpty, types.count == names.count else {
            let words = Webhook.eventTypes.map(\.rawValue).joined(separator: ", ")
            throw Problem(.invalidParameter, "events: some of \(words) are expected, with commas between.")
        }
        return EventFilter(types)
    }

    /// The languages that the reader wants; `nil` when the request names none.
    ///
    /// The query takes precedence over `Accept-Language`: a page knows its language better than the browser does.
    private static func languages(_ request: Request) throws(Problem) -> String? {
        guard request.target.value("language") != nil else { return request.acceptLanguage }
        let asked = request.target.values("language").joined(separator: ",")
        guard AcceptLanguage.isList(asked) else {
            let detail = "up to 32 languages are expected, with commas between, as in de-AT,en;q=0.5."
            throw Problem(.invalidParameter, "language: \(detail)")
        }
        return asked
    }

    /// A switch in the query; nil when it is not there.
    private static func flag(_ name: String, in request: Request) throws(Problem) -> Bool? {
        switch try request.single(name) {
        case nil: return nil
        case "0", "false": return false
        case "1", "true": return true
        default: throw Problem(.invalidParameter, "\(name): 0 or 1 is expected.")
        }
    }

    /// The head of the response that opens a WebSocket.
    static func webSocketHead(for request: Request, subprotocol: String) throws(Problem) -> Frame {
        do throws(WebSocketHandshake.Failure) {
            return try WebSocketHandshake.accept(
                request,
                subprotocol: subprotocol,
                adding: [("X-Request-Id", request.id)]
            )
        } catch {
            switch error {
            case .notAHandshake(let detail): throw .upgradeRequired(detail)
            case .unsupportedVersion: throw .upgradeRequired("The server speaks version 13.")
            case .unknownSubprotocol: throw Problem(.invalidParameter, "The subprotocol is \(subprotocol).")
            }
        }
    }

    /// The head of an event stream, and its first line: the random `retry` spreads out reconnections after a restart.
    private func eventStreamHead(for request: Request) -> Frame {
        let retry = self.fanout.loop.withRandomNumbers { Int.random(in: 1000...3000, using: &$0) }
        return self.streamHead("text/event-stream", for: request, body: "retry: \(retry)\n\n")
    }

    /// The head of a response whose body ends with the connection, and the beginning of that body.
    func streamHead(_ mediaType: String, for request: Request, body: String = "") -> Frame {
        let fields = [
            // `X-Accel-Buffering` and `no-transform` keep proxies from buffering events.
            "HTTP/1.1 200 OK", "Content-Type: \(mediaType)", "Cache-Control: no-store, no-transform",
            "X-Accel-Buffering: no", "X-Content-Type-Options: nosniff", "Cross-Origin-Resource-Policy: same-origin",
            "Connection: close", "Date: \(HTTPDate.now)", "X-Request-Id: \(request.id)",
        ]
        let shared = self.sharing(withSenderOf: request.headers).map { "\($0.name): \($0.value)" }
        return Frame(Array(((fields + shared).joined(separator: "\r\n") + "\r\n\r\n" + body).utf8))
    }
}
