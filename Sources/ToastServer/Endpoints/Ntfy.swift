import CombiningMarks
import MicroHTTP
import ToastAccess
import ToastCore
import ToastFormats
import ToastHub

// The routes of ntfy (docs.ntfy.sh/publish, docs.ntfy.sh/subscribe/api).

extension API {
    /// Names that no topic can have, because other paths of ntfy begin with them.
    private static let reservedTopics: Set = [
        "docs", "static", "file", "app", "metrics", "account", "settings", "signup", "login", "v1",
    ]

    /// How long answers say that a message is kept, in seconds: as long as channels keep events by default.
    private static let keptSeconds: Int64 = 43_200

    /// The rules for ntfy's clients: where their credential is, and how they read problems.
    var ntfyRoute: ForeignRoute {
        ForeignRoute(
            caller: { (request) async throws(Problem) in
                // `?auth=` has the whole header field in base64, for clients that can set only a URL.
                guard request.headers.count(of: "authorization") == 0, let text = request.target.value("auth")
                else { return try self.access.caller(of: request) }
                // Text that is not base64 is a wrong credential, not a missing one.
                let field = Array(text.utf8).decodedBase64.flatMap { String(received: $0) } ?? ""
                return try self.access.caller(of: request, authorization: field)
            },
            describe: { problem, _ in Self.ntfyError(problem) }
        )
    }

    /// Answers `POST /{topic}`, `POST /{topic}/{sequence}` and `GET /{topic}/publish`.
    func publishNtfy(_ request: Request, _ caller: Caller) async throws(Problem) -> Reply {
        // The router serves HEAD by the route of GET, but HEAD must not publish.
        guard request.method != .head else {
            throw Problem(from: HTTPError.methodNotAllowed([.get, .post, .put, .options]))
        }
        // Over plain http to another machine, a browser sends neither `Sec-Fetch-Site` nor, for an `<img>`, `Origin`:
        // a request of another site's page looks like any other, and may have the cookie of a session. So without
        // `Sec-Fetch-Site` a browser publishes by GET only with a credential in a field or the query.
        let isBrowser = request.headers["user-agent"]?.hasPrefix("Mozilla/") == true
        let hasCredential = request.headers.count(of: "authorization") > 0 || request.target.value("auth") != nil
        if request.method == .get, isBrowser, !hasCredential, request.headers["sec-fetch-site"] == nil {
            throw Problem(.originNotAllowed)
        }
        guard let topic = Self.topic(request.parameters["topic"] ?? "") else { return self.ntfyRefusal(.topic) }
        return try await self.publishNtfy(request, caller, topic)
    }

    /// Answers `POST /`.
    func publishNtfyDocument(_ request: Request, _ caller: Caller) async throws(Problem) -> Reply {
        try await self.publishNtfy(request, caller, nil)
    }

    private func publishNtfy(
        _ request: Request,
        _ caller: Caller,
        _ topic: ChannelName?
    ) async throws(Problem) -> Reply {
        let message: NtfyMessage
        do throws(NtfyMessage.Refusal) {
            message = try NtfyMessage(
                request.input(self.limits),
                isDocument: topic == nil,
                sequence: request.parameters["sequence"],
                at: self.hub.now
            )
        } catch {
            return self.ntfyRefusal(error)
        }
        guard let topic = topic ?? message.topic.flatMap(Self.topic) else { return self.ntfyRefusal(.topic) }
        let outcome = try await self.publish([message.toast], to: topic, by: caller, of: request)
        guard let toast = outcome.toasts.first else { throw Problem(.internalError) }
        var answer = self.answer(to: message.echo, toast, topic)
        if answer.count >= Self.longestAnswer { answer = self.answer(to: message.shortEcho, toast, topic) }
        return .response(.json(encoded: answer))
    }

    /// The length from which ntfy's command, which reads no more, takes an answer for a failure, in bytes.
    private static let longestAnswer = 4096

    private func answer(to echo: JSONObject, _ toast: Toast, _ topic: ChannelName) -> [UInt8] {
        let sent = toast.revision == 1 ? toast.createdAt : self.hub.now
        let time = sent.nanoseconds / 1_000_000_000
        // Only ntfy's own members: aiontfy and other clients reject unknown ones.
        return JSONWriter.encodedObject { writer in
            writer.member("id", NtfyID(of: toast).text)
            let due = echo["time"]?.integer ?? time
            writer.member("time", due)
            writer.member("expires", due + Self.keptSeconds)
            writer.member("event", "message")
            writer.member("topic", topic.rawValue)
            for (name, value) in echo where name != "time" { writer.member(named: name, value) }
        }
    }

    /// Answers `DELETE /{topic}/{sequence}`, or a `PUT` below that path, with an event of the name `event`.
    func removeNtfy(telling event: String) -> Endpoint {
        { (request, caller) async throws(Problem) in
            guard let topic = Self.topic(request.parameters["topic"] ?? "") else { return self.ntfyRefusal(.topic) }
            try caller.principal.need(.publish, on: topic)
            let sequence = request.parameters["sequence"] ?? ""
            let identifier = sequence.reuseIdentifier(within: self.limits)
            _ = try await self.perform(.clear(ToastFilter(reuseIdentifier: identifier)), on: topic)
            return .object { writer in
                writer.member("id", NtfyID.random(at: self.hub.now).text)
                writer.member("time", self.hub.now.nanoseconds / 1_000_000_000)
                writer.member("event", event)
                writer.member("topic", topic.rawValue)
                writer.member("sequence_id", sequence)
            }
        }
    }

    /// Answers `GET /v1/health`.
    func ntfyHealth(_: Request, _: Caller) async throws(Problem) -> Reply {
        let isHealthy = self.hub.failure == nil
        return .object { $0.member("healthy", isHealthy) }
    }

    static func topic(_ text: String) -> ChannelName? {
        self.reservedTopics.contains(text) ? nil : ChannelName(rawValue: text)
    }

    /// Counts a refusal that ntfy has a code for, and makes its reply.
    func ntfyRefusal(_ refusal: NtfyMessage.Refusal) -> Reply {
        self.meter.count(refusal.problem)
        let (code, text) = refusal.answer
        return .response(Self.ntfyError(code, 400, text))
    }

    /// A problem as ntfy writes it, with its own codes (`server/errors.go`).
    static func ntfyError(_ problem: Problem) -> Response {
        let status = problem.type.status
        let code: Int
        switch problem.type {
        case .credentialsRequired, .credentialsInvalid: code = 40101
        case .notPermitted, .originNotAllowed, .hostNotAllowed: code = 40301
        case .invalidChannelName: code = 40009
        case .payloadTooLarge: code = 41301
        case .tooManyAttempts: code = 42909
        default: code = status * 100 + 1
        }
        return self.ntfyError(code, status, problem.detail ?? problem.type.title).adding(problem.headers)
    }

    static func ntfyError(_ code: Int, _ status: Int, _ text: String) -> Response {
        // Only these members: aiontfy passes them on as the arguments of a call.
        .object(status) { writer in
            writer.member("code", code)
            writer.member("http", status)
            writer.member("error", text)
        }
    }
}

extension NtfyMessage.Refusal {
    /// The problem that it is counted as.
    fileprivate var problem: ProblemType {
        switch self {
        case .topic: .invalidChannelName
        case .json: .invalidJSON
        case .priority, .tags, .delay, .since: .invalidParameter
        case .actions, .attachment, .text: .invalidToast
        case .invalid(let error): Problem(.invalidToast, error.issues).type
        }
    }
}
