import EventLoop
import MicroHTTP
import ToastAccess
import ToastCore
import ToastHub

extension API {
    /// The longest and the usual wait of a long-poll, in seconds.
    private static let (longestPoll, usualPoll) = (60.0, 25.0)

    /// The WebSocket subprotocol.
    private static let subprotocol = "toastd.v1"

    /// Answers `GET /v1/channels/{channel}/stream` and `GET /v1/stream`.
    func stream(_ request: Request, _ visitor: Visitor) async throws(Problem) -> Reply {
        let listening = try self.listening(request, visitor)
        // Who asks for the head alone is no audience.
        guard request.method != .head else { return .response(Self.comeBackLater()) }
        let head = self.eventStreamHead(for: request)
        do throws(StreamError) {
            return try await self.fanout.openEventStream(listening)
                .reply(head: head, otherwise: Self.comeBackLater())
        } catch {
            // A native EventSource gives up on any status but 200, so whatever passes says when to come back.
            let problem = Problem(from: error)
            if case .tooManyChannels = error { throw problem }
            self.meter.count(problem.type)
            return .response(Self.comeBackLater(after: problem.retryAfter))
        }
    }

    /// Answers `GET /v1/channels/{channel}/poll` and `GET /v1/poll`.
    func poll(_ request: Request, _ visitor: Visitor) async throws(Problem) -> Reply {
        let listening = try self.listening(request, visitor)
        guard request.method != .head else { return .response(.json(encoded: [])) }
        let preferred = Preferences(request).wait.map(Double.init)
        let asked = try request.number("wait", in: 0...Self.longestPoll)
        let wait = asked ?? min(preferred ?? Self.usualPoll, Self.longestPoll)
        do throws(StreamError) {
            let outcome = try await self.fanout.openPoll(listening, wait: Interval(seconds: wait)) { body, isLast in
                let response = Response.json(encoded: body).adding("X-Request-Id", request.name)
                return Frame(self.dressed(response, for: request).serialized(isLast: isLast))
            }
            switch outcome {
            case .ready(let body): return .response(.json(encoded: body))
            case .waiting(let ticket): return ticket.reply(otherwise: Problem(.tooManyStreams).response(to: request))
            }
        } catch {
            throw Problem(from: error)
        }
    }

    /// Answers `GET /v1/channels/{channel}/socket` and `GET /v1/socket`.
    func socket(_ request: Request, _ visitor: Visitor) async throws(Problem) -> Reply {
        guard request.method == .get else { throw Problem(.upgradeRequired) }
        let listening = try self.listening(request, visitor, mayBeEmpty: true)
        let head: Frame
        do throws(WebSocketHandshake.Refusal) {
            head = try WebSocketHandshake.accept(
                request,
                subprotocol: Self.subprotocol,
                adding: [("X-Request-Id", request.name)]
            )
        } catch {
            throw Self.problem(error)
        }
        do throws(StreamError) {
            return try await self.fanout.openWebSocket(listening)
                .reply(head: head, otherwise: Problem(.tooManyStreams).response(to: request))
        } catch {
            throw Problem(from: error)
        }
    }

    /// What the request wants to hear.
    private func listening(
        _ request: Request,
        _ visitor: Visitor,
        mayBeEmpty: Bool = false
    ) throws(Problem) -> StreamRequest {
        let isComposite = request.parameters["channel"] == nil
        let channels = try Self.channels(request, for: visitor.principal)
        guard mayBeEmpty || !channels.isEmpty else {
            throw Problem(.invalidParameter, "channel: at least one channel is expected.")
        }
        guard channels.count <= self.fanout.channelLimit else {
            throw Problem(.invalidParameter, "A stream hears at most \(self.fanout.channelLimit) channels.")
        }
        let cursor = try Self.cursor(request)
        if isComposite, case .single? = cursor?.position {
            throw Problem(.invalidParameter, "since: this is a cursor of one channel, and the stream hears several.")
        }
        return StreamRequest(
            channels: channels,
            isComposite: isComposite,
            cursor: cursor,
            filter: try Self.filter(request),
            isAssistive: try Self.isAssistive(request),
            scale: try request.number("scale", in: 1...10) ?? 1,
            visitor: visitor,
            name: request.name
        )
    }

