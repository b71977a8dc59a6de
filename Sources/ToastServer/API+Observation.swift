import EventLoop
import InternetAddresses
package import MicroHTTP
import ToastAccess
import ToastCore

// What every response goes through: it gets the request's id, is counted and logged.

extension API {
    /// The header field of a request's id, in requests and responses.
    private static let requestIDField = "X-Request-Id"

    /// The id of a request: its own when that is valid, else a new one.
    func requestID(of headers: HeaderFields) -> String {
        guard let id = headers["x-request-id"], RequestIDs.isID(id), headers.count(of: "x-request-id") == 1
        else { return self.meter.requestIDs.next() }
        return id
    }

    /// Adds the request's id to a reply, and counts and logs it.
    ///
    /// `caller` is nil when the sender was not authenticated; `start` is in nanoseconds of the monotonic clock, and nil
    /// for a duration of 0. A stream is counted when its connection is handed over.
    @inline(never)
    func observe(
        _ reply: consuming Reply,
        _ problem: ProblemType?,
        to request: Request,
        on route: RouteMeter,
        by caller: Principal?,
        since start: Int64?
    ) -> Reply {
        // Consumed, so that the fields are added to the response itself and not to a copy.
        switch consume reply {
        case .response(var response):
            self.record("request", response.status, bytes: response.body.count, request, caller, route, since: start)
            if problem != nil || route.audit != nil { self.audit(request, route, caller, response.status, problem) }
            response.addHeader(Self.requestIDField, request.id)
            return .response(self.withCommonFields(consume response, for: request))
        case .detach(let take, let answersOnce, let other):
            // The path of a WebSocket ends in `socket`, and in `ws` for a reader of ntfy.
            let status = ["socket", "ws"].contains(request.target.path.last) ? 101 : 200
            // Only the server knows whether there is a descriptor for the stream.
            return .detach(
                { socket in
                    self.record("stream opened", status, bytes: 0, request, caller, route, since: start)
                    take(socket)
                },
                answersOnce: answersOnce
            ) {
                let response = other().adding(Self.requestIDField, request.id)
                let bytes = response.body.count
                self.record("request", response.status, bytes: bytes, request, caller, route, since: start)
                return self.withCommonFields(response, for: request)
            }
        }
    }

    /// Adds the id to a response with which MicroHTTP refused a request, and counts and logs it.
    package func observe(_ request: RefusedRequest, _ response: Response) -> Response {
        // Without the query, which may have a ticket.
        var path = String(decoding: request.target.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
        if !path.hasPrefix("/v1/channels/"), let name = path.firstRange(of: "hooks/") {
            path = path[..<name.upperBound] + "…"
        }
        let (problem, id) = (Problem(from: request.error), self.requestID(of: request.headers))
        self.meter.count(problem.type)
        var observed = response.adding(Self.requestIDField, id)
        observed.body = problem.body(for: id)
        self.record(
            "request",
            observed.status,
            bytes: observed.body.count,
            since: nil,
            request.method,
            .text(path),
            request.headers,
            id,
            // A refused request's proxy fields cannot be trusted.
            request.peer,
            nil,
            self.refused.meter(of: Method(rawValue: request.method))
        )
        // A page of another origin could not read the problem otherwise.
        for (name, value) in self.sharing(withSenderOf: request.headers) { observed.addHeader(name, value) }
        return observed
    }

    /// Counts and logs the response to a request, or the stream that it became.
    private func record(
        _ message: String,
        _ status: Int,
        bytes: Int,
        _ request: Request,
        _ caller: Principal?,
        _ route: RouteMeter,
        since start: Int64?
    ) {
        self.record(
            message,
            status,
            bytes: request.method == .head ? 0 : bytes,
            since: start,
            request.method.rawValue,
            .path(request.target.pathWithoutSecret),
            request.headers,
            request.id,
            self.access.proxies.nearest(to: request),
            caller,
            route
        )
    }

    /// Counts a response, and writes its line of the access log; if `start` is nil, the duration is 0.
    @inline(__always)
    private func record(
        _ message: String,
        _ status: Int,
        bytes: Int,
        since start: Int64?,
        _ method: String,
        _ path: LogLine.Value,
        _ headers: HeaderFields,
        _ id: String,
        _ source: @autoclosure () -> IPAddress?,
        _ caller: Principal?,
        _ route: RouteMeter
    ) {
        let now = EventLoop.now
        let duration = start.map { now - $0 } ?? 0
        route.observe(status, nanoseconds: duration)
        guard self.telemetry.isLoggingAccess else { return }
        var fields: [(name: String, value: LogLine.Value)] = []
        fields.reserveCapacity(11)
        fields.append(("request", .text(id)))
        if let source = source() { fields.append(("source", .address(source))) }
        if let caller { fields.append(("caller", .text(caller.name))) }
        fields.append(("method", .text(method)))
        fields.append(("path", path))
        fields.append(("route", .text(route.route)))
        fields.append(("status", .number(status)))
        fields.append(("bytes", .number(bytes)))
        fields.append(("duration", .nanoseconds(duration)))
        if let trace = headers.trace {
            fields.append(("trace", .text(trace.trace)))
            fields.append(("span", .text(trace.parent)))
        }
        self.telemetry.logAccess(message, at: now, fields)
    }

    /// The names of the settings that a request changed, without their values: webhooks have secrets.
    ///
    /// Nil for other documents: a catalog may have a mebibyte, and its members are keys of texts.
    private func membersChanged(by request: Request) -> String? {
        guard request.target.path.last == "settings" else { return nil }
        // A property list is no JSON, so it yields nil.
        let document = try? Request.json(request.body, depth: self.limits.depth)
        return document?.object.map { $0.map(\.key).sorted().joined(separator: ",") }
    }

    /// Writes to the audit log: the action of a route that has one, and refused callers.
    private func audit(
        _ request: Request,
        _ route: RouteMeter,
        _ caller: Principal?,
        _ status: Int,
        _ problem: ProblemType?
    ) {
        let action: String
        var members: String?
        switch problem {
        case .credentialsInvalid, .tooManyAttempts: action = "authentication failed"
        case .notPermitted, .originNotAllowed, .hostNotAllowed: action = "permission denied"
        case nil where route.audit != nil && status < 300:
            action = route.audit ?? ""
            members = self.membersChanged(by: request)
        default: return
        }
        self.telemetry.audit(
            action,
            [
                "request": request.id,
                "source": self.access.proxies.nearest(to: request)?.description,
                "caller": caller?.name,
                "method": request.method.rawValue,
                "path": "/" + request.target.pathWithoutSecret.joined(separator: "/"),
                "members": members,
                "problem": problem?.name,
                "trace": request.headers.trace?.trace,
            ]
        )
    }
}

extension Target {
    /// The path as it is logged: without the secret of a hook, which lets its reader publish.
    ///
    /// A mistyped URL has the secret, too, so whatever follows "hooks" is left out.
    fileprivate var pathWithoutSecret: [String] {
        // The paths of most requests; the hooks of a channel have no secret in theirs.
        if self.path.count > 2, self.path[1] == "channels", self.path[0] == "v1" { return self.path }
        guard let index = self.path.firstIndex(of: "hooks") else { return self.path }
        return self.path[...index] + ["…"]
    }
}

extension HeaderFields {
    /// The trace that `traceparent` names; nil when there are several such fields.
    fileprivate var trace: TraceContext? {
        guard let text = self["traceparent"], self.count(of: "traceparent") == 1 else { return nil }
        return TraceContext(text)
    }
}
