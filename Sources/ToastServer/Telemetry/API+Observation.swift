import EventLoop
import InternetAddresses
public import MicroHTTP
import ToastAccess
import ToastCore

// What every answer goes through: it gets the request's name, is counted, and is told of.

extension API {
    /// The field in which a request says its name, and is told it.
    private static let nameField = "X-Request-Id"

    /// The name of a request: the one that it bears, or a new one.
    func name(of headers: HeaderFields) -> String {
        guard let name = headers["x-request-id"], RequestNames.isName(name), headers.count(of: "x-request-id") == 1
        else { return self.meter.names.next() }
        return name
    }

    /// Sees an endpoint's answer off.
    ///
    /// - Parameters:
    ///   - reply: The answer.
    ///   - problem: The problem that it carries.
    ///   - request: The request, with its name.
    ///   - route: The route that it took.
    ///   - caller: Who sent it; nil when that was not found out.
    ///   - start: When it was there, in nanoseconds of the monotonic clock.
    /// - Returns: The answer as it goes out.
    @inline(never)
    func observe(
        _ reply: consuming Reply,
        _ problem: ProblemType?,
        to request: Request,
        on route: RouteMeter,
        by caller: Principal?,
        since start: Int64
    ) -> Reply {
        let now = EventLoop.now
        let (status, bytes, message): (Int, Int, AccessLine.Message)
        // Consumed, so that the fields are added to the answer itself and not to a copy.
        switch consume reply {
        case .response(var response):
            (status, bytes, message) = (response.status, response.body.count, .request)
            response.addHeader(Self.nameField, request.name)
            reply = .response(self.dressed(consume response, for: request))
        case .detach(let take, let answersOnce, let other):
            (status, bytes, message) = (request.target.path.last == "socket" ? 101 : 200, 0, .streamOpened)
            reply = .detach(take, answersOnce: answersOnce) {
                self.dressed(other().adding(Self.nameField, request.name), for: request)
            }
        }
        route.observe(status, nanoseconds: now - start)
        if self.telemetry.isLoggingAccess {
            self.telemetry.log(
                AccessLine(
                    moment: now,
                    message: message,
                    method: request.method.rawValue,
                    route: route.route,
                    path: .segments(request.target.path),
                    status: status,
                    bytes: request.method == .head ? 0 : bytes,
                    duration: now - start,
                    source: self.access.proxies.nearest(to: request),
                    caller: caller?.name,
                    request: request.name,
                    traceparent: request.headers.traceparent
                )
            )
        }
        if problem != nil || route.audit != nil { self.audit(request, route, caller, status, problem) }
        return reply
    }

    /// Finishes an answer that no endpoint gave: name, metrics, access log.
    func observe(_ response: Response, _ problem: Problem?, to request: Request, on routes: RouteMeters) -> Response {
        self.observe(
            response,
            problem,
            method: request.method.rawValue,
            path: .segments(request.target.path),
            headers: request.headers,
            name: request.name,
            source: self.access.proxies.nearest(to: request),
            on: routes.meter(of: request.method)
        )
    }

    /// The server's own refusals of requests that break the rules get a name, a number and a line, too.
    public func observe(_ request: RefusedRequest, _ response: Response) -> Response {
        self.observe(
            response,
            Problem(from: request.error),
            method: request.method,
            path: .raw(request.target),
            headers: request.headers,
            name: self.name(of: request.headers),
            // What such a request says of where it comes from is not to be trusted.
            source: request.peer,
            on: self.refused.meter(of: Method(rawValue: request.method))
        )
    }

    private func observe(
        _ response: Response,
        _ problem: Problem?,
        method: String,
        path: AccessLine.Path,
        headers: HeaderFields,
        name: String,
        source: IPAddress?,
        on route: RouteMeter
    ) -> Response {
        var response = response
        if let problem {
            self.meter.count(problem.type)
            response.body = problem.body(for: name)
        }
        route.observe(response.status, nanoseconds: 0)
        if self.telemetry.isLoggingAccess {
            self.telemetry.log(
                AccessLine(
                    moment: EventLoop.now,
                    message: .request,
                    method: method,
                    route: route.route,
                    path: path,
                    status: response.status,
                    bytes: response.body.count,
                    duration: 0,
                    source: source,
                    caller: nil,
                    request: name,
                    traceparent: headers.traceparent
                )
            )
        }
        return response.adding(Self.nameField, name)
    }

    /// Which settings a request changed, not to what: webhooks have secrets.
    ///
    /// Of settings only: a catalog has a mebibyte, and its members are keys of texts.
    private func membersChanged(by request: Request) -> String? {
        guard request.target.path.last == "settings" else { return nil }
        // What has no members, as a property list, is one that was read all the same.
        let document = try? Request.json(request.body, depth: self.limits.depth)
        return document?.object.map { $0.map(\.key).sorted().joined(separator: ",") }
    }

    /// Notes what was done that matters later, and who was not let in.
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
        let trace = request.headers.traceparent.flatMap { TraceContext($0) }
        self.telemetry.audit(
            action,
            [
                "request": request.name,
                "source": self.access.proxies.nearest(to: request)?.description,
                "caller": caller?.name,
                "method": request.method.rawValue,
                "path": "/" + request.target.path.joined(separator: "/"),
                "members": members,
                "problem": problem?.rawValue,
                "trace": trace?.trace,
            ]
        )
    }
}

/// The meters of requests that took no route, by method.
struct RouteMeters: Sendable {
    private let meters: [Method: RouteMeter]
    private let other: RouteMeter

    init(_ route: String, on loop: LoopMeter) {
        self.meters = Dictionary(
            uniqueKeysWithValues: Method.allCases.map { ($0, loop.route($0.rawValue, route)) }
        )
        // A method that nobody knows is no label: there is no end to them.
        self.other = loop.route("other", route)
    }

    func meter(of method: Method?) -> RouteMeter { method.flatMap { self.meters[$0] } ?? self.other }
}

extension HeaderFields {
    /// The one `traceparent` there is; two are none.
    fileprivate var traceparent: String? {
        guard let text = self["traceparent"], self.count(of: "traceparent") == 1 else { return nil }
        return text
    }
}