    /// The channels that the request names, each once.
    private static func channels(_ request: Request, for listener: Principal) throws(Problem) -> [ChannelName] {
        if let text = request.parameters["channel"] { return [try self.channel(text, for: listener)] }
        var channels: [ChannelName] = []
        for text in request.target.values("channel") {
            let name = try self.channel(text, for: listener)
            if !channels.contains(name) { channels.append(name) }
        }
        return channels
    }

    private static func channel(_ text: String, for listener: Principal) throws(Problem) -> ChannelName {
        let name = try Request.channel(text)
        try listener.need(.subscribe, on: name)
        return name
    }

    /// Where the client stood.
    ///
    /// What it says in `Last-Event-ID` is newer than what its URL was made with.
    private static func cursor(_ request: Request) throws(Problem) -> Cursor? {
        let texts = [request.headers["last-event-id"], request.target.value("since")]
        guard let text = texts.compactMap(\.self).first(where: { !$0.isEmpty }) else { return nil }
        guard let cursor = Cursor(text) else { throw Problem(.invalidParameter, "since: a cursor is expected.") }
        return cursor
    }

    private static func filter(_ request: Request) throws(Problem) -> EventFilter {
        guard let text = request.target.value("events") else { return .all }
        let types = text.split(separator: ",").map { EventType(rawValue: String($0)) }
        // An empty list is a variable that somebody forgot to fill in: whoever listens wants to hear something.
        guard !types.isEmpty, !types.contains(nil) else {
            let words = EventType.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(.invalidParameter, "events: some of \(words) are expected, with commas between.")
        }
        return EventFilter(types.compactMap(\.self))
    }

    private static func isAssistive(_ request: Request) throws(Problem) -> Bool {
        switch request.target.value("assistive") {
        case nil, "0", "false": return false
        case "1", "true": return true
        default: throw Problem(.invalidParameter, "assistive: 0 or 1 is expected.")
        }
    }

    private static func problem(_ refusal: WebSocketHandshake.Refusal) -> Problem {
        var problem: Problem
        switch refusal {
        case .notAHandshake(let detail):
            problem = Problem(.upgradeRequired, detail)
        case .unknownSubprotocol:
            return Problem(.invalidParameter, "The subprotocol is \(self.subprotocol).")
        case .unsupportedVersion:
            problem = Problem(.upgradeRequired, "The server speaks version 13.")
        }
        problem.headers = [("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13")]
        return problem
    }

    /// The head of an event stream; its body ends with the connection.
    ///
    /// The jitter spreads out who comes back after a restart.
    private func eventStreamHead(for request: Request) -> Frame {
        var head = ByteBuffer(capacity: 512)
        head.append(Self.eventStreamFields)
        for (name, value) in self.sharing(with: request) {
            head.append(name)
            head.append(": ")
            head.append(value)
            head.append("\r\n")
        }
        head.append("Date: ")
        head.append(HTTPDate.now)
        head.append("\r\nX-Request-Id: ")
        head.append(request.name)
        head.append("\r\n\r\nretry: ")
        head.digits(self.fanout.loop.withRandomNumbers { .random(in: 1000...3000, using: &$0) })
        head.append("\n\n")
        return Frame(head.bytes)
    }

    /// `X-Accel-Buffering` and `no-transform` keep proxies from holding events back.
    private static let eventStreamFields = [
        "HTTP/1.1 200 OK", "Content-Type: text/event-stream", "Cache-Control: no-store, no-transform",
        "X-Accel-Buffering: no", "X-Content-Type-Options: nosniff", "Cross-Origin-Resource-Policy: same-origin",
        "Connection: close", "",
    ].joined(separator: "\r\n")

    /// An event stream that says no more than when to come back: in 5 to 15 seconds, or that much behind a certain time.
    static func comeBackLater(after seconds: Int? = nil) -> Response {
        let milliseconds = (seconds ?? 0) * 1000 + Int.random(in: 5000...15_000)
        var response = Response(status: 200, body: Array("retry: \(milliseconds)\n\n".utf8))
        response.addHeader("Content-Type", "text/event-stream")
        response.addHeader("Cache-Control", "no-store, no-transform")
        response.closesConnection = true
        return response
    }
}
